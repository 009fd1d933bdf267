"""Two-seat Pig through OpenSpiel's C++ core: builds openspiel_cpp.cc if need be, and runs it.

The pip package ships the headers, and its shared object exports the core: only the one small file is compiled. The
program is kept in the virtual environment. Needs g++ (or $CXX) with C++20 and Python's shared library.
"""

import os
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

from measure import Tally, arguments, report

SOURCE = Path(__file__).with_name("openspiel_cpp.cc")
PROGRAM = Path(sys.prefix) / "bin" / "openspiel_cpp"


def build() -> None:
    """Compiles the program against the installed package."""
    site = Path(sysconfig.get_path("platlib"))
    include = [site, site / "open_spiel", site / "open_spiel/abseil-cpp", site / "open_spiel/json/include"]
    libpython = sysconfig.get_config_var("LIBDIR")
    subprocess.run(
        [os.environ.get("CXX", "g++"), "-std=c++20", "-O3", "-DNDEBUG"]
        + [f"-I{folder}" for folder in include]
        + [str(SOURCE), str(site / "pyspiel.so"), f"-Wl,-rpath,{site}"]
        + [f"-L{libpython}", f"-Wl,-rpath,{libpython}", f"-lpython{sysconfig.get_config_var('LDVERSION')}"]
        + ["-o", str(PROGRAM)],
        check=True,
    )


if __name__ == "__main__":
    args = arguments()
    if args.workload == "solo":
        sys.exit("OpenSpiel's Pig is for two to ten players")
    installed = Path(sysconfig.get_path("platlib")) / "pyspiel.so"
    if not PROGRAM.exists() or PROGRAM.stat().st_mtime < max(f.stat().st_mtime for f in (SOURCE, installed)):
        try:
            build()
        except OSError as error:
            sys.exit(f"no compiler: {error}")
        except subprocess.CalledProcessError:
            sys.exit("openspiel_cpp.cc does not compile; the compiler says why when openspiel_cpp.py is run alone")
    out = subprocess.run([PROGRAM, str(args.seconds), str(args.seed)], check=True, capture_output=True, text=True).stdout
    games, rolls, first_wins, seconds = out.split()
    report(Tally(int(games), int(rolls), first_wins=int(first_wins)), float(seconds), version("open_spiel"))
