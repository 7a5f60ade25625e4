"""When the loop ends. Pure: the trail of evaluations goes in, a reason or "" comes out.

A round is new when neither its text nor its set of mismatches was there before. Rounds that are new but do not get
smaller end as well: two without fewer mismatches are enough. So the loop ends even where `max_retries` is large.
"""

from __future__ import annotations

from collections.abc import Sequence

from watchdog.report.state import Round, Stop, digest

PATIENCE = 2  # rounds without fewer mismatches


def seen(artifact: str, bad: Sequence[dict[str, object]]) -> Round:
    """A round in short."""
    return {
        "text": digest(artifact),
        "bad": sorted(
            [str(item.get("kind", "")), str(item.get("subject", "")), str(item.get("cited", ""))] for item in bad
        ),
    }


def stop(trail: Sequence[Round], attempts: int, max_retries: int) -> Stop:
    """Why the loop ends after the last round of the trail; "" when a fix should follow."""
    *before, last = trail
    if not last["bad"]:
        return "verified"
    texts = [earlier["text"] for earlier in before]
    if last["text"] in texts[:-1]:
        return "oscillation"
    if last["text"] in texts or last["bad"] in [earlier["bad"] for earlier in before]:
        return "no_progress"
    sizes = [len(round_["bad"]) for round_ in trail]
    if len(sizes) > PATIENCE and min(sizes[-PATIENCE:]) >= sizes[-PATIENCE - 1]:
        return "no_progress"
    return "retries" if attempts >= max_retries else ""


def in_words(why: Stop, attempts: int, bad: int) -> str:
    """For the reader of the report; "" where there is nothing to say."""
    left = f"{bad} {'statement' if bad == 1 else 'statements'} of the model could not be verified"
    fixes = f"{attempts} {'fix' if attempts == 1 else 'fixes'}"
    return {
        "retries": f"{left} after {fixes}",
        "no_progress": f"{left}; the model made no progress after {fixes}",
        "oscillation": f"{left}; after {fixes} the model came back to an earlier text",
        "unchecked": "no verifier was given",
    }.get(why, "")
