"""What a model is never shown: files by their names, and secrets in a text by their shapes.

`SECRET_NAMES` are matched with each part of a path, folders too, whatever the case. A name that only differs in ways that
some file systems put aside (full-width letters, invisible characters, dots and spaces at its end) counts as the same.
A hard link or a copy under another name is not recognised by its name; a private key is, by its text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import fnmatchcase, translate

SECRET_NAMES: tuple[str, ...] = (
    # settings and passwords
    ".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".npmrc", ".pypirc",
    ".htpasswd", ".git-credentials", ".dockercfg", ".dockerconfigjson", ".s3cfg", ".boto", "credentials",
    "credentials.*", "secret.*", "secrets.*", "*.secret", "*.secrets", "client_secret*.json", "service_account*.json",
    "service-account*.json", "*.tfstate", "*.tfstate.*", "*.tfvars", "passwd", "shadow", "*.kdbx",
    # keys
    "*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.gpg", "*.asc", "id_rsa*", "id_dsa*",
    "id_ecdsa*", "id_ed25519*", "authorized_keys", ".xauthority",
    # what people typed
    ".*_history", ".lesshst", ".viminfo",
    # folders: version control (its settings hold passwords, its past what was deleted), keys, clouds, machines
    ".git", ".hg", ".svn", ".ssh", ".gnupg", ".aws", ".azure", ".gcloud", "gcloud", ".kube", ".docker", ".secrets",
    "secrets",
    # our own history and checkpoints, which hold prompts and findings
    ".watchdog", "checkpoint*.db*", "checkpoint*.sqlite*",
)  # fmt: skip
PUBLIC_NAMES = frozenset((".env.example", ".env.sample", ".env.template", ".env.dist"))
# Databases hold cell values; `query` reads them, under the rules for values. Checked by name for commands only, since
# `read_file` shows no binary file at all.
DATABASE_NAMES: tuple[str, ...] = (
    "*.db", "*.db3", "*.sqlite", "*.sqlite3", "*.s3db", "*.sl3", "*.duckdb", "*-wal", "*-shm", "*-journal",
)  # fmt: skip

_SECRET = re.compile("|".join(map(translate, SECRET_NAMES)))
_DATABASE = re.compile("|".join(map(translate, DATABASE_NAMES)))
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----|PuTTY-User-Key-File-")
_PASSWORD_IN_URL = re.compile(r"(://[^\s:/?#@'\"]{0,128}:)[^\s/@'\"]{1,256}(?=@)")
_KEY_SHAPES = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,200}|gh[pousr]_[A-Za-z0-9]{20,100}|github_pat_[A-Za-z0-9_]{20,200}|glpat-[\w-]{20,100}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|xox[abprs]-[A-Za-z0-9-]{10,200}|AIza[\w-]{35}"
    r"|eyJ[\w-]{10,2000}\.eyJ[\w-]{10,2000}\.[\w-]{10,2000})"
)


def secret_name(name: str, more: Iterable[str] = ()) -> str:
    """The pattern that makes a file or folder of this name a secret; "" when there is none."""
    plain = folded(name)
    if plain in PUBLIC_NAMES:
        return ""
    patterns = (*(SECRET_NAMES if _SECRET.match(plain) else ()), *more)
    return next((pattern for pattern in patterns if fnmatchcase(plain, pattern.casefold())), "")


def database_name(name: str) -> bool:
    plain = folded(name)
    return _DATABASE.match(plain) is not None


def folded(name: str) -> str:
    """A name without the differences that a file system may put aside (git once ran `.g\\u200cit/hooks` on a Mac)."""
    if name.isascii() and name.isprintable():
        return name.lower().rstrip(". ")
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) not in {"Cf", "Cc"})
    return seen.casefold().rstrip(". ")


def private_key(text: str) -> bool:
    return _PRIVATE_KEY.search(text) is not None


def masked(text: str) -> str:
    """The text without passwords in URLs and without tokens of well-known shapes. Anything else is left as it is."""
    return _KEY_SHAPES.sub("***", _PASSWORD_IN_URL.sub(r"\1***", text))
