"""The time of the run in rules: `:now` compares as time whatever the form of a column, SQLite's own "now" follows --now."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchdog.clock import misused
from watchdog.errors import ConfigError
from watchdog.model import CheckSpec, Result
from watchdog.pipeline import scan
from watchdog.sql import literal, user_sql

NOW = datetime(2021, 3, 4, 5, 6, 7, 891_234, tzinfo=UTC)  # far from the clock
THEN = "'2021-03-04 05:06:07.891'"

FORMS: dict[str, Callable[[datetime], Any]] = {
    "blank": lambda t: t.strftime("%Y-%m-%d %H:%M:%S"),
    "T": lambda t: t.strftime("%Y-%m-%dT%H:%M:%S"),
    "fraction": lambda t: t.isoformat("T", "milliseconds").removesuffix("+00:00"),
    "Z": lambda t: t.strftime("%Y-%m-%dT%H:%M:%SZ"),
    "offset": lambda t: (t + timedelta(hours=5)).strftime("%Y-%m-%dT%H:%M:%S+05:00"),
    "seconds": lambda t: int(t.timestamp()),
    "milliseconds": lambda t: int(t.timestamp() * 1_000),
    "microseconds": lambda t: int(t.timestamp()) * 1_000_000,
    "julian": lambda t: t.timestamp() / 86_400 + 2440587.5,
}


def run(path: Path, rule: dict[str, Any], check: str = "expression_is_true", **more: Any) -> Result:
    spec = CheckSpec(check, None if check == "query" else "t", (), rule, file="config.yaml", line=7)
    (result,) = (
        r for r in scan(path, specs=[spec], infer=False, now=NOW, **more).results if r.check == check
    )
    return result


# ---------------------------------------------------------------- :now


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "expression", ["at <= :now", ":now >= at", '"at" <= (:now)', "t.at BETWEEN '1990-01-01' AND :now", "NOT at > :now"]
)
def test_now_compares_as_time_with_every_known_form(database: Callable[..., Path], form: str, expression: str) -> None:
    written = FORMS[form]
    times = [NOW + timedelta(minutes=m) for m in (-2_000, -2, 2, 2_000)]
    cells = ", ".join(f"({literal(written(t))})" for t in times)
    path = database("CREATE TABLE t(id INTEGER PRIMARY KEY, at)", f"INSERT INTO t(at) VALUES {cells}")
    assert run(path, {"expression": expression}).judgement.count == 2
    late = run(path, {"sql": "SELECT * FROM t WHERE at > :now"}, "query")
    assert late.judgement.count == 2
    scoped = run(path, {"expression": "0", "where": "at < :now"})
    assert (scoped.judgement.count, scoped.judgement.rows) == (2, 2)


def test_a_day_alone_counts_from_its_midnight(database: Callable[..., Path]) -> None:
    path = database("CREATE TABLE t(at)", "INSERT INTO t VALUES ('2021-03-03'), ('2021-03-04'), ('2021-03-05')")
    assert run(path, {"expression": "at <= :now"}).judgement.count == 1


def test_datetime_of_now_beside_a_column_compares_as_time_too(database: Callable[..., Path]) -> None:
    path = database(
        "CREATE TABLE t(at)", "INSERT INTO t VALUES ('2021-03-01T04:00:00'), ('2021-03-01T06:00:00'), ('2021-03-02T00:00:00')"
    )
    assert run(path, {"expression": "at >= datetime(:now, '-3 days')"}).judgement.count == 1


def rules(condition: str) -> list[tuple[str, dict[str, Any]]]:
    """A condition in each of the places where SQL of the user stands."""
    return [
        ("expression_is_true", {"expression": condition}),
        ("expression_is_true", {"expression": "1", "where": condition}),
        ("unique_combination_of_columns", {"columns": ["at", "kind"], "where": condition}),
        ("query", {"sql": f"SELECT * FROM t WHERE {condition}"}),
        ("query", {"sql": "SELECT * FROM t", "where": condition}),
    ]


UNREADABLE = [
    "31.12.2027", "20270301T090000", "2027-03-01 09:00:00 UTC", "1803859201", "soon", "", "2026-02-30", b"2020-01-01", 5,
]  # fmt: skip


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
@pytest.mark.parametrize("cell", UNREADABLE)
def test_what_is_no_time_is_no_silent_pass(database: Callable[..., Path], tmp_path: Path, cell: Any, zone: str) -> None:
    from watchdog.config import load_config

    path = database("CREATE TABLE t(at, kind)", f"INSERT INTO t VALUES ('2021-01-01', 1), ({literal(cell)}, 2), (NULL, 3)")
    config = tmp_path / "config.yaml"
    config.write_text(f"watchdog: 1\nsources: {{s: {{path: {path}, infer: false, time_zone: {zone}}}}}\n")
    for condition in ("at <= :now", "at > :now", "NOT at BETWEEN '2000-01-01' AND :now", "at >= datetime(:now, '-3 days')"):
        for check, rule in rules(condition):
            spec = CheckSpec(check, None if check == "query" else "t", (), rule)
            seen = scan("s", config=load_config(config), specs=[spec], now=NOW)
            (result,) = (r for r in seen.results if r.check == check)
            assert result.status == "error" and seen.exit_code() == 3
            assert "could not look: a value of at cannot be read as a time beside `:now`" in result.judgement.message


def test_a_value_that_decides_nothing_may_be_no_time(database: Callable[..., Path]) -> None:
    path = database(
        "CREATE TABLE t(at, kind)", "INSERT INTO t VALUES ('2021-01-01', 'day'), ('soon', 'word'), ('2030-01-01', 'day')"
    )
    assert run(path, {"expression": "at <= :now", "where": "kind = 'day'"}).judgement.count == 1
    assert run(path, {"expression": "kind = 'word' OR at <= :now"}).judgement.count == 1
    assert run(path, {"expression": "kind = 'day'", "where": "kind = 'day' AND at <= :now"}).judgement.rows == 1
    assert run(path, {"sql": "SELECT * FROM t WHERE kind = 'day' AND at > :now"}, "query").judgement.count == 1


def test_one_rule_that_cannot_look_costs_the_others_nothing_and_the_sql_shown_is_plain(database: Callable[..., Path]) -> None:
    path = database("CREATE TABLE t(at, due)", "INSERT INTO t VALUES ('2021-01-01', 'soon'), ('2030-01-01', 'later')")
    specs = [
        CheckSpec("expression_is_true", "t", (), {"expression": f"{name} <= :now", "where": "at > 0", "name": name})
        for name in ("at", "due")
    ]
    seen = scan(path, specs=specs, infer=False, now=NOW)
    assert {r.name: r.status for r in seen.results if r.check == "expression_is_true"} == {"at": "failed", "due": "error"}
    (found,) = seen.findings
    base = sqlite3.connect(path)
    assert len(base.execute(found.sql).fetchall()) == found.count == 1
    base.close()


def test_a_time_without_an_offset_is_of_the_zone_of_the_source(database: Callable[..., Path], tmp_path: Path) -> None:
    from watchdog.config import load_config

    path = database(
        "CREATE TABLE t(at)",
        "INSERT INTO t VALUES ('2021-03-04T14:00:00'), ('2021-03-04 14:10:00')",
        "INSERT INTO t VALUES ('2021-03-04T05:00:00Z'), ('2021-03-04T05:10:00Z')",
    )
    config = tmp_path / "config.yaml"
    config.write_text(
        f"watchdog: 1\nsources: {{s: {{path: {path}, infer: false, time_zone: Asia/Tokyo, tables: {{t: {{checks: "
        "[{expression_is_true: {expression: 'at <= :now'}}]}}}}\n"
    )
    (found,) = scan("s", config=load_config(config), now=NOW).findings
    assert [s.rowid for s in found.samples] == [2, 4]


@pytest.mark.parametrize(
    "expression",
    [
        "at + 3 < :now", "at < :now - 3", "at < :now || ''", "max(at, :now) > 0", "at LIKE :now", "at IN (:now)",
        "coalesce(at, :now) > at", "CASE WHEN at THEN :now END > at", "(at, 1) < (:now, 1)", "at + 1 BETWEEN 0 AND :now",
        "at IS NOT :now", "at IS DISTINCT FROM :now", "at BETWEEN :now - 1 AND 5",
        "at > (SELECT :now)", "at > (SELECT n FROM (SELECT :now AS n))", ":now", "at > (VALUES (:now))",
        "EXISTS (WITH n(x) AS (VALUES (:now)) SELECT 1 FROM n WHERE at > x)", "at > n FROM (SELECT *, :now AS n FROM t)",
    ],
)  # fmt: skip
def test_now_as_mere_text_is_refused_with_what_to_write(database: Callable[..., Path], expression: str) -> None:
    path = database("CREATE TABLE t(at)", "INSERT INTO t VALUES (1)")
    for check, rule in (
        ("expression_is_true", {"expression": expression}),
        ("expression_is_true", {"expression": "1", "where": expression}),
        ("query", {"sql": f"SELECT * FROM t WHERE {expression}"}),
    ):
        with pytest.raises(ConfigError, match=r"^config.yaml:7: .*`:now` has to stand beside a column.*write created_at <= :now"):
            run(path, rule, check)


@pytest.mark.parametrize(
    "expression",
    [
        "julianday(at) < julianday(:now, '-3 days')", "date(at) < date(:now)", "julianday(coalesce(at, :now)) > 0", "at = ':now'",
        "at < :now AND at > :now OR NOT (at = :now)", "substr(at, 1, 10) <= date(:now, '+8 hours')", "datetime(at) <= :now",
        "SELECT at < :now, at FROM t WHERE at < :now ORDER BY 1", "CASE WHEN at < :now THEN 1 ELSE 0 END",
        "(at -> '$.a') < :now AND \"?\" = '?' -- ?",
    ],
)  # fmt: skip
def test_now_is_taken_where_it_is_a_time(expression: str) -> None:
    assert misused(expression) == ""


@pytest.mark.parametrize("parameter", [":NOW", "$now", "@now", "?", "?1", ":nowx", ":now2", ":then", ":", "@"])
def test_any_other_parameter_is_refused_by_name(database: Callable[..., Path], parameter: str) -> None:
    path = database("CREATE TABLE t(at, kind)", "INSERT INTO t VALUES (1, 1)")
    for check, rule in rules(f"at <= {parameter}"):
        with pytest.raises(ConfigError, match=r"^config.yaml:7: .* has no value: the one parameter is `:now`") as refused:
            run(path, rule, check)
        assert repr(parameter) in str(refused.value)


# ---------------------------------------------------------------- SQLite's own now


@pytest.mark.parametrize(
    ("spelled", "explicit"),
    [
        ("date('now')", f"date({THEN})"),
        ("DATE ( /* today */ 'NOW' )", f"date({THEN})"),
        ('"date"(\'now\')', f"date({THEN})"),
        ("date()", f"date({THEN})"),
        ("time('now')", f"time({THEN})"),
        ("datetime()", f"datetime({THEN})"),
        ("datetime('now', '-1 day', 'start of month')", f"datetime({THEN}, '-1 day', 'start of month')"),
        ("datetime('now', 'localtime')", f"datetime({THEN}, 'localtime')"),
        ("julianday('now')", f"julianday({THEN})"),
        ("strftime('%s', 'now')", f"strftime('%s', {THEN})"),
        ("strftime('%Y-%m-%d %H:%M:%f')", f"strftime('%Y-%m-%d %H:%M:%f', {THEN})"),
        ("strftime('%s', 'now', '-3 days')", f"strftime('%s', {THEN}, '-3 days')"),
        ("unixepoch()", f"unixepoch({THEN})"),
        ("unixepoch('now')", f"unixepoch({THEN})"),
        ("CURRENT_TIMESTAMP", f"datetime({THEN})"),
        ("current_date", f"date({THEN})"),
        ("Current_Time", f"time({THEN})"),
        ("date(CURRENT_TIMESTAMP, '+1 day')", f"date({THEN}, '+1 day')"),
        ("date(lower('NOW'))", f"date({THEN})"),
        ("date(coalesce(empty, 'now'))", f"date({THEN})"),
        ("date(word)", f"date({THEN})"),
        ("date(day)", "date('2020-02-29')"),
        ("julianday('now') - julianday(day)", f"julianday({THEN}) - julianday('2020-02-29')"),
        ("date('2020-02-29')", "date('2020-02-29')"),
        ("'now' || current_date", f"'now' || date({THEN})"),
        ("datetime(1e9, 'unixepoch')", "datetime(1e9, 'unixepoch')"),
        ("datetime(:now)", "'2021-03-04 05:06:07'"),
    ],
)  # fmt: skip
def test_every_now_of_sqlite_is_the_time_of_the_run(spelled: str, explicit: str) -> None:
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t(empty, word, day, current_day)")
    base.execute("INSERT INTO t VALUES (NULL, 'nOw', '2020-02-29', 1)")
    got, wanted = base.execute(f"SELECT {user_sql(spelled, NOW)}, {explicit} FROM t").fetchone()
    base.close()
    assert got == wanted is not None


_CELLS = st.one_of(
    st.none(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False),
    st.sampled_from(["", "12:00", "2020-01-01T00:00Z"]),
    st.binary(max_size=4),
)
_CALLS = ["date(x)", "time(x)", "datetime(x, '+1 day')", "julianday(x)", "strftime('%s', x)", "unixepoch(x)"]


@given(_CELLS, st.sampled_from(_CALLS))
def test_a_date_function_gives_for_every_other_cell_what_it_always_gives(cell: Any, call: str) -> None:
    base = sqlite3.connect(":memory:")
    got = base.execute(f"SELECT {user_sql(call, NOW)}, {call} FROM (SELECT ? AS x)", (cell,)).fetchone()
    base.close()
    assert got[0] == got[1]


@pytest.mark.parametrize("check", ["expression", "where", "query"])
def test_rules_follow_the_time_of_the_run_and_not_the_clock(database: Callable[..., Path], check: str) -> None:
    path = database("CREATE TABLE t(at)", "INSERT INTO t VALUES ('2021-03-03'), ('2021-03-04'), ('2021-03-05')")
    for today in ("date('now')", "current_date", "date()", "strftime('%Y-%m-%d', 'now')"):
        if check == "query":
            result = run(path, {"sql": f"SELECT * FROM t WHERE at > {today}"}, "query")
        elif check == "where":
            result = run(path, {"expression": "0", "where": f"at > {today}"})
        else:
            result = run(path, {"expression": f"at <= {today}"})
        assert result.judgement.count == 1


def test_a_view_that_reads_the_clock_is_given_the_time_of_the_run(database: Callable[..., Path]) -> None:
    path = database(
        "CREATE TABLE t(at)",
        "INSERT INTO t VALUES ('2021-03-03'), ('2021-03-04'), ('2021-03-05')",
        "CREATE VIEW \"to come\"(at, day) AS SELECT at, date('now') FROM t WHERE at > date('now') /* 'now' */",
        'CREATE VIEW outer_one AS SELECT * FROM "to come"',
        "CREATE VIEW IF NOT EXISTS stamp AS SELECT CURRENT_TIMESTAMP AS s",
    )
    before = path.read_bytes()
    for name in ('"to come"', "outer_one"):
        assert run(path, {"sql": f"SELECT * FROM {name} WHERE day = '2021-03-04'"}, "query").judgement.count == 1
    assert run(path, {"sql": "SELECT * FROM stamp WHERE s = '2021-03-04 05:06:07'"}, "query").judgement.count == 1
    seen = scan(path, specs=[CheckSpec("not_null", "to come", ("at",))], infer=False, now=NOW)
    assert seen.rows["to come"] == 1
    assert path.read_bytes() == before


def test_a_generated_column_cannot_read_the_clock_and_says_so(database: Callable[..., Path]) -> None:
    path = database(
        "CREATE TABLE t(a, day AS (a))",
        "INSERT INTO t(a) VALUES ('2021-03-03'), ('now')",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE t(a, day AS (date(a)))'",
    )
    result = run(path, {"expression": "day <= date('now')"})
    assert result.status == "error" and "non-deterministic use of date()" in result.judgement.message


# ---------------------------------------------------------------- fixed bounds


@pytest.mark.parametrize("declared", ["DATE", "DATETIME", "TIMESTAMP", "TEXT"])
@pytest.mark.parametrize(
    ("bound", "advice"),
    [
        (":now", "no fixed value: write not_future"),
        ("date('now')", "no fixed value: write not_future"),
        ("CURRENT_DATE", "no fixed value: write not_future"),
        ("01.03.2026", "write 2026-03-01"),
        ("3/1/2026", "write 2026-03-01"),
        ("2026/03/01", "write 2026-03-01"),
        ("$now", "no fixed value: write not_future"),
        ("2026-02-30", "write 2026-03-01"),
        ("9999-99-99", "write 2026-03-01"),
        ("2026-3-1", "write 2026-03-01"),
        (" 2026-05-01", "write 2026-03-01"),
        ("2026-05-01T25:00", "write 2026-03-01"),
    ],
)
def test_a_bound_that_no_date_can_be_compared_with_is_a_mistake(
    database: Callable[..., Path], declared: str, bound: str, advice: str
) -> None:
    path = database(f"CREATE TABLE t(at {declared})", "INSERT INTO t VALUES ('2026-01-01')")
    for option in ("min", "max"):
        spec = CheckSpec("accepted_range", "t", ("at",), {option: bound}, file="config.yaml", line=7)
        with pytest.raises(ConfigError, match=r"^config.yaml:7: ") as refused:
            scan(path, specs=[spec], infer=False)
        assert advice in str(refused.value)


_MINUTES = st.integers(-6_000, 6_000)
_SPELLED = st.sampled_from(["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S+14:00"])


@given(_MINUTES, _SPELLED, st.lists(st.tuples(_MINUTES, _SPELLED), min_size=1, max_size=9), st.booleans())
def test_a_bound_of_dates_compares_as_time_whichever_way_both_are_spelled(
    minutes: int, spelled: str, cells: list[tuple[int, str]], inclusive: bool
) -> None:
    from watchdog.model import Catalog, Column, Placed, Table
    from watchdog.plugins import bind
    from watchdog.sql import speak

    bound, *values = [(NOW + timedelta(minutes=m)).strftime(form) for m, form in [(minutes, spelled), *cells]]
    zone = timedelta(hours=9)

    def moment(text: str) -> datetime:
        read = datetime.fromisoformat(text)
        return read if read.tzinfo else read.replace(tzinfo=UTC) - zone

    column = Column("t", "x", "text", "TEXT", True, 0)
    table = Table("", "t", "table", (column,))
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t(x TEXT)")
    base.executemany("INSERT INTO t VALUES (?)", [(v,) for v in values])
    for option in ("min", "max"):
        spec = CheckSpec("accepted_range", "t", ("x",), {option: bound, "inclusive": inclusive})
        check: Any = bind(spec)
        at = Placed("", "", check, "", spec, table, (column,), Catalog("", NOW, (table,)), NOW, "Asia/Tokyo")
        got = [bool(b) for (b,) in base.execute(f"SELECT {speak(check.predicate(at), 'sqlite', NOW)} FROM t")]
        out = [moment(v) < moment(bound) if option == "min" else moment(v) > moment(bound) for v in values]
        assert got == [o or (not inclusive and moment(v) == moment(bound)) for o, v in zip(out, values, strict=True)]
    base.close()


@pytest.mark.parametrize("bound", ["0001-01-01", "9999-12-31", "0001-01-01T00:00+09:00", "9999-12-31T23:59:59.999-09:00"])
def test_the_ends_of_the_calendar_are_bounds_too(database: Callable[..., Path], bound: str) -> None:
    path = database("CREATE TABLE t(at)", "INSERT INTO t VALUES ('2021-01-01'), ('2021-01-01T10:00')")
    spec = CheckSpec("accepted_range", "t", ("at",), {"max": bound})
    for zone in ("UTC", "Asia/Tokyo"):
        from watchdog.config import SourceConfig
        from watchdog.pipeline.face import scan_settings
        from watchdog.pipeline.options import Options

        settings = SourceConfig(name="s", line=None, path=path, time_zone=zone)
        seen = scan_settings(settings, Options(infer=False, now=NOW, specs=(spec,)))
        (result,) = (r for r in seen.results if r.check == "accepted_range")
        assert result.judgement.count == (2 if bound.startswith("0001") else 0)


@pytest.mark.parametrize(
    ("bound", "fine"),
    [
        ("2026", False), ("2026-03", False), ("2026-03-01", True), ("2026-03-01T12:00:00Z", True), ("2026-03-01 12:00", True),
        ("2026-02-30", False), ("yesterday", False), ("2026-3-1", False), ("", False), ("1 Mar 2026", False), ("20260301", False),
    ],
)  # fmt: skip
def test_a_text_bound_of_a_column_of_dates_has_to_be_a_date(database: Callable[..., Path], bound: str, fine: bool) -> None:
    path = database("CREATE TABLE t(at DATE, name TEXT)", "INSERT INTO t VALUES ('2025-01-01', 'a')")
    spec = CheckSpec("accepted_range", "t", ("at",), {"max": bound})
    if fine:
        assert scan(path, specs=[spec], infer=False).exit_code() == 0
    else:
        with pytest.raises(ConfigError, match=r"is no da(y|te): write "):
            scan(path, specs=[spec], infer=False)
