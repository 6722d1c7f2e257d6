"""Arrays, other libraries' and our own: protocols read, views shown, mdspans, memory that C++ asks for."""
