"""The config reference and the editors' JSON Schema, both made from the shapes that read config.yaml.

python -m watchdog.cli.reference docs/       writes docs/config.md and docs/config.schema.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from watchdog.checks._reference import kinds
from watchdog.config import schema
from watchdog.plugins import check_names, option_schema

OPENING = """# config.yaml

The file opens with `watchdog: 1`. Paths in it start from its folder, `${NAME}` and `${NAME:-default}` in a path or url come
from the environment or from a `.env` beside it (the environment wins). It is YAML 1.2: `NO`, `010`, `1:30` and dates are
text. A duplicate or unknown key is an error with its line and the nearest known key.

What a flag says wins over the source, the source over its task, the task over `defaults`. Lists replace each other; checks
are merged: one with the id of a task's check takes its place.

For completion in an editor, put this on the first line:

    # yaml-language-server: $schema=docs/config.schema.json

A check is written as its name or as its name with options. It stands under a column, under a table or under the source:

```yaml
watchdog: 1
sources:
  shop:
    path: shop.db
    checks: [integrity]                                     # on the whole database
    tables:
      orders:
        where: "status <> 'draft'"                          # for all checks of the table that say nothing else
        checks:
          - unique_combination_of_columns: {columns: [shop_id, order_no]}
        columns:
          email: [not_null, {valid: {format: email, at_most: 1%, severity: medium}}]
          note: {checks: [not_null], off: [missing]}        # `off`: an inferred check that is not wanted here
```

Options that every check takes: `severity` (info, low, medium, high), `where` (SQL; `:now` is the time of the run), `at_most`
(`5` rows, `"5%"` of the rows that were evaluated, or by level: `{medium: 0, high: 1%}`), `name` (part of the id, needed
where two equal checks stand at one place), `description`, `tags`, `owner`. A share leaves out what `where` leaves out, and
NULLs that the check does not judge: 5 bad ones among 10 values and 90 NULLs are 50%. The checks with their own options:
[checks.md](checks.md).

In SQL of yours (`where`, `expression_is_true`, `query`) there is one time, that of the run (`--now`, else its start):

| written | is |
|---|---|
| `created_at <= :now` | compared as time, in whichever form the column has: ISO text (blank or `T`, fraction, `Z` or \
offset, a day alone), seconds, milliseconds or microseconds since 1970, Julian days. Without an offset, a time is of the \
source's `time_zone`. Where a value that is no time would decide, the check could not look (exit code 3): leave such rows \
out (`where: date(created_at) IS NOT NULL`) |
| `created_at >= datetime(:now, '-3 days')` | the same, three days earlier, where a column alone stands on the other side |
| `julianday(created_at) >= julianday(:now, '-3 days')` | SQLite's own functions: in them `:now` is \
the text `YYYY-MM-DD HH:MM:SS`, in UTC |
| `date('now')`, `CURRENT_TIMESTAMP`, `strftime('%s', 'now')` ... | the time of the run too, in UTC, also in \
views of the file; `'localtime'` is the time zone of the machine that scans |

As text, `2026-03-01T08:00` is later than `2026-03-01 23:00`: `:now` in any other place (also alone in a subquery) is refused,
with what to write, and so is any other parameter (`:NOW`, `$now`, `?`). SQLite's own functions make text, which compares so:
`created_at <= datetime('now')` takes every `T` of today for later. Write `created_at <= :now`.

Each run of a source here is written to `reports/<source>/` as `<run id>.*`, and as `latest.*`: the last run of all that the
config asks for. One that was incomplete (timed out, a check that failed to run) stands there too and says so (`"complete":
false` under `summary`): an older green one in its place would hide that nobody could look. A run of a part only (`--select`,
`--exclude`, `--task`, `--no-infer`) is written as `<run id>.partial.*` and never stands as `latest.*`.
"""
PLACES = (
    ("At the top", "ConfigShape"), ("Under `defaults`", "DefaultsShape"), ("Under `sources.<name>`", "SourceShape"),
    ("Under `tables.<table>`", "TableShape"), ("Under `columns.<column>`", "ColumnShape"), ("In `schedules`", "ScheduleShape"),
    ("Under `providers.<name>` (reports by a model, `--llm`)", "ProviderShape"),
)  # fmt: skip


def config_schema() -> str:
    whole = schema({name: option_schema(name) for name in check_names()})
    return json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def config_reference() -> str:
    whole = schema()
    return OPENING + "".join(_section(title, _shape(whole, name)) for title, name in PLACES)


def _shape(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    if name == "ConfigShape":
        return whole
    shape: Mapping[str, Any] = whole["$defs"][name]
    return shape if "properties" in shape else next(p for p in shape["anyOf"] if "properties" in p)


def _section(title: str, shape: Mapping[str, Any]) -> str:
    rows = "".join(_row(key, told) for key, told in shape["properties"].items())
    return f"\n## {title}\n\n| key | value | default | meaning |\n|---|---|---|---|\n{rows}"


def _row(key: str, told: Mapping[str, Any]) -> str:
    default = told.get("default")
    shown = "" if default in (None, [], {}) or isinstance(default, Mapping) else f"`{json.dumps(default)}`"
    values = ", ".join(dict.fromkeys(kinds(told)))
    return f"| `{key}` | {values} | {shown} | {told.get('description', '')} |\n"


def main(folder: Path) -> None:
    (folder / "config.md").write_text(config_reference(), encoding="utf-8")
    (folder / "config.schema.json").write_text(config_schema(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
