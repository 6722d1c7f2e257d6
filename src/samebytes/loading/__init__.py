"""From a library on disk to Python objects: classes, functions, constants and templates."""
