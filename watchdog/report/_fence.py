"""A fence around strangers' text, so that a model can tell data from instructions.

The mark on both fences is the hash of what they enclose: the same text has the same fence (prompts can be cached by their
hash), and nobody can write a text that holds its own mark. Inside, whatever a reader would obey or cannot see is spelled
out, apart from line breaks.
"""

from __future__ import annotations

import hashlib

from watchdog.codec import clean
from watchdog.render._escape import visible


def fence(text: str, label: str = "DATA") -> str:
    body = "\n".join(visible(line) for line in text.split("\n"))
    mark = _mark(label, body)
    return f"<<<{label} {mark}\n{body}\n{label} {mark}>>>"


def numbered(text: str) -> str:
    """The lines of a text with their numbers from 1, as the fix step is shown them."""
    return "\n".join(f"{n}: {line}" for n, line in enumerate(text.split("\n"), start=1))


def _mark(label: str, body: str) -> str:
    salt = ""
    while True:
        mark = hashlib.sha256(clean(f"{salt}{label}\n{body}").encode()).hexdigest()[:16]
        if mark not in body:
            return mark
        salt += "."
