"""The shape of config.yaml and task.yaml: their keys and types, once, for reading and for the JSON Schema.

`validate` turns a Node into a shape. Refuses with file, line and, for an unknown key, the nearest known one.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, NoReturn, TypeVar, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError

from watchdog.config.cron import parse_cron
from watchdog.config.nodes import Node
from watchdog.config.values import DEFAULT_TASK, FailOn, Llm, Pii, SampleValues
from watchdog.errors import ConfigError, nearest

CHECK = {"title": "check"}  # stands in the JSON Schema until schema.py knows what a check looks like
DURATION = r"[1-9][0-9]{0,5}\s*[smhd]"
_KEEP = "whole runs that stay in reports/<source>/, and as many partial ones; older ones are removed"
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
VARIABLE = r"[A-Za-z_][A-Za-z0-9_]*"
_NAME = re.compile(r"\w[\w.-]{0,99}")  # a source's name is a folder in reports/ and a part of ids


def refuse(message: str, hint: str = "") -> NoReturn:
    raise PydanticCustomError("refused", "{message}", {"message": message, "hint": hint})


def _zone(name: str) -> str:
    import zoneinfo

    try:
        zoneinfo.ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # OSError: a folder of the zone database, such as Europe
        refuse(f"unknown time zone {name!r}", nearest(name, zoneinfo.available_timezones()))
    return name


def _cron(text: str) -> str:
    try:
        parse_cron(text)
    except ValueError as problem:
        refuse(f"cron {text!r}: {problem}", "five fields: minute hour day-of-month month weekday, such as 0 6 * * 1-5")
    return text


def _duration(text: str) -> str:
    if not re.fullmatch(DURATION, text):
        refuse(f"{text!r} is not a duration", "a number with its unit: 90s, 15m, 6h or 1d")
    return text


def seconds(duration: str) -> int:
    return int(duration[:-1]) * _SECONDS[duration[-1]]


def _source_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        refuse(
            f"{name!r} cannot be the name of a source", "letters, digits, '_', '-' and '.', at most 100, not '.' first"
        )
    return name


def _filled(text: str) -> str:
    if not text.strip():
        refuse("must not be empty")
    return text


def _variable(name: str) -> str:
    if not re.fullmatch(VARIABLE, name):  # the value stays unsaid: it may be the key itself
        refuse("is not the name of an environment variable", "the key itself never stands in this file")
    return name


def _none_as(empty: Callable[[], Any]) -> BeforeValidator:
    """A section whose lines are all commented out is an empty one."""
    return BeforeValidator(lambda value: empty() if value is None else value)


def _or_list(schema: dict[str, Any]) -> None:
    """Tells editors what `_column` allows."""
    mapping = dict(schema)
    schema.clear()
    schema["anyOf"] = [{"type": "array", "items": CHECK}, mapping]


def _column(value: Any) -> Any:
    """A column's checks may stand there at once, without the word `checks`."""
    return {"checks": value or []} if value is None or isinstance(value, list) else value


T = TypeVar("T")
Text = Annotated[str, AfterValidator(_filled)]
Zone = Annotated[str, AfterValidator(_zone)]
Duration = Annotated[str, AfterValidator(_duration), Field(json_schema_extra={"pattern": f"^{DURATION}$"})]
Variable = Annotated[str, AfterValidator(_variable), Field(json_schema_extra={"pattern": f"^{VARIABLE}$"})]
Section = Annotated[dict[Text, T], _none_as(dict)]
Items = Annotated[list[T], _none_as(list)]
Checks = Items[Annotated[Any, WithJsonSchema(CHECK)]]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)  # a scan needs few of them


class DefaultsShape(Shape):
    fail_on: FailOn = Field(default="high", description="the lowest severity that makes the exit code 1")
    samples: int = Field(default=5, ge=0, le=1000, description="failing rows shown for a finding")
    sample_values: SampleValues = Field(default="masked", description="how cell values appear in every output")
    pii: Pii = Field(default="mask", description="allow: columns that look personal are shown like others")
    time_zone: Zone = Field(default="UTC", description="the zone of times without one, such as Europe/Berlin")
    infer: bool = Field(default=True, description="look for further rules in the data itself")
    formats: Items[Text] = Field(default=[], description="further formats to write for each run: text, junit, github")
    owner: Text | None = Field(default=None, description="who looks after it: stands at every finding")
    tags: Items[Text] = Field(default=[], description="of all its checks that name none; --select tag:x takes them")
    keep: int = Field(default=30, ge=1, le=1_000_000, description=_KEEP)


class PlaceShape(Shape):
    checks: Checks = []
    off: Items[Text] = Field(default=[], description="inferred checks that are not wanted here")


class ColumnShape(PlaceShape):
    model_config = ConfigDict(json_schema_extra=_or_list)


class TableShape(PlaceShape):
    columns: Section[Annotated[ColumnShape, BeforeValidator(_column)]] = {}
    severity: Literal["info", "low", "medium", "high"] | None = Field(
        default=None, description="of all its checks that name none"
    )
    owner: Text | None = None
    tags: Items[Text] = []
    where: Text | None = Field(
        default=None, description="SQL condition: which rows its checks look at, unless a check says its own"
    )


class RulesShape(Shape):
    """What config.yaml says of a source and task.yaml of every source it is used on."""

    tables: Section[Annotated[TableShape, _none_as(dict)]] = {}
    checks: Checks = Field(default=[], description="checks on the whole database")
    off: Items[Text] = Field(default=[], description="inferred checks that are not wanted at all")


class SourceShape(RulesShape, DefaultsShape):
    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["path"]}, {"required": ["url"]}]})
    path: Text | None = Field(default=None, description="a file, from the folder of this config; ${NAME} is filled in")
    url: Text | None = Field(default=None, description="SQLAlchemy URL; ${NAME} is filled in")
    task: Text = Field(default=DEFAULT_TASK, description="the folder in tasks/ that says what is checked")
    include: Items[Text] = Field(default=[], description="globs of tables to scan; none means all")
    exclude: Items[Text] = Field(default=[], description="globs of tables to leave out")


class ScheduleShape(Shape):
    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["cron"]}, {"required": ["every"]}]})
    source: Text
    cron: Annotated[str, AfterValidator(_cron)] | None = Field(
        default=None, description="minute hour day-of-month month weekday"
    )
    every: Duration | None = Field(default=None, description="90s, 15m, 6h or 1d")
    time_zone: Zone | None = Field(default=None, description="the zone of `cron`; else that of the source")
    jitter: Duration | None = Field(default=None, description="start up to this much earlier or later")
    llm: Llm = Field(
        default="never", description="a report by a model; on_change: the one there is, as long as nothing has changed"
    )


class PriceShape(Shape):
    """What a provider asks for a million tokens."""

    input: float = Field(ge=0, description="for a million tokens of prompt")
    output: float = Field(ge=0, description="for a million tokens of reply")
    currency: Text = "USD"


class ModelsShape(Shape):
    """A model for each part of the work. Who is not named works with `model`, `fix` with that of the specialist."""

    planner: Text | None = None
    specialist: Text | None = None
    evaluator: Text | None = None
    fix: Text | None = None


class ProviderShape(Shape):
    """A language model behind an OpenAI-compatible server. Keys come from the environment, never from this file.

    What is not given follows from the provider's name: openai (and default), deepseek, ollama and llama.cpp are known,
    any other name XYZ reads XYZ_API_KEY, XYZ_BASE_URL and XYZ_MODEL.
    """

    kind: Literal["openai", "scripted", "recorded"] = Field(
        default="openai",
        description="scripted: replies are read from `file`; recorded: only from `cache`; both ask no server",
    )
    api_key_env: Variable | None = Field(
        default=None, description="the variable that holds the key; OPENAI_API_KEY, ..."
    )
    base_url_env: Variable | None = Field(default=None, description="the variable that beats `base_url`")
    model_env: Variable | None = Field(default=None, description="the variable that beats `model`")
    base_url: Text | None = Field(default=None, description="where the server is; usually ends in /v1")
    model: Text | None = Field(default=None, description="the model's name, as the server knows it")
    models: Annotated[ModelsShape, _none_as(dict)] = Field(
        default=ModelsShape(),
        description="another model for one part of the work: planner, specialist, evaluator, fix; beats `model` and its variable",
    )
    temperature: Annotated[float, Field(ge=0, le=2)] | None = Field(
        default=0.3, description="null: not sent, as some models refuse it"
    )
    max_tokens: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="the longest reply in tokens; null: not sent"
    )
    context_tokens: Annotated[int, Field(ge=512)] | None = Field(
        default=None, description="what the model can read at once, prompt and reply; longer findings are summed up"
    )
    timeout: float = Field(default=120, gt=0, le=3600, description="seconds for one request, until its reply is whole")
    max_retries: int = Field(default=3, ge=0, le=10, description="further requests after one that may succeed later")
    max_wait: float = Field(
        default=60, ge=0, le=3600, description="seconds to wait between the requests of one call, all together"
    )
    structured: Literal["json_schema", "json_object", "none"] | None = Field(
        default=None, description="how the server is told of a JSON Schema; null: as the provider's name suggests"
    )
    style: Literal["markdown", "slots"] = Field(
        default="markdown",
        description="markdown: the model writes the report; slots: it fills in sentences, for small models",
    )
    price: PriceShape | None = Field(
        default=None,
        description="for a million tokens: {input: 0.15, output: 0.6, currency: USD}; null: cost is unknown",
    )
    cache: Text | None = Field(
        default=None, description="a folder, from that of this config: replies are kept there and used again"
    )
    file: Text | None = Field(default=None, description="of kind scripted: its replies, one JSON value a line")
    tracing: bool = Field(
        default=False, description="true: LANGSMITH_TRACING in the environment is followed; else nothing is traced"
    )


class ConfigShape(Shape):
    watchdog: Literal[1] = Field(description="the version of this file's schema; it has to be the first key")
    defaults: Annotated[DefaultsShape, _none_as(dict)] = DefaultsShape()
    sources: Annotated[
        dict[Annotated[str, AfterValidator(_source_name)], Annotated[SourceShape, _none_as(dict)]], _none_as(dict)
    ] = {}
    providers: Section[Annotated[ProviderShape, _none_as(dict)]] = {}
    schedules: Items[ScheduleShape] = []


class LimitsShape(Shape):
    """What the report of a task may cost. When one of these is used up, the report is finished without a model."""

    calls: Annotated[int, Field(ge=1, le=1000)] | None = Field(default=None, description="requests, failed ones too; 8")
    tokens: Annotated[int, Field(ge=1)] | None = Field(default=None, description="read and written, together; 60,000")
    seconds: Annotated[float, Field(gt=0)] | None = Field(default=None, description="of the whole report; 300")
    money: Annotated[float, Field(gt=0)] | None = Field(
        default=None, description="in the currency of the provider's price, which has to be set; no limit"
    )
    max_retries: Annotated[int, Field(ge=0, le=10)] | None = Field(
        default=None, description="times that a model may mend its report; 3"
    )


class TaskShape(RulesShape):
    """task.yaml."""

    name: Text | None = None
    description: str = ""
    infer: bool | None = None
    time_zone: Zone | None = None
    prompts: Annotated[dict[str, Any], _none_as(dict)] = {}
    limits: Annotated[LimitsShape, _none_as(dict)] = LimitsShape()


ShapeT = TypeVar("ShapeT", bound=Shape)


def validate(shape: type[ShapeT], node: Node) -> ShapeT:
    """The node as a shape. ConfigError about the first mistake in it, without repeating a value of a wrong type."""
    try:
        return shape.model_validate(node.plain())
    except ValidationError as problem:
        mistakes = [_said(shape, node, error) for error in problem.errors(include_url=False, include_input=False)]
    raise min(mistakes, key=lambda mistake: mistake.line or 0)


def _said(shape: type[Shape], node: Node, error: ErrorDetails) -> ConfigError:
    path = tuple(part for part in error["loc"] if part != "[key]")
    place = ".".join(map(str, path))
    if error["type"] == "extra_forbidden":
        key, above = str(path[-1]), ".".join(map(str, path[:-1]))
        message = f"unknown key {key!r}" + (f" in {above}" if above else "")
        return node.wrong(message, *path, hint=nearest(key, _keys(shape, path[:-1])))
    if error["type"] == "missing":
        return node.wrong(f"{place}: is missing", *path)
    hint = str(error.get("ctx", {}).get("hint", ""))
    if error["type"] == "bool_type":
        hint = "YAML 1.2 knows true and false; yes, no, on and off are text"
    said = re.sub("^Input should be", "must be", error["msg"].replace("valid dictionary", "mapping of keys to values"))
    if error["type"] in ("model_type", "model_attributes_type"):
        said = "must be a mapping of keys to values"
    return node.wrong(f"{place}: {said}" if place else said, *path, hint=hint)


def _keys(shape: Any, path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys that are known at a path, found by walking the types."""
    for part in path:
        shape = _inner(shape)
        shape = shape.model_fields[part].annotation if _is_shape(shape) else get_args(shape)[-1]
    shape = _inner(shape)
    return tuple(shape.model_fields) if _is_shape(shape) else ()


def _is_shape(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Shape)


def _inner(annotation: Any) -> Any:
    """The type without Annotated and without `| None`."""
    while get_origin(annotation) in (Annotated, typing.Union, types.UnionType):
        annotation = get_args(annotation)[0]
    return annotation
