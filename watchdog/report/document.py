"""report.md: the verified text with what a reader needs to trust it.

In: the findings document, a text, its verdict, how it came about (`Meta`), a language. Out: Markdown: a header block, the
text, a table of all findings, what was not evaluated, and for each line of the text a footnote that leads from its numbers
to the findings. The same input gives the same bytes. Refuses a verdict with mismatches: what was not verified is not
published. The text has been through `tidy` before it was verified; here it goes through it again, which changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from watchdog.model import Claim, Fact, Verdict
from watchdog.render._escape import code, markdown, short, visible
from watchdog.report import _told
from watchdog.report._skeleton import number, span
from watchdog.report._tidy import tidy
from watchdog.report._words import label, words
from watchdog.verify import Facts, facts_of

ROWS = 500  # findings in the table
LINES = 200  # checks told that were not evaluated
NOTES = 400  # footnotes
LONGEST = 300  # characters of a line of the header
_CITED = 60


@dataclass(frozen=True)
class Meta:
    """How the text came about. The names are those of `model.Report`."""

    status: Literal["verified", "repaired", "cut", "facts_only", "unverified"] = "verified"
    reason: str = ""  # why it is not simply verified
    model: str = ""  # "" = no model was asked
    rounds: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False  # the tokens are
    cost: float | None = None  # in the currency of the provider's prices, None = no price is known
    seconds: float = 0.0
    prompts: str = ""  # digest of the prompts
    notes: tuple[str, ...] = ()  # what else a reader should know: sentences that were dropped, findings left out


def document(findings: Mapping[str, Any], body: str, verdict: Verdict | None, meta: Meta, lang: str = "en") -> str:
    """`verdict` is that of `body`; None = it was not checked, and the report says so (status `unverified` only)."""
    if meta.status != "unverified" and (verdict is None or verdict.bad):
        raise ValueError(f"a report that is {meta.status} needs a verdict without mismatches")
    say = _SAY[lang] if lang in _SAY else _SAY["en"]
    words(lang)  # refuses a language that nobody has words for
    facts = facts_of(findings)
    name = _told.text(_told.mapping(findings.get("source")).get("name")) or "?"
    claims = verdict.ok if verdict is not None else ()
    text, notes = _annotated(tidy(body).strip("\n"), _shift(tidy(body)), claims, facts, say)
    parts = [f"# {say['title']}{span(name)}", _block(_header(findings, verdict, meta, say)), say[meta.status], text]
    table = _table(findings, facts, lang, say)
    if table:
        parts += [f"## {say['table']}", table, say["said"], _block(_said(findings, say))]
    unevaluated = _block(_unevaluated(findings, say))
    if unevaluated:
        parts += [f"## {say['unevaluated']}", unevaluated]
    if notes:
        parts += ["---", say["trail"], *notes]
    return "\n\n".join(parts) + "\n"


def _header(findings: Mapping[str, Any], verdict: Verdict | None, meta: Meta, say: Mapping[str, str]) -> Iterator[str]:
    source, run = _told.mapping(findings.get("source")), _told.mapping(findings.get("run"))
    place = [_told.text(source.get(key)) for key in ("location", "dialect")]
    named = _told.text(source.get("name")) or "?"
    yield f"{say['source']}: {named}{_in_brackets(', '.join(filter(None, place)))}"
    moment = _told.text(run.get("started_at"))[:16].replace("T", " ")
    yield f"{say['run']}: {', '.join(filter(None, (_told.text(run.get('id')), f'{moment} UTC' if moment else '')))}"
    if verdict is None:
        yield f"{say['numbers']}: {say['not_checked']}"
    else:
        total = len(verdict.ok) + len(verdict.bad)
        told = say["verified_of"].format(len(verdict.ok), total)
        yield f"{say['numbers']}: {told}{say['no_claims'].format(len(verdict.skipped)) if verdict.skipped else ''}"
    yield f"{say['status']}: {meta.status.replace('_', ' ')}{f' - {meta.reason}' if meta.reason else ''}"
    if meta.model:
        yield f"{say['model']}: {meta.model}"
        yield f"{say['effort']}: " + say["effort_told"].format(
            rounds=meta.rounds, calls=meta.calls, tokens_in=f"{meta.tokens_in:,}", tokens_out=f"{meta.tokens_out:,}",
            estimated=say["estimated"] if meta.estimated else "", seconds=f"{meta.seconds:.1f}",
        )  # fmt: skip
        yield f"{say['cost']}: {say['no_price'] if meta.cost is None else f'{meta.cost:.4f}'}"
    if meta.prompts:
        yield f"{say['prompts']}: {meta.prompts}"
    version = _told.text(run.get("version"))
    if version:
        yield f"watchdog: {version}"
    yield from (f"{say['note']}: {note}" for note in meta.notes)


def _block(lines: Iterator[str]) -> str:
    """Lines as a fenced block, in which nothing is Markdown; "" without any. Each line opens with a word of ours."""
    told = [short(visible(line), LONGEST) for line in lines]
    return "\n".join(("```text", *told, "```")) if told else ""


def _table(findings: Mapping[str, Any], facts: Facts, lang: str, say: Mapping[str, str]) -> str:
    found = _told.findings_of(findings)
    if not found:
        return ""
    past = any(_told.past(findings, f) or f.get("previous_count") is not None for f in found)
    head = [say[key] for key in ("severity", "finding", "found", "of_rows", "share")]
    head += [say["before"], say["state"]] if past else []
    lines = [head, ["---", "---", "---:", "---:", "---:", *(["---:", "---"] if past else [])]]
    for finding in found[:ROWS]:
        known = {f.kind: f for f in reversed(facts.of(_told.text(finding.get("id"))))}
        measured = known.get("count") or known.get("value")
        cells = [
            markdown(label(_told.text(finding.get("severity")), lang)),
            code(_told.text(finding.get("id"))),
            *(_shown(fact, lang) for fact in (measured, known.get("evaluated") or known.get("rows"), known.get("ratio"))),
        ]
        if past:
            state = "accepted" if finding.get("accepted") else _told.text(_told.past(findings, finding).get("state"))
            cells += [_shown(known.get("previous"), lang), markdown(say.get(f"is_{state}", state))]
        lines.append(cells)
    told = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    more = len(found) - ROWS
    return f"{told}\n\n{say['more'].format(f'{more:,}')}" if more > 0 else told


def _said(findings: Mapping[str, Any], say: Mapping[str, str]) -> Iterator[str]:
    """What the checks themselves say, limits and patterns included, and what their owner says they are for."""
    for n, finding in enumerate(_told.findings_of(findings)):
        if n == LINES:
            yield say["more_checks"]
            return
        told = [_told.text(finding.get(key)) for key in ("description", "note")]
        yield f"{_told.text(finding.get('id'))}: {' - '.join(filter(None, told))}"


def _unevaluated(findings: Mapping[str, Any], say: Mapping[str, str]) -> Iterator[str]:
    """Reasons come from databases and drivers, and hold what they like; in a block they are only shown."""
    for n, (id, status, reason) in enumerate(_told.not_evaluated(findings)):
        if n == LINES:
            yield say["more_checks"]
            return
        yield f"{say[status]}: {id}{f' - {reason}' if reason else ''}"


def _annotated(
    text: str, shift: int, claims: Sequence[Claim], facts: Facts, say: Mapping[str, str]
) -> tuple[str, list[str]]:
    """The text with a footnote behind each line that claims something, and the footnotes."""
    by_line: dict[int, list[Claim]] = {}
    for claim in claims:
        by_line.setdefault(claim.line - 1 - shift, []).append(claim)
    lines = text.split("\n")
    notes: list[str] = []
    for n in sorted(by_line):
        told = [_traced(c, facts, say) for c in sorted(by_line[n], key=lambda c: (c.start, c.end))]
        told = list(dict.fromkeys(filter(None, told)))
        if not told or not 0 <= n < len(lines):
            continue
        if len(notes) == NOTES:
            notes.append(say["more_notes"])
            break
        mark = f"[^{len(notes) + 1}]"
        lines[n] = _marked(lines[n], mark)
        notes.append(f"{mark}: {span('; '.join(told))}")
    return "\n".join(lines), notes


def _traced(claim: Claim, facts: Facts, say: Mapping[str, str]) -> str:
    """What a number equals: `“12” = count of orders.email.not_null (f3)`; "" for a claim that leans on no single fact."""
    fact = facts.by_id(claim.fact) if claim.fact else None
    if fact is None:
        return ""
    kind = fact.kind.replace("_", " ")
    return f"“{short(claim.cited, _CITED)}” = {kind}{say['of']}{_subject(fact, say)} ({fact.id})"


def _subject(fact: Fact, say: Mapping[str, str]) -> str:
    subject = next(iter(fact.subjects), "")
    if not subject:
        return say["whole_run"]
    if subject.startswith("severity:"):
        return say["severity_of"] + subject.removeprefix("severity:")
    return subject


def _marked(line: str, mark: str) -> str:
    """The line with a mark where it can be read: inside the last cell of a row, before the spaces of a line break."""
    bare = line.rstrip()
    if bare.endswith("|") and bare.lstrip().startswith("|"):
        return f"{bare[:-1].rstrip()} {mark} |"
    if bare.endswith("\\") and not bare.endswith("\\\\"):
        return f"{bare[:-1]}{mark}\\"
    return f"{bare}{mark}{line[len(bare) :]}"


def _shift(text: str) -> int:
    """How many lines are gone at the head of a text when its empty ones are."""
    return len(text) - len(text.lstrip("\n"))


def _shown(fact: Fact | None, lang: str) -> str:
    return "–" if fact is None else number(fact, lang)


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


_CHECKED = "Every number in the text was compared with the findings by a program"
_SAY: dict[str, dict[str, str]] = {
    "en": {
        "title": "Data quality of ",
        "source": "source",
        "run": "run",
        "numbers": "numbers",
        "verified_of": "{} of {} numbers verified",
        "no_claims": ", {} that claim nothing",
        "not_checked": "numbers NOT checked",
        "status": "status",
        "model": "model",
        "effort": "effort",
        "effort_told": "rounds {rounds}, calls {calls}, tokens {tokens_in} in and {tokens_out} out{estimated}, {seconds} s",
        "estimated": " (estimated)",
        "cost": "cost",
        "no_price": "unknown, the provider has no price",
        "prompts": "prompts",
        "note": "note",
        "verified": f"{_CHECKED}.",
        "repaired": f"{_CHECKED}, which put right what the model had wrong.",
        "cut": f"{_CHECKED}. What could not be verified was cut.",
        "facts_only": f"{_CHECKED}. The words are the program's own, no model's.",
        "unverified": "**The numbers in this text were NOT checked.**",
        "table": "All findings",
        "said": "What the checks say:",
        "severity": "Severity",
        "finding": "Finding",
        "found": "Found",
        "of_rows": "Of rows",
        "share": "Share",
        "before": "Previous",
        "state": "State",
        "more": "… and {} more in the findings file.",
        "unevaluated": "Checks that were not evaluated",
        "error": "error",
        "skipped": "skipped",
        "more_checks": "… and more in the findings file",
        "trail": "Where the numbers come from:",
        "more_notes": "Further lines have no footnote.",
        "of": " of ",
        "whole_run": "the whole run",
        "severity_of": "severity ",
    },
    "zh": {
        "title": "数据质量报告：",
        "source": "来源",
        "run": "运行",
        "numbers": "数字",
        "verified_of": "{1} 个数字中有 {0} 个已核实",
        "no_claims": "，另有 {} 个不作陈述",
        "not_checked": "数字未经核对",
        "status": "状态",
        "model": "模型",
        "effort": "用量",
        "effort_told": "{rounds} 轮，调用 {calls} 次，输入 {tokens_in}、输出 {tokens_out} 个 token{estimated}，{seconds} 秒",
        "estimated": "（估计）",
        "cost": "费用",
        "no_price": "未知，没有设置价格",
        "prompts": "提示词",
        "note": "说明",
        "verified": "文中每个数字都已由程序与检查结果核对。",
        "repaired": "文中每个数字都已由程序与检查结果核对，模型写错之处已由程序改正。",
        "cut": "文中每个数字都已由程序与检查结果核对，无法核实的内容已删去。",
        "facts_only": "文中每个数字都已由程序与检查结果核对。文字由程序生成，不出自模型。",
        "unverified": "**本文中的数字未经核对。**",
        "table": "全部问题",
        "said": "各项检查的说明：",
        "severity": "严重程度",
        "finding": "问题",
        "found": "发现",
        "of_rows": "总行数",
        "share": "占比",
        "before": "上次",
        "state": "状态",
        "more": "……其余 {} 个见结果文件。",
        "unevaluated": "未评估的检查",
        "error": "出错",
        "skipped": "跳过",
        "more_checks": "……其余见结果文件",
        "trail": "数字出处：",
        "more_notes": "其余各行没有脚注。",
        "of": "，",
        "whole_run": "整次运行",
        "severity_of": "严重程度 ",
        "is_new": "新增",
        "is_ongoing": "持续",
        "is_worse": "变差",
        "is_better": "变好",
        "is_resolved": "已解决",
        "is_accepted": "已接受",
    },
}
