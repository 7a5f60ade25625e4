"""The facts-only report: what is published when no model was asked, or none could be trusted.

In: the findings document, its facts, a language (en, zh). Out: Markdown in which the verifier finds nothing wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watchdog.report._skeleton import skeleton
from watchdog.verify import Facts


def plain(findings: Mapping[str, Any], facts: Facts, lang: str = "en") -> str:
    return skeleton(findings, facts, lang)
