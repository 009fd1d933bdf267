#!/usr/bin/env bash
# Rewrites the reference tables: every shipped policy on every preset, and the exact values. Running it again
# changes no byte. With `balance` it rewrites only those of that command, which takes seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet
stopwise=${CARGO_TARGET_DIR:-target}/release/stopwise
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Appends a table to another, with the header once; with a third argument only the rows of that metric.
append() {
  if [ ! -s "$2" ]; then head -n 1 "$1" > "$2"; fi
  tail -n +2 "$1" | if [ $# -gt 2 ]; then grep ",$3," || true; else cat; fi >> "$2"
}

# What the texts, the open readings and the point values do to CarboniteDice, and a search: see balance.md. The manifest
# holds how long it took.
balance() {
  name=$1; shift
  rm -rf "${work:?}/balance"
  "$stopwise" balance carbonite "$@" --quiet --out "$work/balance" > /dev/null
  for table in "$work/balance"/*.csv; do cp "$table" "results/balance/$name-$(basename "$table")"; done
}
rm -f results/balance/*.csv
balance readings --policy first --policy tidy --policy second-tree --rules wiki --rules readme-v1 \
  --variant doubling=false --variant multiplier=pips --variant multiplier=pips_minus_one --variant multiplier=none \
  --variant retribution=any --variant retribution=none --variant points.solid=5 --variant points.solid=9 \
  --variant points.mixed=3 --variant points.mixed=7 --variant points.single=0 --variant points.single=2 \
  --mark 500 --trials 100k
balance wish --policy first --policy second-tree --targets results/balance/targets.toml --vary-rule turns=8..10 \
  --vary-rule retribution=all,any,none --vary-rule points.solid=5..9:2 --vary-rule doubling=true,false --search 54 \
  --trials 100k
# What the search says is in two of its tables.
rm results/balance/wish-{balance,effects,overview,skill,standings}.csv
if [ "${1:-}" = balance ]; then exit; fi

# A game of Freeze Dice has 2,400 rolls: fewer games of the larger ones say as much.
for game in carbonite pig icedice freeze carcassonne; do
  case $game in carbonite | pig) trials=1M ;; *) trials=100k ;; esac
  mkdir -p "results/$game"
  rm -f "results/$game"/*.csv
  for rules in $("$stopwise" rules list "$game" | awk '{ print $2 }'); do
    for policy in $("$stopwise" policy list "$game" | awk '{ print $2 }'); do
      "$stopwise" simulate "$game" --rules "$rules" --policy "$policy" --trials "$trials" --quiet \
        --out "$work" --format csv > /dev/null
      # A turn of Freeze Dice is the time between two freezes: a table of two megabytes that says little.
      tables=(summary endings turns)
      if [ "$game" = freeze ]; then tables=(summary endings); fi
      for table in "${tables[@]}"; do append "$work/$table.csv" "results/$game/$table.csv"; done
      for metric in score win; do append "$work/distribution.csv" "results/$game/distribution.csv" "$metric"; done
    done
  done
done

# Who wins: every policy against one good one, each sitting in every seat in turn.
against() {
  game=$1; rival=$2; others=$3
  for policy in $("$stopwise" policy list "$game" | awk '{ print $2 }'); do
    if [ "$policy" = "$rival" ]; then continue; fi
    lineup=(--policy "$policy")
    for _ in $(seq "$others"); do lineup+=(--policy "$rival"); done
    "$stopwise" simulate "$game" "${lineup[@]}" --rotate --trials 100k --quiet --format csv > "$work/wins.csv"
    head -n 1 "$work/wins.csv" > "$work/head.csv"
    (cat "$work/head.csv"; grep ',,win,games,' "$work/wins.csv" || true) > "$work/all.csv"
    append "$work/all.csv" "results/$game/against-$rival.csv"
  done
}
against icedice thief 1
against freeze pile-and-clock 3
against carcassonne builder 1

# Exact values: small CarboniteDice, solo Pig, one turn of Pig, two-seat Pig, Piglet.
solve() {
  "$stopwise" solve "$@" --quiet --format csv > "$work/solve.csv"
  append "$work/solve.csv" results/exact.csv
}
rm -f results/exact.csv
for turns in 3 5 10; do
  solve carbonite --set colours=2 --set "turns=$turns" --policy first --policy tidy --policy second-tree
done
solve carbonite --set colours=3 --set copies=1 --policy first --policy tidy --policy stake
solve carbonite --set colours=4 --set copies=1
solve pig --rules solo --policy hold --policy hold:n=25
solve pig --rules solo --set turn_cap=1 --set goal=1000 --metric points --policy hold --policy hold:n=21
solve pig --policy hold --policy hold-at-25 --policy end-race-or-keep-pace
solve pig --rules piglet

# The table that people read.
{
  echo '# CarboniteDice: the shipped policies'
  echo
  echo 'Mean score with its 95 % interval, and the share of games that end early; 1,000,000 trials each, seed 1.'
  echo 'Written by `just results` from `carbonite/summary.csv` and `carbonite/endings.csv`.'
  echo
  echo '| policy | wiki | ended early | readme-v1 | ended early |'
  echo '|---|---:|---:|---:|---:|'
  # Labels may hold commas, inside quotes.
  awk '
    function fields(line,   n, inside, i, c) {
      n = 1; inside = 0; delete f
      for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") inside = !inside
        else if (c == "," && !inside) n++
        else f[n] = f[n] c
      }
    }
    { fields($0) }
    FILENAME ~ /summary/ && f[5] == "score" {
      mean[f[3], f[2]] = sprintf("%.1f ± %.1f", f[8], 1.959964 * f[9])
      if (!(f[3] in seen)) { seen[f[3]] = 1; order[++count] = f[3] }
    }
    FILENAME ~ /endings/ && f[5] == "true" { early[f[3], f[2]] += f[7] }
    END {
      for (i = 1; i <= count; i++) {
        p = order[i]
        printf "| `%s` | %s | %.1f %% | %s | %.1f %% |\n", p, mean[p, "wiki"], 100 * early[p, "wiki"], \
          mean[p, "readme-v1"], 100 * early[p, "readme-v1"]
      }
    }
  ' results/carbonite/summary.csv results/carbonite/endings.csv
} > results/carbonite.md

# The picture of the README, and pages to look at, one of each kind, which are not kept in the repository.
page() {
  "$stopwise" "${@:2}" --quiet --out "$work/page" --force > /dev/null
  cp "$work/page/report.html" "results/$1"
}
page carbonite/report.html simulate carbonite --policy policies/carbonite/second-tree.toml
page pig/report.html sweep pig --rules solo --policy hold --vary n=10..35
page icedice/report.html rank icedice --policy all
page carcassonne/report.html compare carcassonne --rules solo --policy builder --policy best-turn --trials 100k
page balance/report.html balance carbonite --policy first --policy second-tree --variant retribution=any --rules wiki --rules readme-v1
"$stopwise" compare carbonite --policy first --policy second-tree --quiet --format svg > docs/scores.svg
