"""The command `stopwise`: `python -m stopwise simulate pig --policy hold`."""

from __future__ import annotations

import signal
import sys

from stopwise import _core


def main() -> None:
    """Does what the program does with these arguments, and ends the process as it does."""
    # The program hears Ctrl-C itself. Where it is ignored, as in the background of a script, it stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_core.run(["stopwise", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
