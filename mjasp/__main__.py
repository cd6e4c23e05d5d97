"""`python -m mjasp`: the command line."""

from mjasp.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
