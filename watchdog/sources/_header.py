"""Judge the first bytes of a file: is it a SQLite database that this program can read? (sqlite.org/fileformat2.html)

`refuse_foreign` on what is there, before anything else; `refuse_damaged` on the file that is really read, which may be
a recovered copy: only there must the page count of the header fit the size.
"""

from __future__ import annotations

import math
from collections import Counter
from io import FileIO

from watchdog.sources._look import HEADER, Place

MAGIC = b"SQLite format 3\0"
ENCODINGS = {
    0: "utf-8",
    1: "utf-8",
    2: "utf-16-le",
    3: "utf-16-be",
}  # 0: nothing was stored yet
_KNOWN = {  # first bytes of files that are often met where a database was expected
    b"\x1f\x8b": "a gzip file",
    b"PK\x03\x04": "a zip archive",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"\xfd7zXZ\0": "an xz file",
    b"BZh": "a bzip2 file",
    b"PAR1": "a Parquet file",
    b"version https://git-lfs": "a Git LFS pointer",
    b"** This file contains an SQLite 2": "a SQLite 2 database",
    b"\0\x01\0\0Standard ": "a Microsoft Access database",
}
_RANDOM = 7.2  # bits a byte: 512 random bytes have about 7.6, text and code stay below 6.5


def encoding(header: bytes) -> str:
    """The Python name of the encoding that the database keeps its text in."""
    return ENCODINGS.get(_number(header, 56), "utf-8")


def uses_wal(header: bytes) -> bool:
    return 2 in header[18:20]


def refuse_foreign(file: FileIO, size: int, place: Place) -> None:
    """Raise SourceError unless the header is that of a SQLite 3 database in a format we know."""
    file.seek(0)
    start = file.read(4096)
    if not size:
        raise place.error(
            "it is empty (0 bytes), so there is nothing to scan",
            "check that whatever writes it has run",
        )
    if not start.startswith(MAGIC):
        raise _foreign(start, size, place)
    page_size = int.from_bytes(start[16:18], "big")
    if len(start) < HEADER:
        raise place.error(
            "it is truncated inside its header",
            "fetch the file again or restore it from a backup",
        )
    if start[19] > 2 or _number(start, 44) > 4:
        raise place.error(
            f"it is in a newer file format (read version {start[19]}, schema format {_number(start, 44)})",
            "use a Python with a newer SQLite, or write the file with an older one",
        )
    plausible = page_size == 1 or (page_size >= 512 and page_size & (page_size - 1) == 0)
    if not plausible or start[21:24] != b"\x40\x20\x20" or _number(start, 56) not in ENCODINGS:
        raise place.error("its header is damaged", "restore the file from a backup")


def refuse_damaged(header: bytes, size: int, place: Place) -> None:
    """Raise SourceError when the file is shorter than its header says."""
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 65_536 if page_size == 1 else page_size
    pages = _number(header, 28)
    counted = _number(header, 24) == _number(header, 92)  # else an old writer left a stale page count
    if counted and pages * page_size > size:
        raise place.error(
            f"it is truncated: {size:,} bytes of {pages * page_size:,}",
            "fetch the file again or restore it from a backup; a copy taken while it was written can look like this",
        )


def _foreign(start: bytes, size: int, place: Place) -> Exception:
    for magic, words in _KNOWN.items():
        if start.startswith(magic):
            return place.error(
                f"it is {words}, not a SQLite 3 database",
                "unpack, fetch or convert it first",
            )
    if size % 512 == 0 and _entropy(start) >= _RANDOM:
        return place.error(
            "it is not a SQLite database, or an encrypted one: its first bytes look random",
            "decrypt it first (SQLCipher: sqlcipher_export)",
        )
    return place.error(
        "it is not a SQLite database",
        "check the path; a SQLite file starts with 'SQLite format 3'",
    )


def _entropy(data: bytes) -> float:
    """Bits a byte, 0 to 8."""
    return -sum(n / len(data) * math.log2(n / len(data)) for n in Counter(data).values())


def _number(header: bytes, at: int) -> int:
    return int.from_bytes(header[at : at + 4], "big")
