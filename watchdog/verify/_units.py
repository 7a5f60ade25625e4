"""Words around a number: units, scales, nouns that can be counted and words that say "about". Pure data."""

from __future__ import annotations

import re
from fractions import Fraction

# a word behind a number -> (unit, how many of it one is)
_UNITS: dict[tuple[str, int | Fraction], str] = {
    ("percent", 1): "percent pct prozent",
    ("points", 1): "pp ppt ppts prozentpunkt prozentpunkte prozentpunkten",
    ("points", Fraction(1, 100)): "bp bps basispunkte",
    ("permille", 1): "permille promille",
    ("fold", 1): "times fold fach fache faches fois mal",
    ("seconds", Fraction(1, 1000)): "ms millisecond milliseconds millisekunden millisecondes",
    ("seconds", 1): "s sec secs second seconds sek sekunde sekunden seconde secondes",
    ("minutes", 1): "min mins minute minutes minuten",
    ("hours", 1): "h hr hrs hour hours std stunde stunden heure heures",
    ("days", 1): "d day days tag tage tagen jour jours",
    ("weeks", 1): "wk wks week weeks woche wochen semaine semaines",
    ("months", 1): "month months monat monate monaten mois",
    ("years", 1): "yr yrs year years jahr jahre jahren an ans année années",
    ("bytes", 1): "byte bytes octet octets",
    ("bytes", 10**3): "kb",
    ("bytes", 10**6): "mb megabyte megabytes",
    ("bytes", 10**9): "gb gigabyte gigabytes",
    ("bytes", 10**12): "tb terabyte terabytes",
    ("bytes", 2**10): "kib",
    ("bytes", 2**20): "mib",
    ("bytes", 2**30): "gib",
}
UNITS = {word: unit for unit, words in _UNITS.items() for word in words.split()}
ONLY_GLUED = frozenset({"s", "d", "h"})  # "5 d" is said nowhere, "5 h" is: a lone letter needs its number close by
TIMES = frozenset("seconds minutes hours days weeks months years".split())

# two and three words that are one unit
PHRASES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("percentage", "points"), "points"), (("percentage", "point"), "points"), (("percent", "points"), "points"),
    (("%", "points"), "points"), (("per", "cent"), "percent"), (("per", "cents"), "percent"), (("per", "mille"), "permille"),
    (("pour", "cent"), "percent"), (("pour", "mille"), "permille"), (("points", "de", "pourcentage"), "points"),
    (("point", "de", "pourcentage"), "points"), (("p", ".", "p", "."), "points"), (("p", ".", "p"), "points"),
    (("-", "fold"), "fold"), (("-", "fach"), "fold"), (("-", "mal"), "fold"),
)  # fmt: skip

_SCALES: dict[int, str] = {
    10**3: "k tsd tausend thousand mille milliers millier tds",
    10**6: "m mm mn mln mio million millions millionen",
    10**9: "bn b mrd milliard milliards milliarden billion billions md",
}
SCALES = {word: scale for scale, words in _SCALES.items() for word in words.split()}
SCALES |= {"hundred": 100, "hundert": 100, "dozen": 12, "dutzend": 12, "douzaine": 12, "douzaines": 12, "dozens": 12}
GLUED_SCALES = frozenset({"k", "m", "mm", "mn", "b", "bn", "md"})  # those that need a capital or no blank before them

ZH_SCALE = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

# what stands behind a Chinese number; the first that matches counts
ZH_UNITS: tuple[tuple[str, str, int | Fraction], ...] = (
    ("个百分点", "points", 1), ("百分点", "points", 1), ("个基点", "points", Fraction(1, 100)),
    ("毫秒", "seconds", Fraction(1, 1000)), ("秒钟", "seconds", 1), ("秒", "seconds", 1),
    ("分钟", "minutes", 1), ("个小时", "hours", 1), ("小时", "hours", 1), ("个钟头", "hours", 1), ("个半小时", "hours", 1),
    ("个工作日", "days", 1), ("工作日", "days", 1), ("天", "days", 1), ("日", "days", 1),
    ("个星期", "weeks", 1), ("星期", "weeks", 1), ("周", "weeks", 1), ("个月", "months", 1), ("年", "years", 1),
    ("个字节", "bytes", 1), ("字节", "bytes", 1), ("倍", "fold", 1), ("成", "tenths", 1),
)  # fmt: skip
MEASURE = re.compile(
    r"[ \u00a0]?(?:行|条|個|个|张|張|项|項|列|次|组|組|处|處|笔|位|份|种|类|例|名|件|户|家|批|轮|级|字段|表|值|问题|记录|检查)"
)
ZH_NOUN = re.compile(
    r"[ \u00a0]?(?:数据)?(?:行|条|表|检查|发现|问题|列|字段|记录|值|组|错误|异常|缺陷|重复|孤儿|空值|订单|客户|用户|消息|数据库|违规|结果|失败)"
)
ZH_NONE = re.compile(
    r"(?:没有|没|未见|未发现|未出现|不存在|无|零|并无|均无|尚无)(?:发现|出现|存在|检出|检测到)?(?:任何|其他|其它|一[行条个张项列处笔]|任何一[行条个张项列处笔])?的?"
    r"(?=(?:重复|孤儿|空|缺失|异常|违规|高危|严重|失败|无效|过期|高|中|低|新的?|坏|可疑|有问题的?|未通过的?|受影响的?){0,2}的?(?:级别|严重性|严重度)?的?(?:数据)?"
    r"(?:行|条目|条|项|表|检查|发现|问题|列|字段|记录|值|组|错误|异常|缺陷|重复|孤儿|缺失|违规|失败|未通过))"
)

_NOUNS = (
    "row rows value values table tables check checks finding findings column columns duplicate duplicates orphan orphans "
    "group groups record records time times violation violations issue issues problem problems error errors null nulls "
    "entry entries key keys item items cell cells run runs database databases file files field fields line lines view "
    "views case cases instance instances occurrence occurrences failure failures warning warnings pair pairs result "
    "results customer customers order orders message messages user users payment payments product products member members "
    "reference references address addresses email emails date dates category categories anomaly anomalies mismatch "
    "mismatches defect defects gap gaps exception exceptions alert alerts schema schemas test tests source sources person "
    "people percent percentage transaction transactions ticket tickets account accounts contact contacts session sessions "
    "zeile zeilen wert werte werten tabelle tabellen prüfung prüfungen befund befunde befunden spalte spalten "
    "duplikat duplikate duplikaten waise waisen gruppe gruppen datensatz datensätze datensätzen verstoß verstöße "
    "problem probleme problemen fehler fehlern eintrag einträge einträgen nullwerte feld felder feldern "
    "ligne lignes valeur valeurs table tables contrôle contrôles vérification vérifications constat constats colonne "
    "colonnes doublon doublons orphelin orphelins orpheline orphelines groupe groupes enregistrement enregistrements "
    "anomalies erreur erreurs problème problèmes violation violations entrée entrées champ champs anomalie cas"
)
NOUNS = frozenset(_NOUNS.split())
# not a noun though it ends in s, and no adjective before one either
STOP = frozenset(
    "of the a an in is are was were and or to with on for at by from than that this these those it its his hers as has "
    "have had be been being not but if so when while which who whose who's i.e then there here their them they his her we "
    "us you do does did can could will would should must may might also plus per via into over under between across "
    "always perhaps sometimes besides unless thus yes now remains exists occurs happens fails means shows needs says "
    "der die das dem den des und oder ist sind war waren im in von zu mit für auf bei als aus nicht bis es "
    "le la les de du des et ou est sont dans sur par pour avec sans plus moins pas mais dont ces ses nos vos nous vous "
    "one two three four five six seven eight nine ten".split()
)
PLURAL_NOT = frozenset("this is was has its as his us yes thus always perhaps sometimes besides unless less process access "
                       "success address plus status basis analysis across previous various serious numerous class business "
                       "pass loss cross progress address bus".split())  # fmt: skip

_QUALIFIERS = {
    "about": "about|around|approximately|approx|approx .|roughly|circa|ca|ca .|c .|~|≈|some|an estimated|estimated|in the "
    "region of|in the order of|on the order of|give or take|etwa|rund|ungefähr|zirka|annähernd|schätzungsweise|environ|à peu "
    "près|autour de|quelque|quelques|grosso modo|approximativement|≃|±",
    "nearly": "nearly|almost|just under|just below|close to|just shy of|shy of|little under|approaching|not quite|knapp|fast|"
    "beinahe|nahezu|kurz vor|annähernd|près de|presque|quasiment|quasi",
    "over": "over|more than|above|exceeding|upwards of|greater than|just over|just above|slightly over|slightly more than|"
    "a little over|a bit more than|well over|in excess of|>|über|mehr als|gut|größer als|plus de|plus d '|au - delà de|"
    "au - dessus de|supérieur à|un peu plus de|bigger than|larger than|higher than",
    "under": "under|below|less than|fewer than|lower than|smaller than|<|unter|weniger als|kleiner als|moins de|moins d '|"
    "en dessous de|inférieur à|au - dessous de",
    "at_least": "at least|no fewer than|no less than|not less than|not fewer than|a minimum of|minimum|min|min .|minimum of|≥|> "
    "=|mindestens|wenigstens|nicht weniger als|au moins|au minimum|pas moins de",
    "at_most": "up to|at most|no more than|not more than|a maximum of|maximum of|maximum|max|max .|≤|< =|höchstens|maximal|bis zu|"
    "nicht mehr als|au plus|au maximum|jusqu ' à|pas plus de|tout au plus",
}
QUALIFIERS = {tuple(phrase.split()): name for name, phrases in _QUALIFIERS.items() for phrase in phrases.split("|")}
LONGEST_QUALIFIER = max(map(len, QUALIFIERS))
SMALL_WORDS = frozenset("a an the only just some der die das den dem des le la les l '".split())

# behind a number: "or more"
AFTER = {
    ("or", "more"): "at_least", ("or", "so"): "about", ("or", "fewer"): "at_most", ("or", "less"): "at_most",
    ("and", "more"): "at_least", ("oder", "mehr"): "at_least", ("oder", "weniger"): "at_most", ("ou", "plus"): "at_least",
    ("ou", "moins"): "at_most", ("at", "least"): "at_least", ("at", "most"): "at_most", ("and", "above"): "at_least",
    ("and", "up"): "at_least", ("or", "thereabouts"): "about", ("approximately", "."): "about",
}  # fmt: skip

ZH_BEFORE: tuple[tuple[str, str], ...] = (
    ("差不多", "about"), ("大约", "about"), ("大概", "about"), ("大致", "about"), ("近似", "about"), ("左右约", "about"),
    ("不超过", "at_most"), ("不多于", "at_most"), ("不高于", "at_most"), ("不大于", "at_most"), ("至多", "at_most"),
    ("最多", "at_most"), ("不少于", "at_least"), ("不低于", "at_least"), ("不小于", "at_least"), ("至少", "at_least"),
    ("最少", "at_least"), ("将近", "nearly"), ("接近", "nearly"), ("几乎", "nearly"), ("几近", "nearly"), ("超过", "over"),
    ("超出", "over"), ("多于", "over"), ("高于", "over"), ("大于", "over"), ("多达", ""), ("不足", "under"), ("不到", "under"),
    ("少于", "under"), ("低于", "under"), ("小于", "under"), ("约", "about"), ("近", "nearly"), ("逾", "over"), ("超", "over"),
)  # fmt: skip
ZH_BETWEEN = ("为", "有", "是", "达", "占", "了")  # may stand between such a word and its number
ZH_AFTER: tuple[tuple[str, str], ...] = (
    ("左右", "about"), ("上下", "about"), ("前后", "about"), ("以上", "at_least"), ("以下", "at_most"), ("以内", "at_most"),
    ("之内", "at_most"), ("有余", "over"), ("出头", "over"),
)  # fmt: skip
ZH_MORE = "多余几"  # 100多行, 两千余条


def countable(word: str) -> bool:
    """Whether a word, in small letters, names things that are counted: one of the known nouns or an English plural."""
    return word in NOUNS or (len(word) > 3 and word[-1] == "s" and word not in PLURAL_NOT and word not in STOP)
