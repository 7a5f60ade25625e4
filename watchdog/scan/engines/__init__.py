"""How the words of a scan are answered: one file an engine."""
