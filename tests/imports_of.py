"""Reads syntax trees: what a piece of code imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def imports_of(node: ast.AST) -> Iterator[str]:
    """Dotted names, wherever in the code they stand. What only type checkers read is left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            yield from (name for other in child.orelse for name in imports_of(ast.Module([other], [])))
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield from (f"{'.' * child.level}{child.module or ''}.{alias.name}" for alias in child.names)
        else:
            yield from imports_of(child)
