"""samebytes: call native C++ from Python with the same bytes on both sides."""
