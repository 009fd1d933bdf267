#!/usr/bin/env bash
# Puts the words of the stream contract through a TestU01 battery and prints the summaries.
#
#     run.sh [SmallCrush|Crush [ORDER|all [plain|reversed|both [OFFSET]]]]
#
# Without arguments: SmallCrush over all orders, both ways. OFFSET is added to every seed. Exit status 1 if a
# p-value lies outside [1e-4, 1 - 1e-4].
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../../../.."
target=${CARGO_TARGET_DIR:-target}

battery=${1:-SmallCrush}
orders=${2:-all}
bits=${3:-both}
offset=${4:-0}
[ "$orders" != all ] || orders="trials first-words seats seeds neighbours mixed"
[ "$bits" != both ] || bits="plain reversed"

cargo build --quiet --locked --release --package stopwise-engine --example words
gcc -O2 -Wall -Wextra -o "$target/battery" "$here/battery.c" -ltestu01 -ltestu01probdist -ltestu01mylib -lm

status=0
for order in $orders; do
    for bit in $bits; do
        echo "### $battery, order $order, bits $bit, seed offset $offset"
        reversed=()
        [ "$bit" = plain ] || reversed=("$bit")
        # The time is the one thing that differs from machine to machine.
        "$target/release/examples/words" "$order" "$offset" |
            "$target/battery" "$battery" "${reversed[@]}" |
            sed '/Total CPU time/d' | cat -s || status=1
    done
done
exit "$status"
