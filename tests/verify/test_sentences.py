"""Sentences about one findings document: those that are true are accepted, those that are not are flagged at the number."""

from __future__ import annotations

import pytest
from verify.shop_document import document

from watchdog.verify import verify_report

TRUE = """
`orders.email` has 2,649 NULLs.
`orders.email` has **2,649** NULLs out of 45,672 rows (5.8%).
2,649 of 45,672 values of orders.email are NULL.
About 2,600 rows of `orders.email` are NULL, nearly 6%.
Roughly 6% of `orders.email` is NULL.
`orders.email`: 2649 rows, 5.80%.
The column `email` of `orders` lacks 2,649 values; 43,023 rows are fine.
`orders.email` has 2,649 NULLs, up from 2,601 last time.
`orders.email` has 2,649 NULLs, 48 more than last time.
`orders.email` went from 2,601 to 2,649 NULLs.
`orders.email`: 2,601 → 2,649.
NULLs in `orders.email` rose by 48 to 2,649.
NULLs in `orders.email` rose by 1.8%.
Last time there were 2,601 NULLs in `orders.email`; now there are 2,649.
112 orphans in `orders.customer_id`, down from 140.
`orders.customer_id` has 28 fewer orphans than last time (112).
112 orphans in `orders.customer_id`, a decrease of 20%.
Some 0.25% of `orders.customer_id` point to no customer.
`payments.paid_at` is 31 hours old; the limit is 24 hours.
The newest `payments.paid_at` is 31 hours old, 7 hours over the limit of 24.
`payments.amount`: 3,165 values are outside the range 0 to 10,000; values run from -50 to 99,999.
About 39% of `payments.amount` is out of range, three times as many as last time.
The count for `payments.amount` tripled from 1,055 to 3,165.
38.6% of payments.amount break the range, well above the 5% limit.
`customers.email`: 38 duplicates in 17 groups, 21 of them surplus.
The 38 duplicated e-mails in `customers.email` are unchanged.
14 of 1,000 customers have no country (`customers.country`).
`customers.country`: 14 blanks, 9 over the threshold of 5.
`orders.email` and `orders.customer_id` together account for 2,761 rows.
`orders.email` has 2,537 more bad rows than `orders.customer_id`.
`orders.email` has more bad rows than `orders.customer_id`.
`orders.customer_id` has fewer bad rows than `orders.email`.
Compared with `orders.customer_id`, `orders.email` has more bad rows.
`payments.amount` has the most bad rows.
`payments.amount` is the largest finding with 3,165 rows.
`orders.email` (2,649) and `orders.customer_id` (112) are both high.
`orders.email` has 2,649 NULLs and `orders.customer_id` has 112 orphans.
2,649 NULLs in `orders.email` and 112 orphans in `orders.customer_id`.
`orders.email` and `orders.customer_id` have 2,649 and 112 bad rows respectively.
6 findings: 3 high, 2 medium, 1 low.
There are six findings in 3 of 5 tables.
Three high-severity findings need attention.
12 checks ran, 4 passed, 6 failed, 1 was skipped and 1 errored.
4 of 12 checks passed.
10 of the 12 checks could be evaluated.
The orders table has 45,672 rows.
orders has 2 findings.
0 orphans in chat_messages.
`chat_messages.contact_id` has no orphans.
No findings in suppliers.
`suppliers` is clean.
There are no NULLs in `payments.amount`.
The run of 2026-12-01 found 6 problems.
First seen on 2026-11-12, `orders.email` now has 2,649 NULLs.
Scanned on December 1, 2026.
`orders.email` (high) has 2,649 NULLs.
`customers.country` is of low severity.
One in 17 orders has no e-mail (`orders.email`).
Nearly 40% of `payments.amount` is out of range.
Two thousand six hundred forty-nine values of `orders.email` are NULL.
`orders.email` 有 2,649 个空值。
`orders.email` 有 2649 条为空，占 5.8%。
`orders.email` 约 6% 为空。
`payments.amount` 超出范围的占 39%，共 3,165 条。
`orders.email` 在 45,672 行中有 2,649 行为空。
`orders.email` 空值从 2,601 增加到 2,649。
`orders.email` 的空值比上次增加 48 个，上次为 2,601。
`orders.customer_id` 的孤儿记录由 140 降至 112，减少了 20%。
`payments.paid_at` 已有 31 小时未更新，阈值为 24 小时。
`payments.amount` 超出范围的记录是上次的 3 倍。
`customers.email` 有 38 条重复，共 17 组。
共发现 6 个问题：高 3 个，中 2 个，低 1 个。
12 项检查中有 4 项通过，6 项失败。
5 张表中有 3 张存在问题。
两千六百四十九行 `orders.email` 为空。
`orders.email` 与 `orders.customer_id` 合计 2,761 行。
`orders.email` 比 `orders.customer_id` 多 2,537 行。
chat_messages 中没有孤儿记录。
suppliers 表没有发现问题。
`payments.amount` 近四成超出范围。
de| `orders.email` hat 2.649 NULL-Werte, das sind 5,8 %.
de| `orders.email`: 2.649 von 45.672 Zeilen sind leer (zuvor 2.601).
de| Bei `orders.customer_id` sank die Zahl von 140 auf 112.
de| `payments.amount`: 3.165 Werte außerhalb des Bereichs, 38,6 %.
de| Sechs Befunde: 3 hoch, 2 mittel, 1 niedrig.
fr| `orders.email` compte 2 649 valeurs NULL, soit 5,8 %.
fr| `orders.customer_id` : 112 orphelins, contre 140 auparavant.
fr| `payments.amount` : 3 165 valeurs hors plage sur 8 200, soit 38,6 %.
""".strip().splitlines()

FALSE = """
`orders.email` has «2,694» NULLs.
`orders.email` has «2,648» NULLs.
`orders.email` has «2,601» NULLs.
`orders.email` has «112» NULLs.
`orders.email` has «26,490» NULLs.
`orders.email` has 2,649 NULLs («6.8%»).
`orders.email` has 2,649 NULLs («58%»).
`orders.email` has 2,649 NULLs, up from «2,610».
`orders.email` has 2,649 NULLs, «84» more than last time.
`orders.email` has «2,601» NULLs, up from 2,601 last time.
`orders.email` has 2,649 NULLs, «down from» 2,601.
`orders.customer_id` «rose» to 112.
`orders.email` went from «2,649» to «2,601» NULLs.
112 orphans in `orders.customer_id`, a decrease of «28%».
112 orphans in `orders.customer_id`, down «20 percentage points».
`payments.paid_at` is 31 «days» old.
`payments.paid_at` is 31 hours old; the limit is «48 hours».
`payments.amount` is out of range in 3,165 rows, limit «6%».
`payments.amount`: values run from «-500» to 99,999.
`payments.amount`: allowed 0 to «1,000».
The count for `payments.amount` «doubled».
`orders.email` and `orders.customer_id` together account for «2,716» rows.
`orders.email` and `orders.customer_id` together account for «2,649» rows.
`orders.email` has «2,573» more bad rows than `orders.customer_id`.
`orders.customer_id` has «more» bad rows than `orders.email`.
`orders.email` has the «most» bad rows.
`orders.email` (112) and `orders.customer_id` (2,649).
`orders.email` has «112» NULLs and `orders.customer_id` has «2,649» orphans.
«7» findings.
6 findings: «4» high, 2 medium, 1 low.
There are six findings in 3 of «6» tables.
12 checks ran, «5» passed.
4 of «13» checks passed.
orders has «3» findings.
0 orphans in `orders.customer_id`.
`orders.email` has «no» NULLs.
«No findings» in orders.
orders is «clean».
«All checks passed».
0 malformed values in `chat_messages.content`.
The run of «2026-12-02» found 6 problems.
`orders.email` («low») has 2,649 NULLs.
`orders.phone` has 17 NULLs.
The `invoices` table has 12 duplicates.
Two thousand six hundred «forty-eight» values of `orders.email` are NULL.
`orders.email` has 2,6\u200b49 NULLs.
`orders.email` has `2694` NULLs.
`orders.email` has [2,694](https://example.org) NULLs.
`orders.email` has <b>2,694</b> NULLs.
`orders.email` has ２,６９４ NULLs.
`orders.email` 有 2,694 个空值。
`orders.email` 约 8% 为空。
`orders.email` 在 45,672 行中有 2,469 行为空。
`orders.email` 空值从 2,610 增加到 2,649。
`orders.email` 的空值比上次减少 48 个。
两千六百九十四行 `orders.email` 为空。
`payments.amount` 超出范围的记录是上次的 2 倍。
共发现 7 个问题。
12 项检查中有 5 项通过。
`orders.email` 与 `orders.customer_id` 合计 2,671 行。
`orders.email` 比 `orders.customer_id` 少。
没有发现问题。
所有检查均通过。
de| `orders.email` hat 2.694 NULL-Werte.
de| `orders.email`: 2.649 von 45.627 Zeilen sind leer.
de| Bei `orders.customer_id` stieg die Zahl auf 112.
de| Sieben Befunde.
fr| `orders.email` compte 2 694 valeurs NULL.
fr| `orders.customer_id` : 112 orphelins, contre 104 auparavant.
""".strip().splitlines()

COVER = """

| id | n |
|---|---|
| orders.email.not_null | 2649 |
| orders.customer_id.relationships | 112 |
| payments.paid_at.freshness | 31 |
"""


def spoken(line: str) -> tuple[str | None, str]:
    """`de| Sieben Befunde.` -> its language and the sentence; None = to be found out."""
    return (line[:2], line[4:]) if line[2:4] == "| " else (None, line)


@pytest.mark.parametrize("sentence", TRUE)
def test_what_is_true_is_accepted(sentence: str) -> None:
    lang, sentence = spoken(sentence)
    verdict = verify_report(sentence + COVER, document(), lang=lang)
    assert [(c.cited, c.subject, c.rule, c.expected) for c in verdict.bad] == []
    assert [c for c in verdict.ok if c.line == 1], f"nothing was checked: {verdict.skipped}"


@pytest.mark.parametrize("marked", FALSE)
def test_what_is_false_is_flagged(marked: str) -> None:
    lang, sentence = spoken(marked.replace("«", "").replace("»", "").replace("\\u200b", "\u200b"))
    verdict = verify_report(sentence + COVER, document(), lang=lang)
    assert [c for c in verdict.bad if c.line == 1], (
        f"accepted: {[(c.cited, c.subject, c.reason) for c in verdict.ok if c.line == 1]}"
    )
    assert [c for c in verdict.bad if c.line != 1] == []
