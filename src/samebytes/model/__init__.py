"""What was read of C++: functions, records and constants, what parameters mean, and what a call stores for each."""
