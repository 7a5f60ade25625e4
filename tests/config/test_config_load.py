"""config.yaml to Config: what is merged, what becomes a check, what is refused and where."""

import zoneinfo
from pathlib import Path
from typing import Any

import pytest

from watchdog.config import Config, Defaults, is_ours, load_config, with_task
from watchdog.errors import ConfigError, UsageError
from watchdog.model import CheckSpec, Task

SHOP = """\
watchdog: 1
defaults: {fail_on: medium, samples: 3, owner: everybody, tags: [a], time_zone: Europe/Paris}
sources:
  shop:
    path: demo/shop.db
    owner: data-team
    include: ["ord*", customers]
    exclude: ["*_old"]
    formats: [junit]
    checks:
      - query: {sql: "SELECT 1 WHERE 0"}
      - integrity
    off: [sentinels]
    tables:
      orders:
        severity: low
        where: status <> 'draft'
        off: [formats]
        checks:
          - row_count: {min: 1}
        columns:
          email: [not_null, {matches: {regex: "^[^@]+@[^@]+$", at_most: 1%, severity: medium}}]
          country: [{accepted_values: {values: [NO, DE, 010, 1:30, 2026-05-01, 5]}}]
          note:
            checks: [not_null]
            off: [spellings]
  contacts:
    url: sqlite:///contacts.db
    task: crm-qa
    samples: 0
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "config.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def load(folder: Path, text: str, **environ: str) -> Config:
    return load_config(write(folder, text), environ=environ)


def refusal(folder: Path, text: str, **environ: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, text, **environ)
    message = str(caught.value)
    assert caught.value.exit_code == 2
    return message.replace(f"{folder}/", "").replace(f"{folder.as_posix()}/", "")


def spec(config: Config, name: str, column: str | None = None) -> CheckSpec:
    found = [c for s in config.sources for c in s.checks if c.name == name and column in (None, *c.columns)]
    assert len(found) == 1
    return found[0]


def test_sources_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    config = load(tmp_path, SHOP)
    assert [s.name for s in config.sources] == ["shop", "contacts"]
    assert [s.line for s in config.sources] == [4, 27]
    assert config.source("contacts").task == "crm-qa"
    assert config.source("shop").task == "data-quality"
    with pytest.raises(UsageError, match=r"did you mean 'contacts'\?"):
        config.source("contact")


def test_paths_start_from_the_folder_of_the_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, SHOP)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    config = load_config(Path("../config.yaml"))
    path = config.source("shop").path
    assert path is not None and path.is_absolute() and path.resolve() == (tmp_path / "demo" / "shop.db").resolve()


def test_a_home_that_nobody_has_is_a_path_like_any_other(tmp_path: Path) -> None:
    config = load(tmp_path, "watchdog: 1\nsources: {s: {path: '~nobody-at-all/x.db'}}")
    assert config.sources[0].path == tmp_path / "~nobody-at-all" / "x.db"


def test_a_source_says_more_than_the_defaults(tmp_path: Path) -> None:
    shop, contacts = load(tmp_path, SHOP).sources
    assert (shop.owner, shop.samples, shop.fail_on, shop.tags) == ("data-team", 3, "medium", ("a",))
    assert (contacts.owner, contacts.samples, contacts.time_zone) == ("everybody", 0, "Europe/Paris")
    assert (shop.formats, shop.include, shop.exclude) == (("junit",), ("ord*", "customers"), ("*_old",))
    assert contacts.include == ()


def test_lists_replace_and_do_not_add(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        "watchdog: 1\ndefaults: {tags: [a, b]}\nsources: {s: {path: x.db, tags: [c]}, t: {path: y.db, tags: []}}",
    )
    assert [s.tags for s in config.sources] == [("c",), ()]


def test_without_defaults_the_built_in_ones_hold(tmp_path: Path) -> None:
    source = load(tmp_path, "watchdog: 1\nsources: {s: {path: x.db}}").sources[0]
    assert {k: getattr(source, k) for k in vars(Defaults())} == vars(Defaults())


@pytest.mark.parametrize(
    ("defaults", "own", "task", "infer"),
    [("", "", None, True), ("infer: false", "", None, False), ("infer: true", "", False, False)]
    + [
        ("infer: false", "", True, True),
        ("infer: false", "infer: true", False, True),
        ("", "infer: false", True, False),
    ],
)
def test_a_task_stands_between_source_and_defaults(
    tmp_path: Path, defaults: str, own: str, task: bool | None, infer: bool
) -> None:
    config = load(tmp_path, f"watchdog: 1\ndefaults: {{{defaults}}}\nsources:\n  s:\n    path: x.db\n    {own}\n")
    assert with_task(config.sources[0], Task("t", "", infer=task)).infer is infer


def test_a_task_adds_what_is_off_and_gives_its_time_zone(tmp_path: Path) -> None:
    source = load(tmp_path, "watchdog: 1\nsources: {s: {path: x.db, off: [a]}}").sources[0]
    merged = with_task(source, Task("t", "", time_zone="Asia/Shanghai", off=frozenset({("x", None, "b")})))
    assert merged.off == {(None, None, "a"), ("x", None, "b")}
    assert merged.time_zone == "Asia/Shanghai"


def test_each_check_knows_its_place_and_its_line(tmp_path: Path) -> None:
    config = load(tmp_path, SHOP)
    row_count = spec(config, "row_count")
    assert (row_count.table, row_count.columns, row_count.line, row_count.origin) == ("orders", (), 20, "declared")
    assert row_count.file.endswith("config.yaml")
    matches = spec(config, "matches")
    assert (matches.table, matches.columns, matches.line) == ("orders", ("email",), 22)
    query = spec(config, "query")
    assert (query.table, query.columns, query.line) == (None, (), 11)
    assert spec(config, "integrity").options == {}


def test_a_table_completes_the_options_of_its_checks(tmp_path: Path) -> None:
    config = load(tmp_path, SHOP)
    assert spec(config, "not_null", "email").options == {"severity": "low", "where": "status <> 'draft'"}
    assert spec(config, "matches").options["severity"] == "medium"
    assert "where" not in spec(config, "query").options


def test_values_of_options_keep_their_yaml_meaning(tmp_path: Path) -> None:
    values = spec(load(tmp_path, SHOP), "accepted_values").options["values"]
    assert values == ["NO", "DE", "010", "1:30", "2026-05-01", 5]


def test_a_column_may_list_its_checks_or_say_more(tmp_path: Path) -> None:
    config = load(tmp_path, SHOP)
    assert spec(config, "not_null", "note").line == 25
    assert config.sources[0].off == {
        (None, None, "sentinels"),
        ("orders", None, "formats"),
        ("orders", "note", "spellings"),
    }


def test_a_check_without_options_may_end_in_a_colon(tmp_path: Path) -> None:
    config = load(tmp_path, "watchdog: 1\nsources:\n  s:\n    path: x.db\n    checks:\n    - integrity:\n")
    assert config.sources[0].checks[0] == CheckSpec("integrity", file=config.file, line=6)


def test_sections_that_are_commented_out_are_empty(tmp_path: Path) -> None:
    text = "watchdog: 1\ndefaults:\nproviders:\nschedules:\nsources:\n  s:\n    path: x.db\n"
    text += "    checks:\n    tables:\n      t:\n"
    source = load(tmp_path, text).sources[0]
    assert source.checks == ()
    assert load(tmp_path, "watchdog: 1\n").sources == ()


def test_names_of_tables_and_columns_are_taken_as_they_are(tmp_path: Path) -> None:
    text = (
        'watchdog: 1\nsources: {s: {path: x.db, tables: {"Order Items": {columns: {"a\\"b": [u], 1: [v], NO: [w]}}}}}'
    )
    assert [c.columns for c in load(tmp_path, text).sources[0].checks] == [('a"b',), ("1",), ("NO",)]


def test_the_digest_says_what_is_written_and_not_how(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        return load(tmp_path, text).digest

    first = digest("watchdog: 1\nsources: {s: {path: x.db, samples: 3}}\n")
    assert len(first) == 16
    assert digest("watchdog: 1\n# a remark\nsources:\n  s:\n    samples: 3\n    path: 'x.db'\n") == first
    assert digest("watchdog: 1\nsources: {s: {path: x.db, samples: 4}}\n") != first


def test_providers_are_kept_as_they_are(tmp_path: Path) -> None:
    config = load(tmp_path, "watchdog: 1\nproviders: {default: {api_key_env: KEY, temperature: null}, other: }")
    assert config.providers == {"default": {"api_key_env": "KEY", "temperature": None}, "other": {}}


# ---------------------------------------------------------------- the environment


def test_variables_are_filled_into_paths_and_urls(tmp_path: Path) -> None:
    text = "watchdog: 1\nsources: {a: {path: '${DIR}/x.db'}, b: {url: 'postgresql://u:${PW}@${HOST:-localhost}/d'}}"
    config = load(tmp_path, text, DIR="/data", PW="s3cret", HOST="")
    assert config.source("a").path == Path("/data/x.db")
    assert config.source("b").url == "postgresql://u:s3cret@localhost/d"
    assert "s3cret" not in repr(config)


def test_the_digest_holds_no_secret(tmp_path: Path) -> None:
    text = "watchdog: 1\nsources: {b: {url: '${U}'}}"
    assert load(tmp_path, text, U="one").digest == load(tmp_path, text, U="two").digest


def test_an_unset_variable_is_named_and_no_value_is_shown(tmp_path: Path) -> None:
    text = "watchdog: 1\nsources:\n  b:\n    url: postgresql://${USER_NAME}:${PASS}@h/d\n"
    message = refusal(tmp_path, text, USER_NAME="anna")
    assert message.startswith("config.yaml:4: ") and "PASS" in message and "anna" not in message


@pytest.mark.parametrize("path", ["${", "${A B}", "${1}", "${EMPTY}", '"\\0"'])
def test_a_path_that_names_nothing_is_refused(tmp_path: Path, path: str) -> None:
    text = path if path.startswith('"') else f"'{path}'"
    assert refusal(tmp_path, f"watchdog: 1\nsources:\n  b:\n    path: {text}\n", EMPTY="").startswith("config.yaml:4: ")


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "line", "key", "near"),
    [
        ("watchdog: 1\nsorces: {}", 2, "sorces", "sources"),
        ("watchdog: 1\ndefaults:\n  fail_no: high", 3, "fail_no", "fail_on"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    tabels: {}", 5, "tabels", "tables"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    tables:\n      t:\n        colums: {}", 7, "colums", "columns"),
        ("watchdog: 1\nsources: {s: {path: x, tables: {t: {columns: {c: {\n  check: []}}}}}}", 3, "check", "checks"),
        ("watchdog: 1\nproviders:\n  default:\n    api_key: abc", 4, "api_key", "api_key_env"),
        ("watchdog: 1\nsources: {s: {path: x}}\nschedules:\n  - source: s\n    corn: '* * * * *'", 5, "corn", "cron"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_one(
    tmp_path: Path, text: str, line: int, key: str, near: str
) -> None:
    message = refusal(tmp_path, text)
    assert message.startswith(f"config.yaml:{line}: unknown key {key!r}")
    assert f"did you mean {near!r}?" in message
    assert "abc" not in message


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("samples", "many", "integer"),
        ("samples", "-1", "greater"),
        ("samples", "true", "integer"),
        ("infer", "yes", "true and false"),
    ]
    + [
        ("fail_on", "hihg", "'high'"),
        ("sample_values", "all", "'full'"),
        ("tags", "a", "list"),
        ("tags", "[1]", "string"),
    ]
    + [("owner", "[a]", "string"), ("owner", "''", "empty"), ("pii", "1", "'mask'"), ("time_zone", "5", "string")],
)
def test_a_wrong_type_names_place_and_line(tmp_path: Path, key: str, value: str, words: str) -> None:
    at_defaults = refusal(tmp_path, f"watchdog: 1\ndefaults:\n  {key}: {value}\n")
    assert at_defaults.startswith(f"config.yaml:3: defaults.{key}") and words in at_defaults
    at_source = refusal(tmp_path, f"watchdog: 1\nsources:\n  s:\n    path: x.db\n    {key}: {value}\n")
    assert at_source.startswith(f"config.yaml:5: sources.s.{key}") and words in at_source


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("watchdog: 1\nsources: [a]", 2, "mapping"),
        ("watchdog: 1\nsources:\n  s: x.db", 3, "mapping"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    tables:\n      t: [not_null]", 6, "mapping"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    checks: integrity", 5, "list"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    checks:\n      - 5", 6, "a check is its name"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    checks:\n      - [a]", 6, "a check is its name"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    checks:\n      - a: [1]", 6, "options have to be a mapping"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    checks:\n      - query:\n        sql: x", 6, "indent"),
        ("watchdog: 1\nsources:\n  s: {}", 3, "path or url"),
        ("watchdog: 1\nsources:\n  s: {path: x, url: y}", 3, "not both"),
        ("watchdog: 1\nsources:\n  ../s: {path: x}", 3, "cannot be the name"),
        ("watchdog: 1\nsources:\n  s:\n    path: x\n    tables:\n      t:\n        severity: huge", 7, "'info'"),
        ("watchdog: 1\nschedules: [{source: s, cron: '* * * * *'}]", 2, "no source"),
        ("watchdog: 1\nsources: {s: {path: x}}\nschedules:\n  - {source: s}", 4, "cron or every"),
        ("watchdog: 1\nsources: {s: {path: x}}\nschedules:\n  - {cron: '* * * * *'}", 4, "missing"),
        (
            "watchdog: 1\nsources: {s: {path: x}}\nschedules:\n  - {source: s, every: 5m, cron: '* * * * *'}",
            4,
            "not both",
        ),
        ("watchdog: 1\nsources: {s: {path: x}}\nschedules:\n  - source: s\n    every: 30", 5, "string"),
        ("watchdog: 1\nsources: {s: {path: x}}\nschedules:\n  - source: s\n    every: soon", 5, "not a duration"),
        ("watchdog: 1\nsources: {s: {path: x}}\nschedules:\n  - source: s\n    cron: 61 * * * *", 5, "minute '61'"),
        (
            "watchdog: 1\nsources: {s: {path: x}}\nschedules:\n  - {source: s, every: 1m,\n     time_zone: Mars}",
            5,
            "Mars",
        ),
    ],
)
def test_a_wrong_shape_names_the_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    message = refusal(tmp_path, text)
    assert message.startswith(f"config.yaml:{line}: ") and words in message


@pytest.mark.parametrize("zone", ["Europe/Berlim", "Europe", "''", "../etc/passwd", "NO"])
def test_an_unknown_time_zone_is_refused(tmp_path: Path, zone: str) -> None:
    message = refusal(tmp_path, f"watchdog: 1\ndefaults:\n  time_zone: {zone}\n")
    assert message.startswith("config.yaml:3: defaults.time_zone: unknown time zone")
    if zone == "Europe/Berlim":
        assert "did you mean 'Europe/Berlin'?" in message


def test_the_first_mistake_of_the_file_is_told_first(tmp_path: Path) -> None:
    text = "watchdog: 1\nsources:\n  s:\n    samples: x\n    path: x\nschedules: 5\ndefaults: {infer: 1}\n"
    assert refusal(tmp_path, text).startswith("config.yaml:4: ")


def test_every_known_zone_is_accepted(tmp_path: Path) -> None:
    for zone in ("UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires"):
        assert zone in zoneinfo.available_timezones()
        assert load(tmp_path, f"watchdog: 1\ndefaults: {{time_zone: {zone}}}").defaults.time_zone == zone


# ---------------------------------------------------------------- whose file is it


@pytest.mark.parametrize(
    "text",
    [
        "watchdog: 1\n",
        "\ufeff# words\n\n---\nwatchdog: 1",
        "%YAML 1.2\n---\nwatchdog: 1",
        "{watchdog: 1}",
        '"watchdog" : 2',
    ]
    + ["watchdog: [broken"],
)
def test_a_config_that_opens_with_our_name_is_ours(tmp_path: Path, text: str) -> None:
    assert is_ours(write(tmp_path, text))


@pytest.mark.parametrize(
    "text", ["", "version: 1\nwatchdog: 1", "watchdogs: 1", "# watchdog: 1\n", "- watchdog: 1", "\x00\xff"]
)
def test_a_config_of_another_program_is_not_ours(tmp_path: Path, text: str) -> None:
    file = write(tmp_path, text)
    assert not is_ours(file)
    with pytest.raises(ConfigError):
        load_config(file)


def test_no_file_and_a_folder_are_not_ours(tmp_path: Path) -> None:
    assert not is_ours(tmp_path / "none.yaml")
    assert not is_ours(tmp_path)


def test_a_foreign_config_that_is_named_is_refused_politely(tmp_path: Path) -> None:
    message = refusal(tmp_path, "services:\n  web: {image: nginx}\n")
    assert "another program" in message and "watchdog: 1" in message


def test_our_key_further_down_is_refused_with_its_line(tmp_path: Path) -> None:
    assert refusal(tmp_path, "sources: {}\nwatchdog: 1").startswith(
        "config.yaml:2: 'watchdog: 1' has to be the first key"
    )


@pytest.mark.parametrize(
    ("version", "words"), [("2", "newer"), ("0", "number"), ("'1'", "number"), ("true", "number"), ("", "number")]
)
def test_another_schema_is_refused(tmp_path: Path, version: str, words: str) -> None:
    message = refusal(tmp_path, f"watchdog: {version}\nwhatever: 1\n")
    assert message.startswith("config.yaml:1: ") and words in message


def test_the_config_of_this_project_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    assert is_ours(Path("config.yaml"))
    config = load_config(Path("config.yaml"), environ={})
    assert {s.name: s.task for s in config.sources} == {"shop": "data-quality", "contacts": "crm-qa"}
    shown: Any = {c.file for s in config.sources for c in s.checks}
    assert shown == {"config.yaml"}
