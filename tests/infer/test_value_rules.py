"""What the values make plain, and the decoys that they must not."""

from __future__ import annotations

import pytest

PHONES = [f"+1 555 0{i:03d}" for i in range(60)]
NAMES = ["Ada Archer", "Ben Brook", "Cleo Carter", "Dan Dunn", "Eva Ellis", "Finn Ford", "Gia Null", "Hugo Holt"] * 8
NATO = ["Alfa", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf", "Hotel", "India", "Juliett"] * 3

# ---------------------------------------------------------------- gaps


@pytest.mark.parametrize(
    "word", ["N/A", "null", "NULL", "Null", "nan", "None", "-", "--", "unknown", "?", "n.a.", "#N/A", "TBD"]
)
def test_a_word_for_missing_among_telephone_numbers(column, word):
    specs = column("phone", [*PHONES, word, word])
    assert specs.level("missing", "phone") == "low"
    assert specs.of("missing")["phone"].options["null_words"] == [word.lower()]


def test_a_word_for_missing_among_numbers(column):
    assert column("qty", [*range(60), "unknown"], "INTEGER").of("missing")["qty"].options["null_words"] == ["unknown"]


def test_blanks_among_names(column):
    specs = column("name", [*NAMES, "", " \t"])
    assert specs.level("missing", "name") == "low"
    assert specs.of("missing")["name"].options["null_words"] == []
    assert "2 of 66 values seen" in specs.of("missing")["name"].evidence


def test_only_the_words_that_were_seen_are_counted(column):
    assert column("phone", [*PHONES, "N/A", "nan", ""]).of("missing")["phone"].options["null_words"] == ["n/a", "nan"]


@pytest.mark.parametrize("word", ["Null", "None", "NA", "Nan", "Void", "Unknown", "-"])
def test_one_word_among_names_may_be_a_name(column, word):
    assert not column("name", [*NAMES, word]).of("missing")


def test_many_words_for_missing_among_names_are_not_names(column):
    assert column("name", [*NAMES, "null", "unknown", "-"]).of("missing")["name"].options["null_words"] == [
        "-",
        "null",
        "unknown",
    ]


def test_a_sign_is_never_a_name(column):
    assert column("name", [*NAMES, "#REF!", "N/A"]).of("missing")["name"].options["null_words"] == ["#ref!", "n/a"]


def test_the_code_na_is_namibia(column):
    assert not column("country", ["DE", "FR", "NA", "US", "ZA", "BR"] * 9).of("missing")


def test_where_most_cells_are_blank_a_blank_is_what_is_usual(column):
    assert not column("tags", [""] * 40 + ["a", "b"] * 10).of("missing")
    assert not column("tags", [""] * 5).of("missing")


def test_null_rates_are_a_hint_where_a_column_is_mostly_filled(column):
    specs = column("name", [*NAMES, None, None])
    assert specs.level("not_null", "name") == "info"
    assert "64 of 66 rows seen are filled" in specs.of("not_null")["name"].evidence


@pytest.mark.parametrize("values", [NAMES, [None] * 9, [*NAMES[:3], None, None]])
def test_a_full_or_mostly_empty_column_gives_no_hint(column, values):
    assert not column("name", values).of("not_null")


# ---------------------------------------------------------------- dates

DAYS = [f"20{10 + i % 14}-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(100)]
TIMES = [f"{day} 10:{i % 60:02d}:00" for i, day in enumerate(DAYS)]


def test_impossible_days_among_iso_dates(column):
    specs = column("hired", [*DAYS, "0000-00-00", "2021-02-30"])
    assert specs.level("valid", "hired") == "medium"
    assert specs.of("valid")["hired"].options["format"] == "iso_date"
    assert "102 of 102 values seen are written as ISO dates" in specs.of("valid")["hired"].evidence


def test_blanks_and_words_for_missing_among_dates_are_left_to_their_own_check(column):
    specs = column("hired", [*DAYS, "", "N/A"])
    assert specs.of("valid")["hired"].options["where"] == """lower(trim("hired")) NOT IN ('', 'n/a')"""
    assert specs.of("missing")["hired"].options["null_words"] == ["n/a"]
    assert "where" not in column("hired", DAYS).of("valid")["hired"].options


def test_dates_of_which_some_have_a_time(column):
    specs = column("seen_at", DAYS + TIMES)
    assert specs.of("valid")["seen_at"].options == {"severity": "medium", "format": "date"}
    assert specs.of("not_future")["seen_at"].options["form"] == "iso"


@pytest.mark.parametrize("shape", ["{} 10:00", "{}T10:00:00Z", "{} 10:00:00.123+02:00"])
def test_iso_dates_with_a_time(column, shape):
    specs = column("created_at", [shape.format(day) for day in DAYS], "DATETIME")
    assert specs.of("valid")["created_at"].options["format"] == "iso_datetime"
    assert specs.level("not_future", "created_at") == "medium"


@pytest.mark.parametrize("name", ["created_at", "Release Date", "birthDate", "HIRED", "ordered"])
def test_days_to_come_among_days_gone_by(column, name):
    specs = column(name, [*DAYS, "2046-01-01"])
    assert specs.level("not_future", name) == "medium"
    assert specs.of("not_future")[name].options["form"] == "iso"


@pytest.mark.parametrize(
    "name", ["due_date", "expires_at", "validUntil", "valid_to", "planned", "next_visit_date", "deadline", "end_date"]
)
def test_plans_lie_ahead_by_nature(column, name):
    specs = column(name, [*DAYS, "2046-01-01"])
    assert not specs.of("not_future")
    assert specs.of("valid")


def test_plans_are_known_by_their_table_too(column):
    assert not column("date", [*DAYS, "2046-01-01"], table="bookings").of("not_future", "bookings")


def test_what_has_happened_has_happened_in_a_table_of_plans_too(column):
    assert column("created_at", [*DAYS, "2046-01-01"], table="bookings").of("not_future", "bookings")


def test_a_column_with_many_days_to_come_is_one_of_plans(column):
    assert not column("date", DAYS + [f"2027-01-{1 + i:02d}" for i in range(20)]).of("not_future")


def test_a_programme_of_the_near_future_is_a_plan(column):
    programme = [f"2027-0{m}-0{d}" for m in range(1, 4) for d in range(1, 3)]
    assert not column("AirDate", DAYS * 9 + programme).of("not_future")
    assert column("created_at", DAYS * 9 + programme).of("not_future")
    assert column("AirDate", DAYS * 9 + ["2046-01-01", "2109-01-01", "2071-01-01", "9999-12-31", "2062-01-01"]).of("not_future")


def test_dates_of_reduced_precision_are_valid_where_they_are_usual(column):
    reduced = ["1991", "1990-12", "1987", "1988-01", "1990"]
    assert not column("eventDate", DAYS * 2 + reduced).of("valid")
    assert column("eventDate", DAYS * 2 + ["1990-13", "1991"]).of("valid")


def test_a_name_that_says_nothing_takes_more_proof_and_no_guess_about_the_future(column):
    assert set(column("c3", [*DAYS, "2046-01-01"]).of("valid")) == {"c3"}
    assert not column("c4", [*DAYS, "2046-01-01"]).of("not_future")
    assert not column("c5", [*DAYS, "x", "y", "z"]).of("valid")


def test_month_names(column):
    specs = column("Release Date", [f"Jun {1 + i % 28:02d} 19{60 + i % 40}" for i in range(50)])
    assert specs.of("not_future")["Release Date"].options["form"] == "month_day_year"
    assert specs.of("valid")["Release Date"].options == {
        "severity": "medium",
        "format": "date",
        "form": "month_day_year",
    }


def test_day_first_and_month_first_are_told_apart_by_days_above_twelve(column):
    day_first = column("date", [f"{1 + i % 28:02d}/{1 + i % 12:02d}/2019" for i in range(60)])
    assert day_first.of("not_future")["date"].options["form"] == "dmy"
    month_first = column("date", [f"{1 + i % 12}/{1 + i % 28}/2019" for i in range(60)])
    assert month_first.of("not_future")["date"].options["form"] == "mdy"


def test_dates_that_could_be_read_both_ways_are_not_judged(column):
    assert not column("date", [f"{1 + i % 12:02d}/{1 + i % 11:02d}/2019" for i in range(60)]).of("not_future")


def test_a_mix_of_day_first_and_month_first_is_not_judged(column):
    both = [f"{13 + i % 9}/{1 + i % 12}/2019" for i in range(30)] + [
        f"{1 + i % 12}/{13 + i % 9}/2019" for i in range(30)
    ]
    assert not column("date", both).of("not_future")


@pytest.mark.parametrize("factor", [1, 1_000, 1_000_000])
def test_epoch_numbers_by_name_and_size(column, factor):
    numbers = [(1_600_000_000 + i * 86_400) * factor for i in range(50)]
    assert column("created_at", numbers, "INTEGER").of("not_future")["created_at"].options["form"] == "auto"
    assert not column("serial", numbers, "INTEGER").of("not_future")


@pytest.mark.parametrize("start", [13_000_000_000_000_000, 450_000_000, 20_180_101, 43_000])
def test_other_epochs_and_other_numbers_are_not_taken_for_unix_time(column, start):
    assert not column("visit_time", [start + i for i in range(50)], "INTEGER").of("not_future")


# ---------------------------------------------------------------- kinds


def test_text_among_numbers(column):
    specs = column("qty", [*range(80), "12 kg", "n/a"], "INTEGER")
    assert specs.level("type", "qty") == "medium"


@pytest.mark.parametrize("native", ["INTEGER", "REAL", "DECIMAL(10,2)"])
def test_numbers_written_as_text_are_a_fault_whatever_their_share(column, native):
    written = [f"{i},{i:03d}" for i in range(1, 50)] + ["$ 1,204.50", "(1,000)", "12 kg", "3,5 %"]
    assert column("amount", [*written, 1, 2], native).level("type", "amount") == "medium"


@pytest.mark.parametrize(
    ("native", "odd"), [("INTEGER", "north"), ("REAL", "2019-01-02"), ("BOOLEAN", "true"), ("TEXT", b"\0\1")]
)
def test_where_the_column_is_used_for_something_else_the_declaration_is_off(column, native, odd):
    assert column("c", [odd] * 60 + [1, 2], native).level("type", "c") == "info"


@pytest.mark.parametrize(
    ("native", "good", "odd"), [("BOOLEAN", 1, "true"), ("TEXT", "north", b"\0\1"), ("REAL", 1.5, b"x")]
)
def test_a_few_values_of_another_class_are_slips(column, native, good, odd):
    assert column("c", [good] * 60 + [odd], native).level("type", "c") == "medium"


@pytest.mark.parametrize(("native", "odd"), [("INTEGER", 1.5), ("BOOLEAN", 2)])
def test_numbers_that_do_not_fit_are_slips_when_few_and_the_use_of_the_column_when_many(column, native, odd):
    assert column("c", [0, 1] * 30 + [odd], native).level("type", "c") == "medium"
    assert column("c", [0, 1] * 30 + [odd] * 30, native).level("type", "c") == "info"


def test_what_cannot_go_wrong_is_not_asked(inferred):
    specs = inferred("CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b BLOB, c) STRICT".replace(", c", ", c ANY"))
    assert not specs.of("type")


def test_broken_json_among_json(column):
    good = [f'{{"id": {i}}}' for i in range(60)] + ["{}", "[]", '"text"', "null", "7"]
    specs = column("payload_json", [*good, "{'id': 7}", '{"cut": "of'])
    assert specs.level("valid", "payload_json") == "medium"
    assert specs.of("valid")["payload_json"].options["format"] == "json"


def test_blanks_among_json_are_left_to_their_own_check(column):
    specs = column("tags_json", ["[]"] * 9 + [""])
    assert specs.of("valid")["tags_json"].options["where"] == """lower(trim("tags_json")) NOT IN ('')"""


def test_objects_in_nearly_all_cells_are_json_whatever_the_name(column):
    assert column("body", [f'{{"id": {i}}}' for i in range(99)] + ["{'id': 7}"]).of("valid")


def test_a_long_json_text_is_json_as_far_as_it_was_seen(column):
    assert column("json", ['{"text": "' + "x" * 5_000 + '"}'] * 5).of("valid")


@pytest.mark.parametrize(
    "values", [PHONES, ["1", "2", "3"] * 9, ["[draft] plan", "[final] plan"] * 9, ["{a}", "{b}"] * 9]
)
def test_numbers_and_brackets_are_not_json(column, values):
    assert not column("body", values).of("valid")


def test_text_is_to_be_text(column):
    assert column("name", NAMES).level("encoding", "name") == "medium"
    assert column("name", NAMES, "").level("encoding", "name") == "medium"
    assert not column("qty", [1, 2, 3], "INTEGER").of("encoding")


def test_nothing_is_made_of_values_that_could_not_be_read(inferred):
    def fill(db):
        db.execute("CREATE TABLE t(change INTEGER)")
        db.executemany("INSERT INTO t VALUES(?)", [(7,), (-(2**63),)])
        db.execute("ALTER TABLE t ADD COLUMN size INTEGER AS (abs(change))")

    assert {s.name for s in inferred(fill) if s.columns == ("size",)} == {"type"}


def test_a_declared_type_that_is_no_type_is_not_judged(inferred) -> None:
    odd = ["INTEGER_OR_TEXT", "TEXT_OR_NULL", "CHARINT", "POINT", "TIME", "INTERVAL", "DATE_TIME", '"INTEGER[]"', "ANY"]
    for number, native in enumerate(odd):
        specs = inferred(f"CREATE TABLE t{number}(c {native}); INSERT INTO t{number} VALUES (1), (2.5), ('x'), (x'00');")
        assert not [s for s in specs if s.name == "type"], native


def test_texts_that_sqlite_may_keep_as_numbers_and_binary_uuids_are_no_slip(inferred) -> None:
    for number, native in enumerate(["STRING", "UUID", "UNIQUEIDENTIFIER", "\"ENUM('1','2')\""]):
        specs = inferred(f"CREATE TABLE t{number}(c {native}); INSERT INTO t{number} VALUES ('1'), ('a'), (x'00');")
        assert not [s for s in specs if s.name == "type"], native


def test_binary_json_of_sqlite_is_left_alone(inferred) -> None:
    fill = "CREATE TABLE t(c JSONB, d JSON); INSERT INTO t VALUES "
    rows = ", ".join(["('{}', '{}')"] * 20 + ["(x'0c', x'0c')"])
    assert set(inferred(fill + rows).of("valid")) == {"d"}
