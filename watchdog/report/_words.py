"""What the program itself says in a report, in English and Chinese. `{}` is where a number goes that is a fact.

The wording is plain on purpose: each number stands beside the word for what it counts, so that the verifier, which knows
nothing of this file, binds every one of them. UsageError for a language without words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from watchdog.errors import UsageError

LEVELS = ("high", "medium", "low", "info")

# What is wrong with the rows; the English verb comes first, in the plural (`model.agreeing`).
FAULTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "accepted_range": ("are outside the allowed range", "超出允许范围"),
        "accepted_values": ("hold a value that is not accepted", "的值不在允许之列"),
        "encoding": ("hold text in a broken encoding", "的文本编码有误"),
        "expression_is_true": ("break the rule", "不符合规则"),
        "matches": ("do not match the pattern", "与格式不符"),
        "missing": ("hold a blank or a word for nothing", "为空白或“无”之类的字样"),
        "not_future": ("lie in the future", "的时间在未来"),
        "not_null": ("are NULL", "为空值（NULL）"),
        "primary_key": ("lack a part of their key", "的主键不完整"),
        "relationships": ("point to a row that does not exist", "指向不存在的行"),
        "type": ("hold a value of another type", "的值类型不对"),
        "unique": ("share a value that should be unique", "的值本应唯一却有重复"),
        "unique_combination_of_columns": ("share a combination that should be unique", "的组合本应唯一却有重复"),
        "valid": ("hold a value that is not valid", "的值无效"),
        "": ("fail this check", "未通过这项检查"),
    }
)

_EN = {
    "summary": "Summary",
    "findings": "The scan has {} {findings}: {levels}.",
    "one": "finding",
    "many": "findings",
    "level": "{} {label}",
    "none": "There are no findings.",
    "no_checks": "No check ran.",
    "none_seen": "There are no findings in what could be evaluated.",
    "checks": "{} {checks} ran on {tables} {noun}. {outcomes}.",
    "checks_only": "{} {checks} ran. {outcomes}.",
    "passed": "{} {checks} passed",
    "failed": "{} {checks} failed",
    "skipped": "{} {checks} skipped",
    "errored": "{} {checks} could not be evaluated",
    "incomplete": "The picture is not complete: something could not be looked at.",
    "high": "High severity",
    "medium": "Medium severity",
    "low": "Low severity",
    "info": "For information",
    "other": "Other findings",
    "of": "{} of {rows} rows{share} {fault}",
    "share": " ({})",
    "cases": "the check counts {}",
    "rows": "the table has {} {noun}",
    "nothing": "the check failed",
    "groups": "They form {} {noun}.",
    "surplus": "Surplus rows: {}.",
    "not_evaluated": "Rows not evaluated: {}.",
    "previous": "Previous count: {}.",
    "value": "The measured value is {}.",
    "lower": "The lower limit is {}.",
    "upper": "The upper limit is {}.",
    "equals": "The expected number is {}.",
    "accepted": "It is accepted.",
    "guess": "A guess: {}",
    "more": "Further findings of this severity stand in the findings file.",
    "unevaluated": "Not evaluated",
    "was_skipped": "{id} was skipped",
    "was_errored": "{id} could not be evaluated",
    "because": "{said}: {why}",
    "more_unevaluated": "Further checks that were not evaluated stand in the findings file.",
    "colon": ": ",
    "comma": ", ",
    "stop": ".",
    "space": " ",
}
_ZH = {
    "summary": "摘要",
    "findings": "本次扫描共有 {} 个问题：{levels}。",
    "one": "",
    "many": "",
    "level": "{label} {} 个",
    "none": "没有发现问题。",
    "no_checks": "没有运行任何检查。",
    "none_seen": "在能够评估的范围内未见问题。",
    "checks": "对 {tables} 张表运行了 {} 项检查，其中 {outcomes}。",
    "checks_only": "运行了 {} 项检查，其中 {outcomes}。",
    "passed": "{} 项检查通过",
    "failed": "{} 项检查失败",
    "skipped": "{} 项检查被跳过",
    "errored": "{} 项检查无法评估",
    "incomplete": "结果并不完整：有些内容没能查看。",
    "high": "严重程度：高",
    "medium": "严重程度：中",
    "low": "严重程度：低",
    "info": "提示",
    "other": "其他问题",
    "of": "{rows} 行中有 {} 行{share}{fault}",
    "share": "（{}）",
    "cases": "检查计得 {}",
    "rows": "该表有 {} 行",
    "nothing": "检查未通过",
    "groups": "分为 {} 组。",
    "surplus": "多出 {} 行。",
    "not_evaluated": "未评估的有 {} 行。",
    "previous": "此前为 {} 行。",
    "value": "测得的值为 {}。",
    "lower": "最小允许值为 {}。",
    "upper": "最大允许值为 {}。",
    "equals": "应为 {}。",
    "accepted": "该问题已被接受。",
    "guess": "推测：{}",
    "more": "同一严重程度的其余问题见结果文件。",
    "unevaluated": "未评估",
    "was_skipped": "{id} 被跳过",
    "was_errored": "{id} 未能评估",
    "because": "{said}：{why}",
    "more_unevaluated": "其余未评估的检查见结果文件。",
    "colon": "：",
    "comma": "，",
    "stop": "。",
    "space": "",
}
_LABELS = {
    "en": {level: level for level in LEVELS},
    "zh": {"high": "高", "medium": "中", "low": "低", "info": "提示"},
}
_WORDS = {"en": _EN, "zh": _ZH}
LANGUAGES = tuple(_WORDS)


def words(lang: str) -> Mapping[str, str]:
    if lang not in _WORDS:
        raise UsageError(f"there are no reports in the language {lang!r}", hint=f"known: {', '.join(LANGUAGES)}")
    return _WORDS[lang]


def label(level: str, lang: str) -> str:
    """A severity in words; one of a foreign file stays as it is."""
    return _LABELS[lang].get(level, level)


def fault(check: str, lang: str) -> str:
    return FAULTS.get(check, FAULTS[""])[LANGUAGES.index(lang)]
