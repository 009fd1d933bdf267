"""Writes streams.csv: the first words of some streams, for the known-answer test of the stream contract.

Run it as `python3 streams.py > streams.csv`. It follows the documentation of src/stream.rs (scheme 1) and the
reference PCG32 (M. E. O'Neill, pcg-random.org, pcg_basic.c), and shares no code with the engine.
"""

MASK = 2**64 - 1
G = 0x9E3779B97F4A7C15
H = 0xD1342543DE82EF95
SCHEME = 1


def mix(x):
    x &= MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def pcg32(initial_state, selector):
    """The words of pcg32_srandom_r(initial_state, selector)."""
    increment = (selector << 1 | 1) & MASK
    state = 0

    def step():
        nonlocal state
        old = state
        state = (old * 6364136223846793005 + increment) & MASK
        shifted = ((old >> 18 ^ old) >> 27) & 0xFFFFFFFF
        turn = old >> 59
        return (shifted >> turn | shifted << (-turn & 31)) & 0xFFFFFFFF

    step()
    state = (state + initial_state) & MASK
    step()
    while True:
        yield step()


def stream(seed, trial, seat):
    a = mix(mix(seed + 1 * G) + SCHEME * G + seat * H)
    b = mix(a + H)
    return pcg32(mix(a + trial * G), mix(b + trial * H))


def first(words, count):
    return [next(words) for _ in range(count)]


# The output of the reference's own demonstration program, pcg32-demo.
assert first(pcg32(42, 54), 3) == [0xA15C02B7, 0x7B47F409, 0xBA1D3330]
# The finaliser of SplitMix64: the first number of a generator seeded with 0.
assert mix(G) == 0xE220A8397B1DCDAF

KEYS = [(seed, trial, seat) for seed in (0, 1, 2, MASK) for trial in (0, 1, 2**40) for seat in (0, 1, 7)]
KEYS += [(1, 2, 0), (3, 0, 0), (42, 999_999, 2), (42, 999_999, 3), (2**32, 4096, 4), (2**63, 4095, 5)]
KEYS += [(0xDEADBEEF, MASK, 6), (MASK - 1, MASK - 1, 0)]

print("# The first four words of some streams, in hexadecimal; written by streams.py.")
print("seed,trial,seat,word1,word2,word3,word4")
for key in KEYS:
    words = [f"{word:08x}" for word in first(stream(*key), 4)]
    print(",".join([*map(str, key), *words]))
