"""samebytes."""
