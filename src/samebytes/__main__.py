"""Lets ``python -m samebytes`` do what the command ``samebytes`` does."""

from .tools.cli import main

if __name__ == "__main__":
    main(prog_name="samebytes")
