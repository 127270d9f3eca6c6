"""python -m ricordo does what ricordo does."""

from ricordo.cli.main import main

if __name__ == "__main__":
    main()
