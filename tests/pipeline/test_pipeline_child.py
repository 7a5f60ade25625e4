"""A scan in a process of its own: it gives the same result, imports nothing from the folder, and can always be ended."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from watchdog.errors import UsageError
from watchdog.pipeline import Options, scan, settings_of
from watchdog.pipeline.child import scan_in_child
from watchdog.pipeline.face import scan_settings
from watchdog.pipeline.scanning import scan_source

LINUX = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked up in /proc")
WILD = "^(a+)+$"
HELD = "a" * 40 + "!"  # WILD never ends on it
SCRIPT = str(Path(sys.executable).with_name("watchdog"))
Make = Callable[..., Path]


@pytest.fixture
def shop(database: Make) -> Path:
    """20 orders; on the e-mail of order 7 the pattern WILD never ends."""
    return database(
        "CREATE TABLE orders(id INTEGER PRIMARY KEY, email TEXT, note TEXT)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20)"
        f" INSERT INTO orders SELECT i, iif(i = 7, '{HELD}', 'aaa'), iif(i = 3, 'b', 'aaa') FROM n",
        name="shop.db",
    )


@pytest.fixture
def config(shop: Path, tmp_path: Path) -> Callable[[str], Path]:
    """A config.yaml beside nothing else, with these rules for the table `orders`."""

    def write(rules: str) -> Path:
        file = tmp_path / "rules.yaml"
        file.write_text(
            f"watchdog: 1\nsources:\n  shop:\n    path: {shop}\n    infer: false\n    tables: {{orders: {rules}}}\n"
        )
        return file

    return write


def part_that_is_the_same(text: str) -> dict[str, object]:
    told = json.loads(text)
    told.pop("run")
    return told  # type: ignore[no-any-return]


def test_a_scan_says_the_same_wherever_it_runs(shop: Path, config: Callable[[str], Path]) -> None:
    base = sqlite3.connect(shop)
    base.execute("UPDATE orders SET email = 'b' WHERE id = 7")
    base.commit()
    base.close()
    settings = settings_of(shop, None)
    here = scan_source(settings, Options())
    runs = [
        scan_settings(settings, Options(), own_process=True),
        scan_in_child(settings, Options(), ""),
        scan_in_child(settings, Options(), "", copy=True),
    ]
    assert {json.dumps(part_that_is_the_same(run.to_json())) for run in [here, *runs]} == {
        json.dumps(part_that_is_the_same(here.to_json()))
    }


def test_progress_of_a_child_is_told_here(shop: Path) -> None:
    for copy in (False, True):
        heard: list[tuple[str, int, int]] = []
        told = Options(progress=lambda *word, heard=heard: heard.append(word))  # type: ignore[misc]
        scan_in_child(settings_of(shop, None), told, "", copy=copy)
        assert heard and heard[0][0] == "looking at orders"


# ---------------------------------------------------------------- nothing in the folder runs


@pytest.fixture
def poisoned(shop: Path, tmp_path: Path) -> Path:
    """A folder with a file named after each module that a scan imports; each leaves a mark when it is run."""
    code = f"""
import json, os, sys
from watchdog.cli.app import main
if hasattr(os, "fork"): del os.fork
sys.argv = ["watchdog", "scan", {str(shop)!r}, "--quiet"]
try:
    main()
finally:
    print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})), file=sys.stderr)
"""
    here = tmp_path / "here"
    here.mkdir()
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=here, capture_output=True, text=True, check=False)
    names = set(json.loads(done.stderr.splitlines()[-1])) | {"pickle", "select", "subprocess", "tempfile", "sitecustomize"}
    assert {"sqlalchemy", "pydantic", "watchdog", "json"} <= names
    for name in names - {"__main__"}:
        (here / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r} + ' ')\n")
    return here


def ran(folder: Path) -> str:
    mark = folder.parent / "ran"
    return mark.read_text() if mark.exists() else ""


@pytest.mark.parametrize("command", [[SCRIPT], [sys.executable, "-P", "-m", "watchdog.cli.app"]], ids=["script", "-P -m"])
def test_the_command_runs_nothing_of_the_folder_it_is_called_in(
    poisoned: Path, shop: Path, config: Callable[[str], Path], command: list[str]
) -> None:
    rules = config('{columns: {note: [{matches: {regex: "^(a+)+$"}}]}}')
    call = [*command, "scan", "shop", "--config", str(rules), "--format", "json"]
    done = subprocess.run(call, cwd=poisoned, capture_output=True, text=True, check=False)
    assert (done.returncode, ran(poisoned)) == (1, ""), done.stderr
    assert json.loads(done.stdout)["findings"][0]["count"] == 1


def test_a_new_python_sees_nothing_of_the_folder_wherever_it_stands_on_the_path(poisoned: Path, shop: Path) -> None:
    code = f"""
import os, sys
import subprocess, tempfile, traceback
from watchdog.pipeline import Options, settings_of
from watchdog.pipeline.child import scan_in_child
settings = settings_of({str(shop)!r}, None)
os.chdir({str(poisoned)!r})
sys.path[:0] = ["", os.getcwd()]
print(len(scan_in_child(settings, Options(), "").results))
"""
    environment = {**os.environ, "PYTHONPATH": str(poisoned.parent), "PYTHONSTARTUP": str(poisoned / "json.py")}
    call = [sys.executable, "-P", "-c", code]
    done = subprocess.run(call, capture_output=True, text=True, check=False, env=environment, cwd=poisoned.parent)
    assert done.returncode == 0 and int(done.stdout) > 0, done.stderr
    assert ran(poisoned) == ""


# ---------------------------------------------------------------- a pattern that never ends


@pytest.mark.parametrize(
    ("rules", "key"),
    [
        ('{columns: {email: [{matches: {regex: "^(a+)+$"}}]}}', ", in the row id=7"),
        ("{checks: [{expression_is_true: {expression: \"email REGEXP '^(a+)+$'\"}}]}", ", in the row id=7"),
        ("{columns: {note: [{not_null: {where: \"email REGEXP '^(a+)+$'\"}}]}}", ", in the row id=7"),
        ("{checks: [{query: {sql: \"SELECT id FROM orders WHERE email REGEXP '^(a+)+$'\"}}]}", ""),
    ],
    ids=["regex", "expression_is_true", "where", "query"],
)
def test_a_pattern_that_holds_one_cell_costs_its_check_alone(
    config: Callable[[str], Path], rules: str, key: str
) -> None:
    added = {"columns": "checks: [{row_count: {min: 1}}], ", "checks": ""}[rules[1:].partition(":")[0]]
    run = scan("shop", config=config("{" + added + rules[1:]), options=Options(cell_seconds=0.4))
    held = [r for r in run.results if r.status == "error"]
    assert [r.judgement.message for r in held] == [
        f"could not look: a regular expression spent more than 0.4 s on one cell{key}"
    ]
    assert run.exit_code() == 3 and run.rows == {"orders": 20}
    assert all(r.status == "passed" for r in run.results if r not in held)


def test_the_same_pattern_goes_on_where_it_ends(config: Callable[[str], Path]) -> None:
    both = config('{columns: {email: [{matches: {regex: "^(a+)+$"}}], note: [{matches: {regex: "^(a+)+$"}}]}}')
    run = scan("shop", config=both, options=Options(cell_seconds=0.4))
    email, note = run.results
    assert (email.status, note.status, note.judgement.count) == ("error", "failed", 1)
    assert [sample.key for sample in run.findings[0].samples] == [{"id": 3}]


@pytest.mark.parametrize(
    "rules",
    [
        "{checks: [{query: {sql: \"SELECT id FROM orders WHERE email REGEXP '^(a+)+$'\"}}]}",
        "{columns: {note: [{not_null: {where: \"email REGEXP '^(a+)+$'\"}}]}}",
    ],
    ids=["query", "where"],
)
def test_the_time_limit_and_ctrl_c_end_a_pattern_wherever_it_stands(
    config: Callable[[str], Path], tmp_path: Path, rules: str
) -> None:
    command = [SCRIPT, "scan", "shop", "--config", str(config(rules)), "--quiet"]
    limited = subprocess.run([*command, "--timeout", "0.5"], capture_output=True, text=True, check=False, timeout=60)
    assert limited.returncode == 3 and "Traceback" not in limited.stderr
    assert "could not look: the time limit was reached inside one regular expression" in limited.stdout
    endless = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heeds_ctrl_c)
    with endless:
        child_of(endless.pid)
        time.sleep(0.5)
        os.kill(endless.pid, signal.SIGINT)
        endless.communicate(timeout=30)
    assert endless.returncode == 130


INSTR = "SELECT instr(printf('%.*c', 60000000, 'a'), printf('%.*c', 9000000, 'a') || 'b')"


@pytest.mark.parametrize(
    ("rules", "held"),
    [
        ('{columns: {email: [{matches: {regex: "^(a+)+$"}}]}, checks: [{row_count: {min: 50}}]}',
         "regular expression, in the row id=7"),
        ('{columns: {email: [{matches: {regex: "^(a+)+$"}}, {matches: {regex: "^(a*)*$", name: other}}]},'
         ' checks: [{row_count: {min: 50}}]}', "regular expression, in the row id=7"),
        ('{checks: [{row_count: {min: 50}}, {query: {sql: "' + INSTR + '"}}]}', "SQL function"),
    ],
    ids=["pattern", "two patterns", "function"],
)  # fmt: skip
def test_the_time_limit_within_one_check_costs_no_other_its_result(
    config: Callable[[str], Path], rules: str, held: str
) -> None:
    command = [SCRIPT, "scan", "shop", "--config", str(config(rules)), "--quiet", "--format", "json", "--timeout", "3"]
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert time.monotonic() - begun < 3 + 3  # the machine may be busy
    assert done.returncode == 3 and "Traceback" not in done.stderr
    told = json.loads(done.stdout)
    assert [f["id"] for f in told["findings"]] == ["orders.row_count"]
    others = {r["id"]: r["reason"] for r in told["results"] if r["id"] != "orders.row_count"}
    assert others and all(said == f"could not look: the time limit was reached inside one {held}" for said in others.values())


def heeds_ctrl_c() -> None:
    """A job in the background has SIGINT ignored, and its children too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


# ---------------------------------------------------------------- one function of SQL that takes too much


LONG = "longer than 100,000,000 bytes"
TIME = "time limit"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT randomblob(900000000) || 'x'", LONG),
        ("SELECT hex(zeroblob(90000000))", LONG),
        ("SELECT length(printf('%*d', 900000000, 1)) WHERE 0 UNION ALL SELECT zeroblob(100000001)", LONG),
        ("SELECT replace(printf('%.*c', 60000000, 'x'), 'x', 'yyyyyyyy')", LONG),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)"
         " SELECT group_concat(printf('%.*c', 1000000, 'x')) FROM n", LONG),
        ("SELECT instr(printf('%.*c', 30000000, 'a'), printf('%.*c', 9000000, 'a') || 'b')", TIME),
        ("SELECT 1 WHERE 'b' LIKE printf('%.*c', 60000, '%')", "too complex"),
        ("SELECT 1 WHERE printf('%.*c', 3000000, 'a') LIKE '" + "%a%b" * 5_000 + "c'", None),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", TIME),
        ("SELECT " + "(" * 1_500 + "1" + ")" * 1_500, "overflow"),
        ("SELECT 1" + " + 1" * 3_000, "too large"),
    ],
    ids=["randomblob", "hex", "zeroblob", "replace", "group_concat", "instr", "pattern", "like", "endless", "deep", "wide"],
)  # fmt: skip
def test_a_query_cannot_take_more_than_its_share(config: Callable[[str], Path], sql: str, said: str | None) -> None:
    rules = config(f"{{checks: [{{row_count: {{min: 1}}}}, {{query: {{sql: {json.dumps(sql)}}}}}]}}")
    code, told, most, seconds = measured([SCRIPT, "scan", "shop", "--config", str(rules), "--timeout", "1.5"])
    assert most < 400_000_000 and seconds < 20
    assert "Traceback" not in told
    if said is not None:
        assert code == 3 and said in told, told


def measured(command: list[str]) -> tuple[int, str, int, float]:
    """The exit code, what was said, the most bytes of memory of it and its children, and how long it took."""
    code = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(json.dumps([done.returncode, done.stdout, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss]))
"""  # a small process: what is started begins with the memory of the one that starts it
    begun = time.monotonic()
    small = [sys.executable, "-I", "-S", "-c", code, *command]
    done = subprocess.run(small, capture_output=True, text=True, check=True, timeout=60)
    status, told, size = json.loads(done.stdout)
    return status, told, size * (1 if sys.platform == "darwin" else 1024), time.monotonic() - begun


@pytest.mark.parametrize(
    "column", ["hex(zeroblob(400000000))", "replace(hex(zeroblob(n * 40000000)), '0', 'abcdefgh')"], ids=["hex", "replace"]
)
def test_a_database_alone_cannot_take_more_than_its_share(database: Make, column: str) -> None:
    path = database(
        "CREATE TABLE t(n INTEGER, big TEXT AS (0))", "INSERT INTO t(n) VALUES (1), (2)", "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET sql = replace(sql, 'AS (0)', 'AS ({column.replace(chr(39), chr(39) * 2)})')",
    )  # fmt: skip
    code, told, most, seconds = measured([SCRIPT, "scan", str(path), "--timeout", "3"])
    assert most < 500_000_000 and seconds < 15
    assert code in (0, 3) and "Traceback" not in told
    assert "longer than" in told or "too big" in told or "time limit" in told


def test_a_value_that_is_too_long_costs_the_checks_of_its_column_alone(database: Make) -> None:
    path = database(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, word TEXT, big TEXT)", "INSERT INTO t VALUES (1, NULL, zeroblob(110000000))"
    )
    run = scan(path)
    held = [r.id for r in run.results if "longer than" in r.judgement.message]
    assert held == ["t.big.encoding", "t.big.type"] and run.exit_code() == 0 and not run.complete
    assert run.rows == {"t": 1} and any(r.status == "passed" for r in run.results)


# ---------------------------------------------------------------- the child ends with its parent


def child_of(pid: int) -> int:
    """The pid of the scanning process, once there is one."""
    limit = time.monotonic() + 20
    while time.monotonic() < limit:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if found:
            return int(found[0])
        time.sleep(0.02)
    raise AssertionError("there is no child")


def gone(pid: int, seconds: float) -> bool:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":  # nobody has asked how it ended
            return True
        time.sleep(0.05)
    return False


ENDLESS = {
    "pattern": '{columns: {email: [{matches: {regex: "^(a+)+$"}}]}}',
    "query": "{checks: [{query: {sql: WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n}}]}",
}


@LINUX
@pytest.mark.parametrize("held", sorted(ENDLESS))
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_both(config: Callable[[str], Path], held: str, number: signal.Signals) -> None:
    command = [SCRIPT, "scan", "shop", "--config", str(config(ENDLESS[held])), "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as scanning:
        child = child_of(scanning.pid)
        time.sleep(0.5)
        os.kill(scanning.pid, number)
        out, err = scanning.communicate(timeout=10)
    assert scanning.returncode in (128 + number, -number) and (out, "Traceback" in err) == ("", False)
    assert gone(child, 12)


@LINUX
@pytest.mark.parametrize("held", sorted(ENDLESS))
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT, signal.SIGUSR1])
@pytest.mark.parametrize("copied", [True, False], ids=["copy", "new Python"])
def test_a_child_ends_at_once_when_its_parent_was_killed(
    config: Callable[[str], Path], held: str, number: signal.Signals, copied: bool
) -> None:
    code = f"""
from pathlib import Path
from watchdog.config import load_config
from watchdog.pipeline import Options, settings_of
from watchdog.pipeline.child import scan_in_child
settings = settings_of("shop", load_config(Path({str(config(ENDLESS[held]))!r})))
scan_in_child(settings, Options(timeout=500), "", copy={copied})
"""
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as scanning:
        child = child_of(scanning.pid)
        time.sleep(1.0 if copied else 2.0)
        scanning.send_signal(number)
        scanning.wait(timeout=10)
        assert gone(child, 1.0)


# ---------------------------------------------------------------- time limits that are none


@pytest.mark.parametrize("given", ["inf", "-inf", "nan", "1e300", "1e10", "0", "-1"])
def test_a_time_limit_that_is_none_is_an_error_of_usage(shop: Path, given: str) -> None:
    with pytest.raises(UsageError, match=r"^timeout "):
        scan(shop, timeout=float(given))
    call = [SCRIPT, "scan", str(shop), f"--timeout={given}"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "") and "Traceback" not in done.stderr
    assert "timeout" in done.stderr


def test_a_long_time_limit_is_a_scan(shop: Path) -> None:
    assert scan(shop, timeout=366 * 24 * 3600).results
