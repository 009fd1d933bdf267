"""Plans that are worth interrupting."""

# Longer than anybody waits; with and without shared pieces, alone and with seats.
LONG = [
    "simulate carbonite -p tidy -n 1e15",
    "simulate carbonite -p tidy -n 1e15 --runner trial",
    "simulate pig -p hold -p hold-at-25 --rotate -n 1e15",
    "simulate freeze --set steps=60000 --set players=8 -p always -n 1e6",
    "simulate pig --set sides=64 --set turn_cap=60000 -p never.toml -n 1e6",
    "simulate pig --set sides=64 --set turn_cap=20000 -p never.toml -n 1e7 --trials-out rows.csv",
    "simulate pig --set sides=64 --set turn_cap=20000 -p never.toml -n 1e7 --runner lanes",
    "simulate pig --rules solo --set sides=64 --set turn_cap=9000 -p never.toml -n 1e9 --trials-out rows.parquet",
    "simulate carcassonne --rules solo -p best-turn -n 1e9 --format json",
    "compare carbonite -p tidy -p first -n 1e15 --divergent 3",
    "compare carbonite -p tidy -p first -n 1e15 --until-width 1e-9 --format json",
    "compare pig -p hold -p hold-at-25 --rotate -n 1e15 --until-decided 0",
    "compare icedice -p thief -p racer -n 1e15 --budget 1h",
    "rank pig --rules solo -p hold --vary n=15..25 -n 1e9 --resolution 1e-9",
    "rank carbonite -p all -n 1e9 --aim best --resolution 1e-9",
    "rank pig -p hold:n=20 -p hold:n=21 -p hold-at-25 -n 1e9",
    "rank freeze -p always -p never --vary k=1..40 -n 1e6",
    "sweep pig --rules solo -p hold --vary n=1..9999 -n 5k",
    "sweep carbonite -p first --vary k=1..9 --vary-rule turns=2..9 -n 20k --paired 2k --format csv",
    "sweep icedice -p stop-at --vary n=1..3 -n 1e9",
    "balance carbonite --variant turns=5 -p first -p tidy -n 1e15",
    "balance pig -p hold -p hold-at-25 --vary-rule goal=40..120 -n 1e6 --format markdown",
    "balance carbonite --vary-rule turns=5..10 --vary-rule retribution=all,any -p first -p tidy --search 12 "
    "--targets wish.toml -n 1e9",
]
SOLVES = ["solve carcassonne --rules solo", "solve pig", "solve carbonite --max-states 20M -p tidy",
          "solve freeze -p never --max-states 20M", "solve icedice --max-states 20M"]
# A moment's work, that writes all its files.
QUICK = [
    "simulate carbonite -p tidy -n 30k", "simulate pig -p hold -p hold-at-25 --rotate -n 20k --format csv",
    "compare carbonite -p tidy -p first -n 20k", "compare pig -p hold -p hold:n=25 -n 20k --format json",
    "rank pig --rules solo -p hold --vary n=15..25 -n 20k", "rank pig -p hold:n=20 -p hold:n=21 -p hold-at-25 -n 3k",
    "sweep pig --rules solo -p hold --vary n=15..25 -n 3k --paired 1k", "sweep carbonite -p first --vary k=1..3 -n 5k --format csv",
    "balance carbonite --variant turns=5 -p first -p tidy -n 5k", "balance pig -p hold -p hold-at-25 --variant goal=50 -n 3k",
]
# Some seconds' work, with check points on the way, in one stage and in many.
RESUMED = [
    "simulate carbonite -p tidy -n 4M --runner trial", "simulate pig -p hold -p hold-at-25 --rotate -n 8M",
    "compare carbonite -p tidy -p first -n 2M --divergent 3", "compare pig -p hold -p hold-at-25 --until-width 0.001 -n 3M",
    "sweep carbonite -p tidy --vary k=1..6 -n 1M", "rank carbonite -p all -n 1M --resolution 0.001 --fresh 1M",
    "rank pig -p hold -p hold-at-25 -p four-scoring-turns -n 1M",
    "balance pig -p hold -p hold-at-25 --variant goal=50 --close points=10 -n 500k",
]
NEVER = 'game = "pig"\nname = "never"\nsummary = "Roll on."\nstop = "turn > 1000000"\n'
WISH = '"skill" = "at least 1"\n"mean turns" = "5 to 9"\n'


def furnish(folder):
    """The files that plans name."""
    (folder / "wish.toml").write_text(WISH)
    (folder / "never.toml").write_text(NEVER)
