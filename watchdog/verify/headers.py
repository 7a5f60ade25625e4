"""What the head of a table column says of the numbers under it."""

from __future__ import annotations

import re

from watchdog.verify.scope import Line

_HEADERS: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), frozenset(kinds.split()))
    for pattern, kinds in (
        (
            r"previous|last|before|prior|earlier|上次|此前|之前|先前|上一|vorher|zuletzt|letzt|vorig|zuvor|précéd"
            r"|avant|derni", "previous previous_ratio"),
        (
            r"change|delta|diff|trend|Δ|\+/-|变化|增减|变动|差|änderung|veränder|differenz|écart|évolution"
            r"|variation", "delta percent_change points fold"),
        (
            r"threshold|limit|allowed|toleran|at most|阈值|上限|允许|限制|schwell|grenz|limit|erlaubt|seuil|limite"
            r"|toléré",
            "threshold allowed_min allowed_max expected min max max_age_hours"),
        (
            r"%|percent|share|ratio|rate|portion|proportion|占比|比例|比率|率|anteil|quote|prozent|part\b|taux"
            r"|proportion|pourcentage", "ratio complement_ratio"),
        (r"groups?|组|gruppen?|groupes?", "groups"),
        (
            r"total rows|table rows|rows (?:in|checked|scanned|total)|of rows|out of|总行数|总数|表行数|检查行数"
            r"|总记录|zeilen gesamt|gesamt|lignes au total|total|population",
            "rows table_rows evaluated total_rows tables checks_run findings sum"),
        (r"null|not evaluated|未评估|nicht bewertet|non évalu", "not_evaluated count"),
        (
            r"bad|affected|failing|failed|count|violations?|number|anzahl|betroffen|fehlerhaft|verstöße|treffer"
            r"|问题行|问题数|数量|条数|计数|异常|受影响|不合格|nombre|lignes (?:fautives|touchées|concernées)"
            r"|touché|fautive|cas\b", "count surplus value groups findings"),
    )
)  # fmt: skip


def header_kinds(line: Line) -> frozenset[str] | None:
    return of_header(line.piece.header, line.row_text) if line.piece.header else None


def of_header(header: str, row: str) -> frozenset[str] | None:
    for pattern, kinds in _HEADERS:
        if pattern.search(header):
            return kinds | {"findings", "findings_high", "findings_medium", "findings_low", "findings_info", "sum",
                            *(f"checks_{k}" for k in ("run", "evaluated", "passed", "failed", "skipped", "errored"))} \
                if "count" in kinds else kinds  # fmt: skip
    return None
