"""Which tables and checks a run looks at: the globs of the configuration and of `--select` and `--exclude`. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from watchdog.model import Placed, Table


@dataclass(frozen=True)
class Selection:
    """`include` and `leave_out` are globs of tables from the configuration; `select` and `exclude` come from the command
    line and match a table, a place (`table.column`), a check's id, or a tag as `tag:x`. () = everything."""

    include: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def table(self, table: Table, declared: frozenset[str] = frozenset()) -> bool:
        """Views are looked at only when they are named: by a glob or by a declared check."""
        name = table.full_name
        if self.include and not _any(self.include, name):
            return False
        if _any(self.leave_out, name) or _any((g for g in self.exclude if not g.startswith("tag:")), name):
            return False
        globs = [g for g in self.select if not g.startswith("tag:")]
        named = name in declared or _any(self.include, name) or _any(globs, name)
        if table.kind == "view" and not named:
            return False
        # a glob of a check's id selects the tables whose checks may match it; `check` decides exactly
        return (
            not self.select or any(g.startswith("tag:") for g in self.select) or any(_reaches(g, name) for g in globs)
        )

    def left_out(self, table: str) -> str:
        """The key of the configuration that leaves a table out, "" when none does."""
        if self.include and not _any(self.include, table):
            return "include"
        return "exclude" if _any(self.leave_out, table) else ""

    def check(self, placed: Placed) -> bool:
        return (not self.select or self._matches(self.select, placed)) and not self._matches(self.exclude, placed)

    def counts(self, table: Table) -> bool:
        """Whether the table itself was selected, so that its rows are counted whatever the checks."""
        return not self.select or _any(self.select, table.full_name)

    @staticmethod
    def _matches(globs: tuple[str, ...], placed: Placed) -> bool:
        tags = {f"tag:{tag}" for tag in placed.check.tags}
        names = [placed.id, placed.place, placed.table.full_name if placed.table else ""]
        return any(_any([g], n) for g in globs for n in names if n) or any(_any([g], t) for g in globs for t in tags)


def _any(globs: Iterable[str], name: str) -> bool:
    return any(glob == name or fnmatchcase(name, glob) for glob in globs)


def _reaches(glob: str, table: str) -> bool:
    return (
        _any([glob], table)
        or glob.startswith((f"{table}.", "*"))
        or any(fnmatchcase(table, glob[:at]) for at, char in enumerate(glob) if char == ".")
    )
