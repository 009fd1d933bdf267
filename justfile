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
    cargo run -q -p stopwise-report --example pages -- target/pages && .ci/pages target/pages {{FOLDERS}}

# Rewrite the signature after a change of rules, sampling or streams: say so in the commit's trailer
signature:
    UPDATE_GOLDEN=1 cargo test -p stopwise --test contract signature

# Rewrite the reference tables, and pages to look at beside them
results:
    bash results/regenerate.sh

# Fuzz the readers of policies and rules for five minutes each
fuzz:
    cd crates/policy && cargo +nightly fuzz run policy -- -max_total_time=300 && cargo +nightly fuzz run rules -- -max_total_time=300

# Broken texts, odd command lines, signals, full disks, little memory: five minutes of them, or `just attack --minutes 20`
attack *OPTIONS:
    cargo build --release && python3 .ci/attack ${CARGO_TARGET_DIR:-target}/release/stopwise {{OPTIONS}}

# Licences, and known defects of what the program is built from (needs cargo-deny and cargo-audit)
audit:
    cargo deny check licenses bans sources && cargo audit

# Statistical tests of the streams (needs TestU01)
streams:
    bash crates/engine/tests/testu01/run.sh

# Break places on purpose, one at a time, and see each caught by a test
mutants:
    .ci/mutants
