"""The prompts of a task: Markdown files with `{{placeholders}}`, filled once with what the program knows.

In: a task's folder and a language. `prompts/specialist.md` is English, `prompts/specialist.zh.md` Chinese; `specialist` and
`fix` are needed, `planner`, `evaluator` and `slots` are not. Out: `Prompts`, and their digest, which the report names.
Refuses, with file and line: a language without files, a placeholder that its role is never given, a value it must show
and does not. A value is data: it is put in as it stands and never read again, so a table called `{{facts}}` stays that.
Texts that a model wrote, or that repeat one, are fenced here; the facts come fenced from `sheet`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from watchdog.config.nodes import read_text, shown
from watchdog.errors import ConfigError
from watchdog.report._fence import fence

# What each role is given, and whether its prompt has to show it.
ROLES: dict[str, dict[str, bool]] = {
    "planner": {"facts": True},
    "specialist": {"facts": True, "plan": False},
    "evaluator": {"facts": True, "report": True},
    "fix": {"facts": True, "report": True, "feedback": True},  # `report` has its lines `_fence.numbered`
    "slots": {"facts": True},  # `facts` are those of `slots.sheet`
}
NEEDED = ("specialist", "fix")
FENCED = {"plan": "PLAN", "report": "REPORT", "feedback": "FEEDBACK"}
_PLACEHOLDER = re.compile(r"\{\{([^{}\n]*)\}\}|\{\{")
_FILE = re.compile(r"([a-z]+)(?:\.([A-Za-z-]{2,12}))?\.md")


@dataclass(frozen=True)
class Prompt:
    """One file. `variables` are the values that it shows."""

    role: str
    file: str
    text: str

    @property
    def variables(self) -> frozenset[str]:
        return frozenset(found[1].strip() for found in _PLACEHOLDER.finditer(self.text))

    def fill(self, **values: str) -> str:
        """The prompt with its values, in one pass. ConfigError for a value that is missing or that its role never has.

        A value that the prompt need not show may be given and go unused.
        """
        takes = ROLES[self.role]
        for name in values:
            if name not in takes or (takes[name] and name not in self.variables):
                raise ConfigError(f"the value {name!r} is not used", file=self.file, hint=f"write {{{{{name}}}}} in it")

        def value(found: re.Match[str]) -> str:
            name = found[1].strip()
            if name not in values:
                raise _wrong(self, found, f"nothing fills {{{{{name}}}}}", "it is given: " + ", ".join(sorted(values)))
            return _data(name, values[name])

        return _PLACEHOLDER.sub(value, self.text)


@dataclass(frozen=True)
class Prompts:
    """The prompts of a task in one language. `digest` tells whether any of them changed."""

    lang: str
    specialist: Prompt
    fix: Prompt
    planner: Prompt | None = None
    evaluator: Prompt | None = None
    slots: Prompt | None = None
    digest: str = ""


def load(folder: Path, lang: str = "en") -> Prompts:
    """The prompts in `folder/prompts`. `folder` is the task's."""
    home = folder / "prompts"
    files = _files(home)
    languages = sorted({language for role, language in files if role in NEEDED})
    if lang not in languages:
        known = f"there are: {', '.join(languages)}" if languages else "there are no prompts at all"
        name = "specialist.md" if lang == "en" else f"specialist.{lang}.md"
        raise ConfigError(f"no prompts in the language {lang!r}", file=shown(home), hint=f"{known}; add {name} and fix")
    found: dict[str, Prompt] = {}
    digest = hashlib.sha256(lang.encode())
    for role in ROLES:
        path = files.get((role, lang))
        if path is None:
            if role in NEEDED:
                raise ConfigError(
                    f"the prompt {role!r} is missing for the language {lang!r}", file=shown(home), hint=f"add {role}.md"
                    if lang == "en" else f"add {role}.{lang}.md",
                )  # fmt: skip
            continue
        found[role] = _prompt(role, path)
        digest.update(f"\0{role}\0{found[role].text}".encode())
    return Prompts(
        lang, found["specialist"], found["fix"], found.get("planner"), found.get("evaluator"), found.get("slots"),
        digest.hexdigest()[:16],
    )  # fmt: skip


def _files(home: Path) -> dict[tuple[str, str], Path]:
    """(role, language) -> file. A file without a language is English; `x.en.md` is accepted as well."""
    if not home.is_dir():
        raise ConfigError("no such folder", file=shown(home), hint="a task's prompts are Markdown files in prompts/")
    found: dict[tuple[str, str], Path] = {}
    for path in sorted(home.iterdir()):
        name = _FILE.fullmatch(path.name)
        if path.suffix != ".md" or path.name == "README.md":
            continue
        if name is None or name[1] not in ROLES:
            raise ConfigError(
                "not the name of a prompt",
                file=shown(path),
                hint=f"known: {', '.join(ROLES)}; as role.md or role.zh.md",
            )
        key = (name[1], name[2] or "en")
        if key in found:
            raise ConfigError(f"there is {found[key].name} already", file=shown(path), hint="keep one of the two")
        found[key] = path
    return found


def _prompt(role: str, path: Path) -> Prompt:
    file = shown(path)
    prompt = Prompt(role, file, read_text(path, file).replace("\r\n", "\n"))
    if not prompt.text.strip():
        raise ConfigError("the prompt is empty", file=file)
    takes = ROLES[role]
    known = ", ".join(f"{{{{{name}}}}}" for name in takes)
    for found in _PLACEHOLDER.finditer(prompt.text):
        if found[1] is None:
            raise _wrong(prompt, found, "'{{' opens a placeholder that is never closed", f"known: {known}")
        if found[1].strip() not in takes:
            raise _wrong(prompt, found, f"nothing fills {found[0]}", f"a {role} prompt is given {known}")
    for name, must in takes.items():
        if must and name not in prompt.variables:
            raise ConfigError(f"the value {name!r} is not used", file=file, line=1, hint=f"write {{{{{name}}}}} in it")
    return prompt


def _data(name: str, value: str) -> str:
    return fence(value, FENCED[name]) if value and name in FENCED else value


def _wrong(prompt: Prompt, found: re.Match[str], message: str, hint: str) -> ConfigError:
    line = prompt.text.count("\n", 0, found.start()) + 1
    return ConfigError(message, file=prompt.file, line=line, hint=hint)
