"""The checks, one file each: the file's name is the check's name, its docstring the documentation."""
