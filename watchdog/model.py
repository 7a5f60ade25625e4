"""The values that walk through the house, as frozen dataclasses. Standard library only, no I/O.

One road: Source -> Catalog -> CheckSpec -> Placed check -> Metric -> Measurement -> Judgement -> Result and Finding -> Run.
`None` always means "unknown" or "not given", never zero. Times are aware and UTC. A `ratio` is a fraction 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:  # the ground floor imports the standard library only
    from sqlalchemy import ColumnElement, Connection

Kind = Literal["integer", "decimal", "text", "boolean", "date", "timestamp", "json", "blob", "other"]
TableKind = Literal["table", "view", "virtual", "shadow"]
Origin = Literal["declared", "inferred", "task"]
Status = Literal["passed", "failed", "skipped", "error"]


class Severity(IntEnum):
    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3

    @property
    def label(self) -> str:
        return self.name.lower()


# ---------------------------------------------------------------- what is there


@dataclass(frozen=True)
class Column:
    table: str  # the table's full name, as Table.full_name
    name: str
    kind: Kind
    native: str  # the declared type as written, "" when none
    nullable: bool
    position: int  # from 0
    generated: bool = False
    collation: str = "BINARY"


@dataclass(frozen=True)
class UniqueKey:
    """A UNIQUE constraint or full unique index over plain columns under their own collations."""

    columns: tuple[str, ...]
    index: str  # the name of the index that keeps it, "" when none


@dataclass(frozen=True)
class ForeignKey:
    """`problem` says why the declaration itself cannot work ("" when it can)."""

    columns: tuple[str, ...]
    parent: str  # full name of the parent table, as declared when it does not exist
    parent_columns: tuple[str, ...]
    problem: str = ""


@dataclass(frozen=True)
class Table:
    schema: str  # "" for the default schema
    name: str
    kind: TableKind
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[UniqueKey, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_key: tuple[str, ...] = ()  # column names that name a row; () when only `rowid` does, or nothing
    rowid: str | None = None  # the first unshadowed alias of SQLite's row id, None where unreadable
    rowid_is_key: bool = False  # the primary key is an alias of the row id
    strict: bool = False
    indexes: Mapping[str, str] = field(default_factory=dict)  # column -> a plain full single-column index on it
    note: str = ""  # why it is not scanned by default ("" when it is), or what was odd about it

    @property
    def full_name(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name

    def column(self, name: str) -> Column | None:
        return next((c for c in self.columns if c.name == name), None)


@dataclass(frozen=True)
class Catalog:
    source: str
    taken_at: datetime
    tables: tuple[Table, ...]  # in the order of their names

    def table(self, name: str) -> Table | None:
        return next((t for t in self.tables if t.full_name == name), None)


LONGEST_VALUE = 100_000_000  # bytes of a value that is looked at, or made by SQL: four at a time still fit into memory


@dataclass(frozen=True)
class Limits:
    """`deadline` is time.monotonic() seconds at which everything stops, None for no limit."""

    jobs: int = 1
    deadline: float | None = None
    integrity_seconds: float = 120.0


@dataclass(frozen=True)
class Source:
    """An open, read-only source. `connect` gives a new read-only connection on the same picture of the data."""

    name: str
    dialect: str
    shown_url: str  # never holds a password
    read_mode: str
    limits: Limits
    connect: Callable[[], Connection]
    connect_plain: Callable[[], Connection] | None = None  # the same without functions of ours; None = `connect` will do
    state: Mapping[str, Any] = field(default_factory=dict)  # facts about the file for the result (size_bytes, ...)
    engine: str = ""  # library and version that reads it
    encoding: str = "UTF-8"  # of the text in it
    notes: tuple[str, ...] = ()


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True)
class Threshold:
    """What a check tolerates: a number of rows, or a share (0 to 1) of the rows that were evaluated."""

    value: float
    unit: Literal["rows", "share"] = "rows"

    def exceeded(self, count: int, evaluated: int) -> bool:
        """A share is taken as it was written: 29% of 100 rows are 29, though 0.29 * 100 is a little less."""
        return count > (self.value if self.unit == "rows" else Fraction(repr(self.value)) * evaluated)

    def words(self) -> str:
        if self.unit == "rows":
            return "1 row" if self.value == 1 else f"{self.value:,.0f} rows"
        return f"{float(Fraction(repr(self.value)) * 100):g}%"


@dataclass(frozen=True)
class Metric:
    """One number to measure: pure data, compared by value, so that equal metrics are measured once.

    `word` is one of the closed vocabulary of `sql.py`; `args` are column names, texts or Predicates; `where` is SQL text.
    """

    table: str
    word: str
    args: tuple[Any, ...] = ()
    where: str = ""


@dataclass(frozen=True)
class Predicate:
    """A condition on one row. `text` is its SQL in the source's dialect and alone decides equality; `expression` is the
    tree it was made from, for engines that do not speak SQL."""

    text: str
    expression: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Measurement:
    metric: Metric
    value: Any = None
    error: str = ""  # "" when measured
    fatal: bool = False  # the file itself is at fault (corruption, I/O): never a mere note
    seconds: float = 0.0
    found: tuple[tuple[int, int, int], ...] = ()  # (first row id, last row id, count) of each slice with a count


Numbers = Mapping[str, Any]  # what a check asked for, by the names it chose


@dataclass(frozen=True)
class Past:
    """What earlier runs saw. Empty on the first run."""

    metrics: Mapping[str, tuple[tuple[datetime, float], ...]] = field(default_factory=dict)
    first_seen: Mapping[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True)
class CheckSpec:
    """A wish for a check, before it is bound to a class. `columns` is () for table and database checks."""

    name: str  # the check's name, the name of its file
    table: str | None = None
    columns: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin = "declared"
    file: str = ""
    line: int | None = None
    folder: str = field(default="", compare=False)  # where relative paths among the options start, "" = the current folder
    evidence: str = ""  # why it was inferred, in words
    needs: tuple[tuple[str, str], ...] = ()  # further (table, column) it reads; missing in a task = skipped


# ---------------------------------------------------------------- what is judged


@dataclass(frozen=True)
class Judgement:
    """`message` says it in words and is always there: what was found, or why nothing could be."""

    status: Status
    message: str
    severity: Severity | None = None  # the level that fired; None = the check's own
    count: int | None = None
    rows: int | None = None  # in scope: those that `where` lets through, NULLs included
    not_evaluated: int | None = None  # those of them that the check says nothing about
    threshold: Threshold | None = None
    observed: Any = None
    expected: Any = None
    value: float | None = None  # a measured value that is not a count, with its unit
    unit: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)  # further fields of the finding: groups, surplus, ...

    @property
    def evaluated(self) -> int | None:
        """The rows that the check says something about: what `count` is a share of."""
        return None if self.rows is None else max(self.rows - (self.not_evaluated or 0), 0)


def passed(message: str, **more: Any) -> Judgement:
    return Judgement("passed", message, **more)


def failed(message: str, **more: Any) -> Judgement:
    return Judgement("failed", message, **more)


def skipped(reason: str, **more: Any) -> Judgement:
    return Judgement("skipped", reason, **more)


AtMost = Mapping[Severity, Threshold]


@dataclass(frozen=True, kw_only=True)
class Check:
    """One kind of check with its options: the dataclass fields are the keys in config.yaml.

    `asks` names the metrics it needs, `judge` decides from their values; neither touches a database.
    """

    dimension: ClassVar[str] = "accuracy"
    takes: ClassVar[Literal["column", "columns", "table", "database"]] = "column"  # where it stands in config.yaml
    default_severity: ClassVar[Severity] = Severity.HIGH
    paths: ClassVar[tuple[str, ...]] = ()  # options that name files; relative ones start from `CheckSpec.folder`
    judges_nulls: ClassVar[bool] = False  # False: a NULL is no violation, and no part of what a share is taken of

    severity: Severity | None = None
    where: str | None = None
    at_most: Any = None  # int | "5%" | {level: int | "5%"}; `plugins.bind` turns it into AtMost
    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    owner: str | None = None

    @property
    def level(self) -> Severity:
        return self.default_severity if self.severity is None else self.severity

    def problem(self) -> str:
        """Why these options make no sense together ("" when they do)."""
        return ""

    def placed_columns(self, spec: CheckSpec, table: Table | None) -> tuple[str, ...]:
        """The columns that the check is about; they are part of its id."""
        return spec.columns

    def defining(self) -> Mapping[str, Any]:
        """The options that define what is counted (part of the fingerprint): all but severity, threshold and words."""
        told = {"severity", "at_most", "name", "description", "tags", "owner"}
        return {k: v for k, v in vars(self).items() if k not in told and v is not None}

    def skip(self, at: Placed, catalog: Catalog) -> str:
        """Why it does not apply here, known before anything is measured ("" when it does). Of a declared check that is a
        mistake in the config."""
        return ""

    def blind(self, at: Placed, catalog: Catalog) -> str:
        """Why it cannot look here, though it applies ("" when it can)."""
        return ""

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        raise NotImplementedError

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        raise NotImplementedError

    def evidence(self, at: Placed) -> Evidence | None:
        """How to list the failing rows; None where there are none to list."""
        return None

    def fires(self, count: int, evaluated: int) -> tuple[Severity, Threshold] | None:
        """The highest level whose threshold `count` exceeds, with that threshold; None when it is tolerated."""
        limits: AtMost = self.at_most or {self.level: Threshold(0)}
        over = [(level, limit) for level, limit in limits.items() if limit.exceeded(count, evaluated)]
        return max(over, key=lambda pair: pair[0]) if over else None


@dataclass(frozen=True)
class Placed:
    """A check at its place: everything that planning, judging and telling need to know about it."""

    id: str
    fingerprint: str
    check: Check
    check_name: str
    spec: CheckSpec
    table: Table | None
    columns: tuple[Column, ...]
    catalog: Catalog
    now: datetime
    time_zone: str = "UTC"
    skip_reason: str = ""  # it cannot or need not run here
    blind: bool = False  # it cannot: an error, unless it was inferred
    where: str = ""  # the check's `where`, with :now filled in

    @property
    def name(self) -> str:
        return self.check.name or self.check_name

    @property
    def place(self) -> str:
        """`table.column` in words for people."""
        parts = [self.table.full_name] if self.table else []
        return ".".join([*parts, "+".join(c.name for c in self.columns)] if self.columns else parts)


@dataclass(frozen=True)
class Evidence:
    """The failing rows of a check: those where `bad` holds, the members of groups that share `group`, or what a query of
    the user returns. Exactly one of the three is given."""

    bad: Any = None  # a boolean SQL expression over one row
    group: tuple[str, ...] = ()
    query: str = ""


@dataclass(frozen=True, kw_only=True)
class RowCheck(Check):
    """A check that gives one predicate over one column, true for a bad row. Count, ratio, samples, SQL and export follow."""

    words: ClassVar[str] = "are bad"  # what is said of many bad rows; the verb comes first

    def bad(self, column: Column) -> ColumnElement[bool]:
        raise NotImplementedError

    def predicate(self, at: Placed) -> ColumnElement[bool]:
        """The predicate at its place; checks that need more than one column override this one."""
        return self.bad(at.columns[0])

    def asks(self, at: Placed) -> Mapping[str, Metric]:
        assert at.table is not None
        table, where = at.table.full_name, at.where
        wanted = {"rows": Metric(table, "rows", (), where), "bad": Metric(table, "count_if", (self.predicate(at),), where)}
        if not self.judges_nulls and at.columns:
            wanted["nulls"] = Metric(table, "nulls", tuple(c.name for c in at.columns), where)
        return wanted

    def judge(self, at: Placed, now: Numbers, past: Past) -> Judgement:
        rows, count = int(now["rows"]), int(now["bad"])
        nulls, odd = int(now.get("nulls", 0)), int(now.get("unreadable", 0))
        seen = {"count": count, "rows": rows, "not_evaluated": nulls + odd}
        if rows == 0:
            return skipped(no_rows(at), **seen)
        if nulls == rows:
            return skipped(nothing_to_evaluate(at, rows), **seen)
        evaluated = rows - nulls - odd
        aside = [f"{nulls:,} {self.unjudged(at, nulls)} not evaluated"] if nulls else []
        aside += [f"{odd:,} not readable as a time"] if odd else []
        noun = one_or_more(self.noun(at), evaluated)
        said = f"{count:,} of {evaluated:,} {noun} {agreeing(self.told(at), count)}"
        said += f" ({', '.join(aside)})" if aside else ""
        fired = self.fires(count, evaluated)
        if fired is None:
            return passed(said, **seen)
        return failed(said, severity=fired[0], threshold=fired[1], **seen)

    def noun(self, at: Placed) -> str:
        return f"values of {at.place}" if at.columns else f"rows of {at.place}"

    def told(self, at: Placed) -> str:
        """The `words` at their place; checks that can say what was expected override this one."""
        return self.words

    def unjudged(self, at: Placed, count: int) -> str:
        """What is said of rows that are not evaluated."""
        return null_rows(at, count)

    def evidence(self, at: Placed) -> Evidence | None:
        return Evidence(bad=self.predicate(at))


def no_rows(at: Placed) -> str:
    return f"{at.place}: no rows to judge{' under its `where`' if at.where else ''}"


def null_rows(at: Placed, count: int) -> str:
    """So many rows in words: 1 NULL, 2 NULLs, 2 with a NULL part."""
    return one_or_more("NULLs", count) if len(at.columns) < 2 else "with a NULL part"


def nothing_to_evaluate(at: Placed, rows: int) -> str:
    """Why a check with rows in scope says nothing: each of them is one that it does not judge."""
    words = "are NULL" if len(at.columns) < 2 else "have a NULL part"
    which = f"{f'all {rows:,}' if rows > 1 else 'the only one'}{' under its `where`' if at.where else ''}"
    return f"{at.place}: nothing to evaluate: {which} {agreeing(words, rows)}"


def one_or_more(noun: str, count: int) -> str:
    """A noun in the plural, with more words behind it perhaps, as it stands behind a number: 1 value, 2 values of t.x."""
    first, space, rest = noun.partition(" ")
    return f"{first.removesuffix('s')}{space}{rest}" if count == 1 else noun


_OF_ONE = {"are": "is", "do": "does", "have": "has"}


def agreeing(words: str, count: int) -> str:
    """Words that open with a verb in the plural, as they are said of so many: 1 is NULL, 2 are NULL."""
    verb, space, rest = words.partition(" ")
    return f"{_OF_ONE.get(verb, f'{verb}s')}{space}{rest}" if count == 1 else words


# ---------------------------------------------------------------- what is told


@dataclass(frozen=True)
class Sample:
    """One failing row: its key, and the values of the check's columns (raw; the codec masks them)."""

    key: Mapping[str, Any] | None  # by column name; {"rowid": n} where there is no declared key; None = nothing names it
    rowid: int | None = None  # where it can be read
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """The outcome of one check, whatever it was."""

    id: str
    fingerprint: str
    check: str
    name: str
    dimension: str
    origin: Origin
    table: str | None
    schema: str
    columns: tuple[str, ...]
    severity: Severity
    judgement: Judgement
    tags: tuple[str, ...] = ()
    owner: str | None = None
    note: str | None = None  # the `description` option: what the user says the check is for
    file: str = ""
    line: int | None = None
    evidence: str = ""

    @property
    def status(self) -> Status:
        return self.judgement.status


@dataclass(frozen=True)
class Tally:
    """The failing rows of a finding beside those that a baseline lists, by what names them there."""

    keys: tuple[Any, ...] | None  # all of them; None = more than a baseline lists
    held: tuple[Any, ...] | None = None  # those that it lists; None = it lists no rows of this finding
    new: int = 0  # rows that it does not list
    shown: tuple[Sample, ...] = ()  # the first of these


@dataclass(frozen=True)
class Finding:
    """A failed check with its rows. `accepted` is who says that it does not count for the exit code ("" when it does)."""

    result: Result
    samples: tuple[Sample, ...] = ()
    sql: str = ""
    accepted: str = ""
    tally: Tally | None = field(default=None, repr=False)  # only where a baseline is written or compared; not saved

    @property
    def id(self) -> str:
        return self.result.id

    @property
    def fingerprint(self) -> str:
        return self.result.fingerprint

    @property
    def check(self) -> str:
        return self.result.check

    @property
    def severity(self) -> Severity:
        return self.result.severity

    @property
    def description(self) -> str:
        return self.result.judgement.message

    @property
    def count(self) -> int | None:
        return self.result.judgement.count

    @property
    def rows(self) -> int | None:
        return self.result.judgement.rows

    @property
    def evaluated(self) -> int | None:
        return self.result.judgement.evaluated

    @property
    def ratio(self) -> float | None:
        return round(self.count / self.evaluated, 6) if self.evaluated and self.count is not None else None


@dataclass(frozen=True)
class Run:
    """Everything one scan of one source found."""

    id: str
    source: str
    dialect: str
    location: str
    read_mode: str
    state: Mapping[str, Any]
    started: datetime
    finished: datetime
    version: str
    format: int
    engine: str
    config_digest: str
    rows: Mapping[str, int]  # table -> rows, of every table that was counted
    results: tuple[Result, ...]  # by id
    findings: tuple[Finding, ...]  # worst first, then by id
    measurements: tuple[Measurement, ...]
    catalog: Catalog | None
    complete: bool
    notes: tuple[str, ...] = ()
    exit_reasons: tuple[str, ...] = ()
    sample_values: Literal["full", "masked", "none"] = "masked"
    profile: Mapping[str, Any] = field(default_factory=dict)
    history: Mapping[str, Any] = field(default_factory=dict)
    pii_allowed: bool = False  # `pii: allow`: columns that look personal may be shown in full too
    fail_on: Severity | None = Severity.HIGH  # findings from this level on make exit 1; None = never
    report: Mapping[str, Any] = field(default_factory=dict)  # by a model: status, reason, cost ...; {} = none asked

    @property
    def errors(self) -> tuple[Result, ...]:
        return tuple(r for r in self.results if r.status == "error")


# ---------------------------------------------------------------- what is claimed and checked


@dataclass(frozen=True)
class Fact:
    """One number (or date) that the findings document holds, or that follows from it."""

    id: str  # "f12", the same for the same document
    subjects: tuple[str, ...]  # finding or result id, table name, "severity:high", or "" for the whole run
    kind: str  # count, rows, ratio, groups, previous, delta, threshold, value, date, ...
    value: Fraction | str  # exact; a ratio is a fraction 0 to 1, a date is its ISO text
    unit: str  # rows, share, points, fold, hours, tables, checks, findings, date, ...
    origin: str  # where it stands in the document: findings[3].count


@dataclass(frozen=True)
class Claim:
    """One number (or statement) of a text, and what the facts say about it."""

    line: int  # from 1
    start: int  # where it stands in that line, from 0
    end: int
    text: str  # the sentence or cell around it
    cited: str  # as written
    subject: str  # what it was taken to speak of, "" = the whole run
    kind: str  # number, date, direction, order, severity, name, omission, ...
    fact: str | None  # id of the fact that holds it up
    expected: tuple[str, ...]  # what would have been right: "2,649 (count)"
    rule: str  # the rule that decided: equal, rounded, sum, invented, ...
    reason: str  # in words


@dataclass(frozen=True)
class Aside:
    """A number of a text that claims nothing, and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class Verdict:
    """What a text may be told for: nothing, when `bad` is empty."""

    bad: tuple[Claim, ...]
    ok: tuple[Claim, ...]
    skipped: tuple[Aside, ...]
    coincidence_rate: float = 0.0  # share of random numbers that the facts would accept for a bound subject


@dataclass(frozen=True)
class Report:
    """A report in words. Only `verified` and `repaired` ones hold what a model wrote, whole."""

    title: str
    text: str  # the document, ready to be written
    status: Literal["verified", "repaired", "cut", "facts_only", "unverified"]
    claims: tuple[Claim, ...] = ()  # the verified ones
    skipped: tuple[Aside, ...] = ()
    rounds: int = 0  # evaluations
    calls: int = 0
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None  # in the currency of the provider's prices, None = no price is known
    seconds: float = 0.0
    reason: str = ""  # why it is not simply verified
    prompts: str = ""  # digest of the prompts


@dataclass(frozen=True)
class ColumnProfile:
    """What a look at some rows of a column saw: each distinct value with how often it stood there.

    Text that is not valid UTF-8 is decoded with surrogateescape. `complete` says whether every row of the table was seen
    and every distinct value kept.
    """

    table: str
    column: str
    rows: int
    counts: Mapping[Any, int]
    complete: bool
    how: str = "all rows"


@dataclass(frozen=True)
class Task:
    name: str
    description: str
    checks: tuple[CheckSpec, ...] = ()
    infer: bool | None = None  # None: the config decides (`config.with_task`)
    prompts: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    time_zone: str | None = None  # None: the config decides
    off: frozenset[tuple[str | None, str | None, str]] = frozenset()  # inferred checks not wanted: (table, column, check)


@dataclass(frozen=True)
class Groups:
    """Rows that share their values: `members` rows in `groups` groups of more than one."""

    groups: int
    members: int
    keys: tuple[Any, ...] = field(default=(), repr=False)  # the shared values, where one column has few of them; else ()


@dataclass(frozen=True)
class Damage:
    """What the engine's own check of its file says: a line for each place, in its order. `complete`: it named all.
    `unseen`: what could not be looked at, and why."""

    lines: tuple[str, ...]
    complete: bool = True
    unseen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reference:
    """Child columns and the parent columns they point to. `keyed` = the parent side has an index that can be searched."""

    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]
    keyed: bool = False
