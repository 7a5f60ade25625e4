"""What is there: tables, columns and keys of an open source, one file an engine."""
