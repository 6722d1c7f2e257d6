"""C++ types as types of samebytes."""
