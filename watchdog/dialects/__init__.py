"""How each engine pronounces the words of `sql.py`: one file an engine."""
