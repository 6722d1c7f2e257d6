"""What libclang is asked, and how: its kinds, cursors, types, comments and complaints."""
