"""The machine code that everything else is made of: reading and writing places, bit-fields, exceptions."""
