"""What declared types mean: the names that databases and tools write, and everything that only looks like one."""

from __future__ import annotations

import re

import pytest

from watchdog.catalog.types import kind_of

TYPES = {
    "integer": """
        INTEGER | int | INT UNSIGNED | unsigned int | UNSIGNED BIG INT | BIGINT(20) | int(10) unsigned zerofill | INT(11) SIGNED
        | tinyint(1) | TINYINT(4) | smallint | mediumint | int2 | int4 | int8 | INT64 | bigserial | serial | year | YEAR(4)
        | integer unsigned | bigint unsigned | smallint unsigned | INTEGER IDENTITY | INT AUTO_INCREMENT | integer (10)
    """,
    "decimal": """
        REAL | real | FLOAT | float4 | float8 | DOUBLE | DOUBLE PRECISION | double  precision | double unsigned | FLOATING POINT
        | NUMERIC | numeric(10, 2) | DECIMAL(10,5) | decimal(18,2) unsigned | NUMBER(10,2) | NUMBER | NUMBER(38,-2) | NUMBER(*,0)
        | money | smallmoney | BINARY_DOUBLE | dec(5,1) | FLOAT(24)
    """,
    "text": """
        TEXT | text | VARCHAR | varchar(255) | VARCHAR2 | VARCHAR2(20 CHAR) | VARCHAR2(4000 BYTE) | NVARCHAR(MAX) | nvarchar(450)
        | CHAR(36) | character(20) | character varying | character varying(255) | VARYING CHARACTER(255) | NATIVE CHARACTER(70)
        | NATIONAL CHARACTER VARYING(10) | nchar(55) | NVARCHAR(100) | ntext | tinytext | mediumtext | longtext | CLOB | nclob
        | STRING | citext | bpchar | ENUM('a','b') | enum('it''s', 'x, y') | SET('a') | uuid | uniqueidentifier | GUID | xml
        | VARCHAR(20) CHARACTER SET utf8 COLLATE utf8_bin | VARCHAR(20) BINARY | text COLLATE nocase | long varchar
    """,
    "boolean": "BOOLEAN | bool | bit | BIT(1)",
    "date": "DATE | date",
    "timestamp": """
        DATETIME | datetime(6) | datetime2 | datetime2(7) | smalldatetime | datetimeoffset | TIMESTAMP | TIMESTAMP(6)
        | timestamptz | timestamptz(3) | TIMESTAMP WITH TIME ZONE | timestamp(6) without time zone
        | TIMESTAMP(6) WITH LOCAL TIME ZONE
    """,
    "json": "JSON | jsonb",
    "blob": "BLOB | longblob | tinyblob | bytea | BINARY(16) | varbinary(max) | image | RAW(16) | long raw | BINARY VARYING(8)",
    "other": """
        INTEGER_OR_TEXT | TEXT_OR_NULL | TEXT OR INTEGER | INTEGER|TEXT | INT/TEXT | CHARINT | DATE_TIME | POINT | INTEGER[]
        | text[][] | varchar(20)[] | INTEGER ARRAY
        | GEOMETRY | geometry(Point,4326) | TIME | time(6) without time zone | TIME WITH TIME ZONE
        | interval | INTERVAL DAY(2) TO SECOND(6) | BIT(8) | BIT VARYING(5) | ANY | LONG | inet | tsvector | int4range | VARIANT
        | NULL | UNSIGNED | TEXT UNSIGNED | DATE UNSIGNED | BLOB IDENTITY | INTEGER(TEXT) | VARCHAR(20)(30) | INTEGERS | DATETIMES
        | UPDATE | POINTER | PRINTER | CONTEXT | HYPERTEXT | REALTIME | DOUBLET | BOOLEAN_OR_NULL | ENUM | ENUM(1) | SETTING
        | CHARGE | DOUBLE INT | JSON TEXT | MY INTEGER | INTEGER?
    """,
}  # fmt: skip


@pytest.mark.parametrize(
    ("native", "kind"),
    [(name.strip(), kind) for kind, names in TYPES.items() for name in re.split(r"\s\|\s", names)],
)
def test_a_kind_is_taken_only_from_a_name_that_is_a_type(native: str, kind: str) -> None:
    assert kind_of(native) == kind


def test_no_declared_type_means_no_promise() -> None:
    assert kind_of("") == kind_of("  ") == "other"


@pytest.mark.parametrize("strict", ["INT", "INTEGER", "REAL", "TEXT", "BLOB"])
def test_the_types_of_strict_tables_are_known(strict: str) -> None:
    assert kind_of(strict) != "other"
