"""Workers share one picture of the data, each on a connection of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from watchdog.model import Limits
from watchdog.sources.sqlite import open_sqlite


@pytest.mark.parametrize("snapshot", [False, True])
def test_four_threads_read_the_same_picture(
    snapshot: bool,
    data: Path,
    made: Callable[..., None],
    untouched: Callable[[Path], None],
    temp: Path,
) -> None:
    path = data / "many.db"
    made(
        path,
        "CREATE TABLE t(n)",
        "INSERT INTO t SELECT value FROM json_each('[1,2,3,4,5,6,7,8,9]')",
    )
    untouched(data)

    def total(_: int) -> Any:
        with opened.source.connect() as connection:
            return connection.exec_driver_sql(
                "SELECT sum(a.n * b.n) FROM t a, t b, t c, t d"
            ).scalar()

    with (
        open_sqlite(
            path, name="many", limits=Limits(jobs=4), snapshot=snapshot
        ) as opened,
        ThreadPoolExecutor(4) as pool,
    ):
        assert list(pool.map(total, range(16))) == [45 * 45 * 81] * 16
    assert list(temp.iterdir()) == []


def test_one_cancel_stops_all_threads(
    shop: Path, untouched: Callable[[Path], None]
) -> None:
    untouched(shop.parent)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with (
        open_sqlite(shop, name="shop", limits=Limits(jobs=4)) as opened,
        ThreadPoolExecutor(4) as pool,
    ):

        def run(_: int) -> Any:
            with opened.source.connect() as connection:
                return connection.exec_driver_sql(endless).scalar()

        running = [pool.submit(run, n) for n in range(4)]
        opened.cancel()
        assert all(future.exception() is not None for future in running)
