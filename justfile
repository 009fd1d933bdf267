# Everything the gate checks
check:
    bash .ci/run

# Format, and apply what clippy can mend
fix:
    cargo fmt --all && rustfmt --edition 2024 crates/engine/src/games/*/mod.rs && cargo clippy --workspace --all-targets --fix --allow-dirty

# All tests
test:
    cargo test --workspace

# The Python module as a wheel, in target/wheels
wheel:
    pip wheel --no-deps --wheel-dir target/wheels ./crates/python

# The tests of the Python module, or those that pytest's options name
python *OPTIONS:
    cargo build --release && .ci/python {{OPTIONS}}

# Criterion benches, then the table for this machine
bench:
    cargo bench -p stopwise-benches && cargo run --release -- bench

# Open made-up pages in Chromium, or those below folders given, and try them as a reader would
pages *FOLDERS:
    cargo run -q -p stopwise-document --example pages -- target/pages && .ci/pages target/pages {{FOLDERS}}

# Rewrite the signature after a change of rules, sampling or streams: say so in the commit's trailer
signature:
    UPDATE_GOLDEN=1 cargo test -p stopwise --test contract signature

# Rewrite the reference tables, and pages to look at beside them
results:
    bash results/regenerate.sh

# Fuzz the readers of policies and rules, so many seconds each (needs cargo-fuzz); begins with the shipped texts
fuzz SECONDS="300":
    cd crates/policy && mkdir -p fuzz/corpus/policy fuzz/corpus/rules && cargo +nightly fuzz run policy fuzz/corpus/policy ../../policies/carbonite ../../policies/pig -- -dict=fuzz/words.dict -timeout=5 -max_total_time={{SECONDS}} && cargo +nightly fuzz run rules fuzz/corpus/rules fuzz/seeds/rules -- -dict=fuzz/words.dict -timeout=5 -max_total_time={{SECONDS}}

# Broken texts, odd command lines, signals, full disks, little memory: five minutes of them, or `just attack --minutes 20`; then a minute of fuzzing
attack *OPTIONS:
    cargo build --release && python3 .ci/attack ${CARGO_TARGET_DIR:-target}/release/stopwise {{OPTIONS}}
    if cargo fuzz --version > /dev/null 2>&1; then just fuzz 30; else echo 'no cargo-fuzz: the readers are not fuzzed'; fi

# Masks, parts and counts of AVX2 and plain lanes, under an interpreter that sees undefined behaviour (needs rustup's miri)
miri:
    CARGO_TARGET_DIR=target/miri RUSTFLAGS="-C target-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt" cargo +nightly miri test -p stopwise-engine --test simd -- masks parts bit_counts

# Licences, and known defects of what the program is built from (needs cargo-deny and cargo-audit)
audit:
    cargo deny check licenses bans sources && cargo audit

# Statistical tests of the streams (needs TestU01)
streams:
    bash crates/engine/tests/testu01/run.sh

# Break places on purpose, one at a time, and see each caught by a test
mutants:
    .ci/mutants

# Try every control of the page of `serve` in Chromium; with --shots DIR pictures of every view
workbench *OPTIONS:
    cargo build --release && .ci/workbench ${CARGO_TARGET_DIR:-target}/release/stopwise {{OPTIONS}}

# Run the commands whose output stands in the pages, and say which lines are no longer said
outputs *PAGES:
    cargo build --release && .ci/outputs ${CARGO_TARGET_DIR:-target}/release/stopwise {{PAGES}}
