"""Lets ``python -m samebytes`` do what the command ``samebytes`` does."""

from .tools.entry import main

if __name__ == "__main__":
    main()
