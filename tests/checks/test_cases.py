"""The cases of each check: `<check>.yaml` beside this file, each a small table, a check and what it has to say.

A case reads
    table: {column: [cells]}          cells of one table `t`; `tables:` holds several, the first of them is looked at
    declare: {column: SQL type}       none by default, so that cells stay what they are; `table.column` for other tables
    ddl: [SQL]                        after the rows are in
    on: [columns]                     where the check stands: by default the first column; [] = the table, database = the file
    options: {}                       of the check
    time_zone, now                    of the source, of the run (2026-05-01T12:00:00Z)
    expect: {status, count, rows, evaluated, severity, says, keys, value, ...} or {mistake: part of the ConfigError}
`!blob 00ff` and `!bytes ff61` (text of these bytes) say what YAML cannot. `keys` are the row ids of the failing rows.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from watchdog.config import SourceConfig
from watchdog.errors import ConfigError
from watchdog.model import CheckSpec
from watchdog.pipeline.face import scan_settings
from watchdog.pipeline.options import Options
from watchdog.plugins import check_names

HERE = Path(__file__).parent
NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
KEYS = {"table", "tables", "declare", "ddl", "on", "options", "time_zone", "now", "expect"}


class Bytes(bytes):
    """Text of these bytes, be they text or not."""


def _yaml() -> YAML:
    yaml = YAML(typ="safe", pure=True)
    yaml.constructor.add_constructor("!blob", lambda c, node: bytes.fromhex(c.construct_scalar(node)))
    yaml.constructor.add_constructor("!bytes", lambda c, node: Bytes.fromhex(c.construct_scalar(node)))
    return yaml


def _cases() -> Iterator[Any]:
    for file in sorted(HERE.glob("*.yaml")):
        for name, case in _yaml().load(file).items():
            yield pytest.param(file.stem, case, id=f"{file.stem}: {name}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _cell(value: Any) -> str:
    return f"CAST(x'{value.hex()}' AS TEXT)" if isinstance(value, Bytes) else "?"


def _build(path: Path, case: dict[str, Any]) -> dict[str, dict[str, list[Any]]]:
    """The database of a case; its tables by name."""
    tables: dict[str, dict[str, list[Any]]] = case.get("tables") or {"t": case["table"]}
    declared = case.get("declare", {})
    base = sqlite3.connect(path, isolation_level=None)
    for name, columns in tables.items():
        types = {c: declared.get(f"{name}.{c}", declared.get(c, "")) for c in columns}
        own = ", ".join(f"{_quoted(c)} {types[c]}" for c in columns)
        more = "".join(f", {text}" for text in declared.get(name, []))
        base.execute(f"CREATE TABLE {_quoted(name)}({own}{more})")
        for row in itertools.zip_longest(*columns.values()):
            slots = ", ".join(_cell(value) for value in row)
            base.execute(f"INSERT INTO {_quoted(name)} VALUES ({slots})", [v for v in row if not isinstance(v, Bytes)])
    for statement in case.get("ddl", ()):
        base.execute(statement)
    base.close()
    return tables


@pytest.mark.parametrize(("check", "case"), list(_cases()))
def test_case(check: str, case: dict[str, Any], tmp_path: Path) -> None:
    assert case.keys() <= KEYS, f"a case has no {sorted(case.keys() - KEYS)}"
    path = tmp_path / "case.db"
    tables = _build(path, case)
    table = next(iter(tables))
    on = case.get("on", [next(iter(tables[table]))])
    place = (None, ()) if on == "database" else (table, tuple(on))
    spec = CheckSpec(check, *place, case.get("options", {}), file="config.yaml", line=7)
    settings = SourceConfig(name="case", line=None, path=path, time_zone=case.get("time_zone", "UTC"))
    now = datetime.fromisoformat(case["now"]) if "now" in case else NOW
    expect = dict(case["expect"])
    if "mistake" in expect:
        with pytest.raises(ConfigError) as caught:
            scan_settings(settings, Options(infer=False, now=now, specs=(spec,)))
        assert expect["mistake"] in caught.value.message
        assert caught.value.message.startswith("config.yaml:7: ")
        return
    run = scan_settings(settings, Options(infer=False, now=now, specs=(spec,), samples=50))
    (result,) = (r for r in run.results if r.check == check and r.origin == "declared")
    found = next((f for f in run.findings if f.id == result.id), None)
    judged = result.judgement
    told: dict[str, Any] = {
        **{k: getattr(judged, k) for k in ("status", "count", "rows", "not_evaluated", "evaluated", "value", "unit")},
        **judged.extra,
        "severity": result.severity.label,
        "id": result.id,
    }
    says = expect.pop("says", "")
    assert says in judged.message, judged.message
    if "keys" in expect:
        told["keys"] = [s.rowid for s in found.samples] if found else []
    assert {k: told.get(k) for k in expect} == expect, judged.message
    if judged.status == "failed" and "keys" not in expect and found and found.sql:
        assert len(found.samples) == judged.count, "as many rows are listed as were counted"


@pytest.mark.parametrize("check", check_names())
def test_each_check_has_its_cases(check: str) -> None:
    file = HERE / f"{check}.yaml"
    assert file.is_file(), f"a check comes with its cases: {file.name}"
    told = [case["expect"].get("status") for case in _yaml().load(file).values()]
    assert {"failed", "passed"} <= set(told)
