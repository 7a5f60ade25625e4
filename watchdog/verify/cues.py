"""Words that say what part a number plays, in English, Chinese, German and French. Pure data: regular expressions.

A cue only ever narrows what a number may be: a wording that none of them knows is judged by the facts alone. So a word
belongs here when it leaves no doubt; where it does, it is better left out.
"""

from __future__ import annotations

import re
from functools import lru_cache


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in parts), re.IGNORECASE)


# ---------------------------------------------------------------- time and change

# somewhere in the sentence: it speaks of an earlier run
PAST = _any(
    r"\b(previous(ly)?|last|earlier|before|prior|ago|yesterday|since|formerly|past|baseline|history|historic\w*"
    r"|trend\w*|"
    r"compared|versus|vs|against|from|was|were|had been|used to|rose|risen|rise[ns]?|rising|fell|fallen|fall(s"
    r"|ing)?|grew|"
    r"grown|grow(s|ing|th)?|increas\w*|decreas\w*|declin\w*|dropp?\w*|climb\w*|shr[aiu]nk\w*|jump\w*|up|down|more"
    r"|fewer|less|"
    r"chang\w*|delta|diff\w*|doubl\w*|halv\w*|tripl\w*|worse\w*|better|improv\w*|unchanged|same|still|new|added"
    r"|additional|"
    r"extra|gain\w*|lost|net|remain\w*|steady|stable|week|month|run|runs|another|further)\b|→|->|⇒|⟶",
    r"上次|上回|上一|此前|之前|先前|前次|前一|历史|基线|以往|原来|原先|原为|去年|昨|[较比]|增|减|升|降|涨|跌|多了"
    r"|少了|又多|变化|变动|从|由|翻|扩大|收窄|"
    r"缩小|恶化|改善|好转|持平|不变|仍|新增|净|环比|同比|趋势",
    r"\b(vorher\w*|zuvor|zuletzt|letzt\w+|vorig\w+|davor|früher\w*|gestiegen|steig\w*|stieg\w*|gesunken|sink\w*"
    r"|sank\w*|"
    r"gefallen|gewachsen|zugenommen|abgenommen|zurückgegangen|mehr|weniger|von|gegenüber|seit|anstieg|rückgang|zunahme|"
    r"abnahme|veränder\w*|differenz|unverändert|verdoppelt\w*|halbiert\w*|verschlecht\w*|verbesser\w*|plus|minus"
    r"|vormals|"
    r"vorlauf|lauf|bisher\w*|damals|noch|zusätzlich\w*|weitere\w*|neu\w*)\b",
    r"\b(précéd\w+|derni\w+|avant|auparavant|hausse|baisse|augment\w*|diminu\w*|plus|moins|contre|depuis|recul\w*"
    r"|progress\w*|"
    r"évolu\w*|chang\w*|inchangé\w*|doubl\w*|chut\w*|était|étaient|passé\w*|passe|aggrav\w*|amélior\w*|écart|ancien\w*|"
    r"antérieur\w*|encore|supplémentaire\w*|nouve\w*)\b|\bde\s+(?=\d)",
)  # fmt: skip
# just before a number: it is the count of the run before
BEFORE_PREVIOUS = re.compile(
    r"(?:\b(?:up|down|rose|risen|fell|fallen|grew|grown|increased|decreased|dropped|climbed|declined|jumped|shrank"
    r"|went|moved|"
    r"changed|improved|worsened|rising|falling|gone|growing|increase|decrease|rise|drop|fall|growth|decline"
    r"|jump)\s+(?:\w+\s+)?from"
    r"|\b(?:previous(?:ly)?|prior|last)\s+(?:(?:count|value|figure|number|total|level|run|scan|time|check|result"
    r"|reading|week|night|day)s?\W{0,3}\s*)?"
    r"(?:(?:was|were|had|had been|showed|found|saw|at|of|with|it was|it had|it stood at|we had|there were|reported"
    r"|stood at|counted)\s+)?"
    r"|\bcompared\s+(?:with|to)|\bagainst|\bversus|\bvs\.?|\bbefore\s*[:(]|\bformerly|\bused to be"
    r"|\bearlier\s*[:(]?|\bwas\s+(?:previously\s+|still\s+)?at)\W{0,3}\s*$"
    r"|(?:上次|上回|上一次|上一轮|此前|之前|先前|前次|原来|原先|上期|前一次|上次扫描|上次运行|上轮)(?:的|扫描|运行"
    r"|检查|时|结果|数量|计数|问题数|条数|还)*"
    r"(?:为|是|有|共|发现|记录|报告|只有|仅|仅有|：|:|\(|（|，)*\s*$"
    r"|(?:从|由|自)(?:上次的?|之前的?|此前的?|原来的?)?\s*$"
    r"|(?:\b(?:zuletzt|vorher|zuvor|davor|bisher|vormals|früher)(?:\s+(?:waren(?:\s+es)?|war(?:\s+es)?|noch"
    r"|lag(?:en)?|bei|es))*"
    r"|\bgegenüber(?:\s+(?:zuletzt|vorher|zuvor))?|\bletztes\s+mal(?:\s+(?:waren(?:\s+es)?|noch))*"
    r"|\bim\s+(?:letzten|vorigen)\s+lauf(?:\s+(?:waren(?:\s+es)?|noch))*"
    r"|\bnach(?:\s+zuvor)?|\b(?:stieg(?:en)?|gestiegen|sank(?:en)?|gesunken|fiel(?:en)?|gefallen|wuchs(?:en)?"
    r"|anstieg|rückgang)\s+von|\bvormals)\W{0,3}\s*$"
    r"|(?:\b(?:auparavant|avant|précédemment|contre|la\s+dernière\s+fois|la\s+fois\s+précédente|lors\s+de\s+(?:la"
    r"|l')\s*"
    r"(?:dernière|précédente)?\s*(?:exécution|analyse|passage)\s*(?:précédente?)?"
    r"|au\s+précédent\s+passage)(?:\s+(?:il y en avait|c'était|était|on en comptait|on comptait|elle était"
    r"|ils étaient|il était|de))*"
    r"|\b(?:passé|passée|passés|passées|passe|passent|augmenté|diminué|progressé|baissé|hausse|baisse|reculé"
    r"|montée?)\s+de)\W{0,3}\s*$",
    re.IGNORECASE,
)
# just behind a number: it is the count of the run before
AFTER_PREVIOUS = re.compile(
    r"^\W{0,2}(?:(?:rows?|values?|records?|nulls?|of them|cases?)\s+)?(?:(?:in|at|on|during"
    r"|as of)\s+(?:the\s+)?(?:previous|last|prior|earlier)\s+(?:run|scan|time|check|night|week|day)"
    r"|last\s+(?:time|run|scan|week|night)\b|previously\b|before\b(?!\s+(?:the|you|we|loading|any|it))|earlier\b"
    r"|yesterday\b|a (?:run|scan|week|day) (?:ago|earlier))"
    r"|^\s*[\)）]?\s*(?:zuvor|vorher|beim\s+letzten\s+(?:mal|lauf)|im\s+letzten\s+lauf|letztes\s+mal"
    r"|im\s+vorigen\s+lauf)\b"
    r"|^\s*(?:auparavant|précédemment|la\s+dernière\s+fois|la\s+fois\s+précédente|lors\s+du\s+précédent)\b",
    re.IGNORECASE,
)
# just behind a number: it is a difference to the run before
AFTER_DELTA = re.compile(
    r"^\W{0,2}(?:(?:rows?|values?|records?|cases?|nulls?|duplicates?|orphans?|of them|bad|affected"
    r"|such)\s+){0,3}(?:more|fewer|less|higher|lower|up|down|additional|above|below)\b"
    r"(?!\s+than\s+(?:\d|half|the (?:limit|threshold|allowed)))"
    r"|^\s*(?:个|条|行|处|例|项|笔)?\s*(?:mehr|weniger)\b|^\s*(?:\w+\s+)?(?:mehr|weniger)\s+als|^\s*(?:de\s+plus"
    r"|de\s+moins)\b|^\s*(?:\w+\s+)?de\s+(?:plus|moins)\b",
    re.IGNORECASE,
)
# just before a number: it is a difference to the run before
BEFORE_DELTA = re.compile(
    r"(?:\b(?:up|down|rose|risen|fell|fallen|grew|grown|increased|decreased|dropped|climbed|declined|jumped|shrank"
    r"|by|increase|"
    r"decrease|rise|drop|growth|gain|fall|decline|jump)\s+(?:\w+\s+)?(?:by|of)|\b(?:a\s+)?(?:change|difference"
    r"|delta)\s+(?:is|of|by|:)?)\W{0,2}\s*$"
    r"|(?:增加|增多|增长|减少|下降|上升|多|少|新增|增|减|涨|跌|升|降|变化)了?(?:为|：|:)?\s*$"
    r"|\b(?:um|plus|minus)\s*$|\b(?:augmenté|diminué|progressé|baissé|reculé|hausse|baisse|augmentation|diminution"
    r"|recul|progression)\s+de\s*$",
    re.IGNORECASE,
)
NOW = re.compile(
    r"(?:\b(?:now|currently|today|at present|this time|this run|today's count (?:is|of)|current (?:count|value"
    r"|figure|run)\s*(?:is|of|:)?)\W{0,3}\s*$"
    r"|(?:现在|目前|当前|如今|本次|这次|此次|今天|本轮)(?:的|为|是|有|共|发现|数量|已有|已达|达到|达|则"
    r"|已)*\s*[:：]?\s*$"
    r"|\b(?:jetzt|nun|aktuell|derzeit|heute|diesmal)(?:\s+(?:sind\s+es|bei))?\s*$|\b(?:maintenant|actuellement"
    r"|aujourd'hui|désormais|cette\s+fois)\s*$)",
    re.IGNORECASE,
)
# verbs and phrases that say which way a count went; `up` and `down` alone stand in too many other places
ROSE = _any(
    r"\b(rose|risen|has grown|have grown|grew|increased|climbed|jumped|went up|gone up|up from|up by|is up|are up"
    r"|worsened|got worse|"
    r"more than (?:last|the previous|the last|before|in the (?:last|previous))|higher than (?:last|before"
    r"|the previous|in the (?:last|previous))|an? (?:increase|rise|jump) of|"
    r"up (?=[\d+])|\d+ up on|rows? more than last|more (?:rows |of them |cases |nulls )?than last|growing|rising"
    r"|crept up|ticked up|uptick)\b",
    r"(?<!不)(?:上升|增加|增长|增多|上涨|恶化|攀升|走高|扩大)(?!.{0,3}(?:风险|监控|约束|校验|检查|索引))|(?:比"
    r"|较)(?:上次|上回|上一次|上一轮|此前|之前)多|多了(?=\s*\d)|翻了?一?番|翻倍|增至|升至",
    r"\b(gestiegen|stieg(en)?|zugenommen|gewachsen|wuchs(en)?|angestiegen|verschlechtert|mehr als (?:zuletzt"
    r"|beim letzten|im letzten|zuvor|vorher)|anstieg um|erhöht\b(?! werden))\b",
    r"\b(augmenté|progressé|en hausse|s'est aggravé|grimpé|de plus que (?:la|lors)|s'est détérioré)\b",
)
FELL = _any(
    r"\b(fell|fallen|decreased|dropped|declined|shrank|shrunk|went down|gone down|down from|down by|is down"
    r"|are down|improved|"
    r"fewer than (?:last|the previous|the last|before|in the (?:last|previous))|lower than (?:last|before"
    r"|the previous|in the (?:last|previous))|a (?:decrease|drop|fall|decline) of|"
    r"down (?=[\d-])|fewer (?:rows |of them |cases |nulls )?than last|less than last|shrinking|falling|eased"
    r"|came down|receded)\b",
    r"(?<!不)(?:下降|减少|回落|下跌|好转|改善|走低|收窄|缩小)(?!.{0,3}(?:风险|约束|校验|检查|索引))|(?:比"
    r"|较)(?:上次|上回|上一次|上一轮|此前|之前)少|少了(?=\s*\d)|降至|减至|减半",
    r"\b(gesunken|sank(en)?|abgenommen|zurückgegangen|gefallen|fiel(en)?|verbessert|weniger als (?:zuletzt"
    r"|beim letzten|im letzten|zuvor|vorher)|rückgang um|verringert\b(?! werden))\b",
    r"\b(diminué|baissé|reculé|en baisse|s'est amélioré|chuté|de moins que (?:la|lors))\b",
)
SAME = _any(
    r"\b(unchanged|no change|not changed|the same as (?:last|before|in)|same count as|steady at|stable at|flat at"
    r"|holding at|(?<!times )(?<!twice )as many as (?:last|before))\b",
    r"持平|没有变化|无变化|保持不变|未变|与上次(?:相同|一致|持平|一样)",
    r"\b(unverändert|gleich geblieben|gleichbleibend|wie zuletzt|wie beim letzten)\b|\b(inchangé\w*|stable à"
    r"|sans changement|identique à la dernière)\b",
)

# ---------------------------------------------------------------- parts of a finding

LIMIT = _any(
    r"\b(limit\w*|threshold\w*|tolera\w*|allow\w*|permit\w*|at most|maximum|max|budget|accept\w*|ceiling|cap|sla"
    r"|target|quota|cut-?off|bound|exceed\w*|above|over|beyond|no more than|expected|within|"
    r"up to|under|below|minimum|min|at least|required?|configured|set (?:to|at))\b|[≤<>≥]",
    r"阈值|上限|下限|允许|容忍|容许|限制|最多|最大|不超过|超过|超出|高于|低于|至多|目标|规定|要求|标准|门槛|界限"
    r"|期望|应[为不]|至少|以内|之内|限",
    r"\b(schwell\w*|grenz\w*|limit\w*|erlaubt\w*|zulässig\w*|toler\w*|höchstens|maximal\w*|über|oberhalb"
    r"|überschr\w*|obergrenze|untergrenze|mindestens|erwartet\w*|ziel\w*|vorgabe|unter)\b",
    r"\b(seuil\w*|limite\w*|tolér\w*|autoris\w*|maxim\w*|au plus|au maximum|dépass\w*|plafond|admis\w*|permis\w*"
    r"|au moins|attendu\w*|cible|au-dessus|au-dessous|sous)\b",
)
# just before a number: it is the threshold
BEFORE_LIMIT = re.compile(
    r"(?:\b(?:limit|threshold|tolerance|allowed|allowance|at most|maximum|tolerated|ceiling|cap|no more than|budget"
    r"|permitted|bound)(?:\s+(?:is|are|was|of|at|here|to|for it|being|set|set to|set at|sits at|stands at))*"
    r"|阈值|上限|限值|允许值?|允许上限|容忍度?|最多允许|至多允许|门槛|不超过|界限|限额|容许(?:值|上限)?"
    r"|\b(?:schwellenwert|schwelle|grenzwert|grenze|limit|obergrenze|erlaubt|zulässig|toleranz"
    r"|höchstens)(?:\s+(?:sind|ist|von|liegt|bei|beträgt|maximal|höchstens))*"
    r"|\b(?:seuil|limite|tolérance|plafond|toléré|autorisé|maximum)(?:\s+(?:est|de|à|fixée?|toléré|autorisé"
    r"|d'alerte))*)"
    r"(?:为|是|设为|定为|仅|只|只有|的|：|:|=|\(|（|≤|<=|<|\s)*$",
    re.IGNORECASE,
)
RANGE = _any(
    r"\b(range\w*|between|from|to|through|min\w*|max\w*|lowest|highest|smallest|largest|least|most|allow\w*|below"
    r"|above|under|over|bound\w*|negative|positive|outside|within|expected|observed|seen|span\w*|extreme\w*"
    r"|earliest|latest|oldest|newest|low\w*|high\w*|up)\b|[≤<>≥–…~]|\.\.",
    r"范围|区间|最小|最大|最低|最高|至少|至多|不低于|不高于|允许|介于|之间|小于|大于|低于|高于|超出|上限|下限|观测"
    r"|实际|到|至|负|期望|最早|最晚",
    r"\b(bereich\w*|zwischen|von|bis|mindest\w*|höchst\w*|minim\w*|maxim\w*|klein\w*|größ\w*|niedrig\w*|erlaubt\w*"
    r"|zulässig\w*|unter\w*|ober\w*|außerhalb|beobachtet\w*|gemessen\w*|negativ\w*|erwartet\w*|spanne)\b",
    r"\b(plage\w*|entre|et|de|à|minim\w*|maxim\w*|au moins|au plus|autoris\w*|hors|observé\w*|négati\w*|attendu\w*"
    r"|inférieur\w*|supérieur\w*|admis\w*|intervalle|bornes?)\b",
)
ASIDE = _any(
    r"\bnulls?\b|\b(not (?:evaluated|judged|checked|counted|assessed)|skipped|ignored|unevaluated|left out|excluded"
    r"|aside|empty|missing|without a value|blank|not considered|further)\b",
    r"空值|未评估|未判断|未参与|未检查|跳过|忽略|未计|缺失|为空|不参与|未被",
    r"\b(nicht (?:bewertet|geprüft|berücksichtigt|beurteilt)|ignoriert|übersprungen|ausgelassen|leer\w*|fehlend\w*"
    r"|unbewertet\w*|außen vor|ausgenommen)\b",
    r"\b(non (?:évalué|jugé|vérifié|pris)\w*|ignoré\w*|vide\w*|manquant\w*|écarté\w*|exclu\w*|laissé\w*)\b",
)
REST = _any(
    r"\b(other|others|remain\w*|rest|fine|valid|ok|okay|correct\w*|fill\w*|present|complete|unaffected|clean"
    r"|pass\w*|without|healthy|good|intact|sound|populated|not|no|none|never|usable|conform\w*|compl(?:y|ies|iant)"
    r"|in order|"
    r"unique|distinct|proper\w*|well-formed|all but|except|leav\w*|left|trustworthy|match\w*|acceptable|legitimate"
    r"|error-free|untouched|as expected|meet\w*|satisf\w*|within|consistent|only)\b|n't\b",
    r"其余|其他|其它|剩余|剩下|余下|正常|有效|完整|通过|合格|没有|未|不|无|正确|齐全|干净|可用|良好|合规|除外|以外"
    r"|一致|唯一",
    r"\b(übrig\w*|restlich\w*|rest|gültig\w*|korrekt\w*|in ordnung|ausgefüllt\w*|unauffällig\w*|einwandfrei\w*"
    r"|ander\w*|sauber\w*|nicht|kein\w*|fehlerfrei\w*|ohne|vollständig\w*|gefüllt\w*|unversehrt\w*|verbleib\w*"
    r"|eindeutig\w*|brauchbar\w*|intakt\w*)\b",
    r"\b(rest\w*|autre\w*|valide\w*|correct\w*|rempli\w*|conforme\w*|intact\w*|sain\w*|sans|pas|aucun\w*|bon\w*"
    r"|renseigné\w*|unique\w*|propre\w*|en ordre|complet\w*|complèt\w*)\b",
)
# words for a fault that a share of its opposite cannot be said of
FAULT = _any(
    r"\b(are|is|were|was|have|has|being) (?:null|missing|empty|blank|invalid|duplicated?|duplicates|orphan\w*"
    r"|broken|malformed|bad|wrong|stale|out of range|outside|in the future|incorrect|affected|unmatched"
    r"|undefined)\b"
    r"|\b(?:nulls|duplicates|orphans|violations|missing values|bad rows|bad values|affected rows|failures|offending"
    r"|violating|faulty)\b",
    r"为空|缺失|空值|重复|孤儿|孤立|无效|异常|错误|违反|不合规|不符|超出范围|越界|受影响|有问题",
    r"\b(?:ist|sind|waren|war) (?:null|leer|ungültig|doppelt|verwaist|fehlerhaft|falsch|betroffen)\b|\b(?:dubletten"
    r"|duplikate|nullwerte|verstöße|waisen)\b",
    r"\b(?:est|sont|étaient|était) (?:null\w*|vides?|invalides?|dupliqué\w*|orphelin\w*|erroné\w*|fautif\w*"
    r"|touché\w*|manquant\w*)\b|\b(?:doublons|orphelins|violations)\b",
)

# which checks a word speaks of; only words that leave no doubt
CHECKS: tuple[tuple[frozenset[str], re.Pattern[str]], ...] = tuple(
    (frozenset(names.split()), re.compile(pattern, re.IGNORECASE))
    for names, pattern in (
        ("not_null",
            r"\bnulls?\b|\bnull[- ]?(?:values?|rate|share|check)|空值|为\s?null|\bNULL-?werte?\b|\bnull(?:e|es)\b"),
        ("unique unique_combination_of_columns primary_key duplicate_rows",
         r"\bduplicat\w*|\bdupes?\b|\bnot unique\b|occur more than once|重复|不唯一|\bdoppelt\w*|\bdublett\w*"
         r"|\bduplikat\w*|\bmehrfach\w*|\bdoublons?\b|\bdupliqu\w*|\ben double\b"),
        ("relationships foreign_key",
         r"\borphan\w*|\bdangling\b|no (?:matching|corresponding) (?:row|parent|record|entry)|\bforeign[- ]key\b"
         r"|孤儿|孤立|悬空|外键|无对应|\bverwais\w*|\bwaisen\b|\bfremdschlüssel\w*|\borphelin\w*|\bclé étrangère"),
        ("accepted_range",
            r"\bout[- ]of[- ](?:the )?range\b|\boutside (?:the |its |their )?(?:allowed |accepted |valid "
            r"|permitted )?range\b|超出(?:允许)?范围|越界|\baußerhalb des (?:\w+ )?bereichs|\bhors (?:de la )?plage"),
        ("accepted_values not_accepted_values",
            r"\bunexpected (?:values?|codes?|status\w*)|\bnot (?:among|in) the (?:\d+ )?(?:accepted|allowed)"
            r"|\bunaccepted\b|\bdisallowed\b|不在允许|非法取值|枚举|\bunerwartete werte|\bvaleurs? (?:non admise"
            r"|inattendue)"),
        ("freshness",
            r"\bstale\w*|\bout[- ]of[- ]date\b|\bfreshness\b|\bhours? old\b|\bnewest\b|\bmost recent\b|过期|陈旧"
            r"|不新鲜|新鲜度|\bveraltet\w*|\baktualität|\bfraîcheur|\bpérimé\w*"),
        ("matches valid",
            r"\bmalformed\b|\bpattern\b|\bregex\b|\bformat\b|格式|正则|模式|\bmuster\b|\bformat\b|\bmotif\b"),
        ("not_future",
            r"\bin the future\b|\bfuture dates?\b|未来|\bin der zukunft|\bzukünftig\w*|\bdans le futur|\bfutur\w*"),
        ("missing", r"\bblanks?\b|\bblank or\b|\bplaceholders?\b|空白|占位"),
        ("row_count", r"\brow[- ]?count\b|行数|\bzeilenzahl|\bnombre de lignes"),
        ("integrity", r"\bintegrity\b|\bcorrupt\w*|完整性|损坏|\bintegrität|\bintégrité"),
        ("type", r"\bwrong type\b|\bdeclared type\b|\bnot (?:integer|decimal|text|real)\b|类型|\btyp\b|\bfalscher typ"),
        ("encoding", r"\bencoding\b|\bUTF-?8\b|编码|\bkodierung|\bencodage"),
    )
)  # fmt: skip

_ANY_CHECK = re.compile(
    "|".join(f"(?P<c{n}>{pattern.pattern})" for n, (_, pattern) in enumerate(CHECKS)), re.IGNORECASE
)


@lru_cache(maxsize=4096)
def checks_in(text: str) -> tuple[frozenset[str], ...]:
    """The checks that the words of a text speak of: one set for each phrase, in the order of CHECKS."""
    found = {match.lastgroup for match in _ANY_CHECK.finditer(text)}
    return tuple(checks for n, (checks, _) in enumerate(CHECKS) if f"c{n}" in found)


# ---------------------------------------------------------------- nouns, severities, places

NOUNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("findings",
            r"findings?\b|issues?\b|problems?\b|alerts?\b|violations? found\b|defects?\b|(?:个|项|条"
            r"|处)?\s*(?:质量)?(?:问题|发现|告警|缺陷)(?!行|记录|数据|值|率)"
                     r"|befunde?n?\b|probleme?n?\b|auffälligkeiten\b|mängel\b|constats?\b|problèmes?\b|anomalies?\b"),
        ("checks",
            r"checks?\b|tests?\b|rules?\b|validations?\b|(?:个|项|条)?\s*(?:检查|校验|规则|检测|测试)"
            r"|prüfung(?:en)?\b|kontrollen?\b|regeln?\b|contrôles?\b|vérifications?\b|règles?\b|tests?\b"),
        ("tables", r"tables?\b|(?:张|个)?\s*(?:数据)?表(?!示|明|面|达|现)|tabellen?\b"),
        ("columns",
            r"columns?\b|fields?\b|(?:个|列)?\s*(?:字段|列)(?!表|出)|spalten?\b|felder?n?\b|colonnes?\b|champs?\b"),
        ("groups", r"groups?\b|clusters?\b|sets? of\b|组|gruppen?\b|groupes?\b"),
        ("surplus",
            r"surplus\b|redundant\b|superfluous\b|excess (?:rows|copies)\b|extra (?:rows|copies)\b|冗余|多余"
            r"|überzählig\w*|überflüssig\w*|excédentaires?\b|en trop\b|superflus?\b"),
        ("runs", r"runs?\b|scans?\b|rounds?\b|attempts?\b|次运行|次扫描|轮|läufe?\b|exécutions?\b"),
        ("rows",
            r"rows?\b|records?\b|values?\b|entries\b|entry\b|cells?\b|行|条记录|条数据|记录|个值|条(?!检查|规则"
            r"|问题)|zeilen?\b|werte?n?\b|datensätze?n?\b|einträge?n?\b|lignes?\b|valeurs?\b|enregistrements?\b"
            r"|entrées?\b"),
    )
)  # fmt: skip
SKIP_WORDS = re.compile(
    r"^(?:\s|[*_\"'“”])*(?:(?:of|the|its|their|all|bad|affected|failing|failed|passing|passed|distinct|different"
    r"|separate|more|fewer|further|other|"
    r"high|medium|low|info|severity|critical|new|ongoing|open|data|quality|such|total|database|remaining|single"
    r"|real|declared|inferred|serious|-|"
    r"der|die|das|den|aller|alle|neue|neuen|weitere|weiteren|betroffene|betroffenen|fehlerhafte|fehlerhaften"
    r"|doppelte|des|les|de|d'|nouveaux|autres|"
    r"的|数据|质量|高|中|低|严重|级别|危|等级|性|度|不同|其他|新|独立|共)(?:\s+|(?<=[^\x00-\x7f])|-))*",
    re.IGNORECASE,
)
SEVERITIES: tuple[tuple[str, str], ...] = (
    ("high",
        r"high(?:est)?|critical|severe|高|严重|hoch|hohe[rnms]?|schwer(?:e[rn]?|wiegend\w*)?|kritisch\w*|élevée?s?"
        r"|haute?s?|graves?|critiques?"),
    ("medium", r"medium|moderate|mid|中|mittel(?:schwer\w*)?|mittlere[rnms]?|moyenn?e?s?|modérée?s?"),
    ("low", r"low|minor|低|niedrig\w*|gering\w*|leicht\w*|faibles?|basses?|mineure?s?"),
    ("info", r"info(?:rmational)?s?|提示|信息|informationen?|hinweise?|informations?|informatifs?"),
)  # fmt: skip
SEVERITY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in SEVERITIES), re.IGNORECASE)


def _level(n: str = "") -> str:
    """One group a level, numbered apart, as a pattern may hold each group once."""
    return (
        rf"(?:(?P<h{n}>high(?:est)?|critical|hohe[rnms]?|hoch|élevée?s?|haute?|高)"
        rf"|(?P<m{n}>medium|mittlere[rnms]?|mittel|moyenn?e?s?|中等?)"
        rf"|(?P<l{n}>low|niedrige?[rnms]?|niedrig|gering\w*|faibles?|低)"
        rf"|(?P<i{n}>info|informational|提示|信息))"
    )


# a level that is said of a subject: "(high)", "[HIGH]", "high severity", "severity: high", 严重程度：高
SAID_SEVERITY = re.compile(
    rf"[\(\[（【]\s*(?:severity|严重性|严重程度|级别|schweregrad|gravité"
    rf"|sévérité)?\s*[:：]?\s*{_level()}(?:\s*(?:severity|priority|级别?|危|严重性?|严重程度|schweregrad"
    rf"|gravité))?\s*[\)\]）】,，;·]",
    re.IGNORECASE,
)
SAID_SEVERITY_2 = re.compile(
    rf"\b(?:severity|priority|schweregrad|priorität|gravité|sévérité|criticité)\s*(?:is|of|level|rating|ist|est"
    rf"|de)?\s*[:=：]?\s*[\"'“]?{_level()}\b"
    rf"|(?:严重程度|严重性|严重级别|严重等级|级别|优先级|等级)\s*(?:为|是|：|:|属于"
    rf"|评为)*\s*[\"'“]?{_level('2')}",
    re.IGNORECASE,
)
SAID_SEVERITY_3 = re.compile(
    rf"\b{_level()}[- ]?(?:severity|priority|level|schweregrad|gravité|priorität)\b|\b(?:of|with|mit"
    rf"|de)\s+{_level('2')}\s+(?:severity"
    rf"|priority|schweregrad|gravité|priorität)"
    rf"|{_level('3')}(?:严重性"
    rf"|严重程度|严重度|危险?|级别?|优先级|严重级别?)(?:的|问题|发现|告警|，|。|）|\s|$)",
    re.IGNORECASE,
)
LEVEL_HEADING = re.compile(
    rf"^\W*(?:severity\W+)?{_level()}\W*(?:severity|priority|级别?|危|严重\w*|优先级|schweregrad"
    rf"|gravité)?\W*(?:findings?|issues?|problems?|问题|发现|befunde?|constats?|problèmes?)?\W*(?:\(\d+\)"
    rf"|（\d+）)?\W*$",
    re.IGNORECASE,
)

TOGETHER = _any(
    r"\b(together|combined|in total|total(?:l?ing|s)?|altogether|sum(?:s)?|add up|adds up|in all|overall"
    r"|between them|jointly|in sum|both .{0,60} account|taken together|counting both|cumulative\w*)\b",
    r"合计|总计|共计|一共|总共|总和|加起来|之和|相加|两者共|两项共|累计|合起来|合共|共有|共",
    r"\b(zusammen\w*|insgesamt|in summe|summe|gesamt\w*|addier\w*)\b|\b(ensemble|au total|total\w*|cumul\w*|réunis"
    r"|additionn\w*|en tout|somme)\b",
)
MORE = _any(
    r"\b(more|higher|larger|greater|exceeds?|ahead of|outnumbers?|worse|bigger|above|beats?|surpass\w*|tops)\b"
    r"|[^大最]多(?!数|次|个)|超过|高于|大于|\b(mehr|höher|größer|übertrifft|häufiger)\b|\b(plus|supérieur\w*"
    r"|dépasse\w*)\b"
)
LESS = _any(
    r"\b(fewer|less|lower|smaller|behind|trails?|below|under|better)\b|[^最]少|低于|小于|不及|\b(weniger|niedriger"
    r"|geringer|kleiner|seltener)\b|\b(moins|inférieur\w*)\b"
)
GAP = _any(
    r"\b(more|fewer|less|gap|difference|differ\w*|apart|ahead|behind|higher|lower|larger|smaller|exceeds?|margin"
    r"|greater|surpass\w*)\b|多|少|差|相差|差距|高出|低于|\b(mehr|weniger|differenz|unterschied|abstand|höher"
    r"|niedriger)\b|\b(plus|moins|écart|différence)\b"
)
MOST = re.compile(
    r"\b(?:the\s+)?(?:(?P<second>second|third|2nd|3rd)[- ])?(?P<most>largest|biggest|highest|most (?:frequent"
    r"|common|numerous|affected rows|rows|bad rows|violations|values)|greatest|leads the list|tops the list"
    r"|top finding|most of all)\b"
    r"|\b(?P<least>smallest|fewest|least frequent|lowest count|lowest number)\b"
    r"|(?P<most2>(?:数量|条数|行数|问题行?数?|受影响行数?|影响面|占比|比例|计数|规模|问题|影响)?(?:最多|最大|最高"
    r"|居首|首位|排名第一|位列第一))(?!允许|值)|(?P<least2>(?:数量|条数|行数|占比|比例|计数|规模|问题|影响)(?:最少"
    r"|最小|最低)|最少)"
    r"|\b(?P<most3>am (?:größten|häufigsten|meisten)|(?:die |der |das )?(?:größte|höchste|häufigste|meisten"
    r"|umfangreichste)[nrs]?)\b|\b(?P<least3>am (?:kleinsten|wenigsten|seltensten)|(?:die |der |das )?(?:kleinste"
    r"|geringste|wenigsten)[nrs]?)\b"
    r"|\b(?P<most4>(?:le|la|les) plus (?:important|grand|élevé|nombreu|fréquent|touché)\w*|arrive en tête"
    r"|le plus grand nombre)\b|\b(?P<least4>(?:le|la|les) (?:moins (?:important|nombreu|fréquent|touché)\w*"
    r"|plus (?:petit|faible)\w*))\b",
    re.IGNORECASE,
)
ALL_PASSED = _any(
    r"\b(?:all|every)(?: (?:other|of the|the))?(?: \w+)? (?:checks?|tests?|rules?"
    r"|validations?)(?: \w+){0,6}? (?:pass(?:ed|es)?|succeed\w*|(?:were|are|is|came back) (?:clean|green|ok|fine"
    r"|passed|successful))\b"
    r"|\bno (?:checks?|tests?) failed\b|\b(?:everything|all) (?:passed|is (?:fine|clean|green|ok|in order))\b",
    r"(?:所有|全部)(?:的)?(?:检查|校验|规则|测试)(?:项)?(?:均|都|全部)?(?:已)?(?:通过|合格|正常)|(?:检查"
    r"|校验)全部通过|一切正常|没有检查失败",
    r"\balle (?:prüfungen|checks|regeln|kontrollen|tests)(?: \w+){0,5} (?:bestanden|erfolgreich|ok|in ordnung"
    r"|grün)\b|\balle \w+ bestanden\b",
    r"\btous les (?:contrôles|tests)(?: \w+){0,4} (?:réussi|passé|passent|au vert|concluants)\w*"
    r"|\btoutes les (?:vérifications|règles)(?: \w+){0,4} (?:réussi|passé|passent)\w*",
)
NOTHING = _any(
    r"\bno (?:(?:data|quality|such|open|other|new|further|known|real|serious|high|medium|low|severity|critical"
    r"|high-severity|medium-severity|low-severity) ){0,3}(?:findings?|issues?|problems?|violations?|errors?|faults?"
    r"|defects?|anomal\w+|complaints?|alerts?)\b",
    r"\b(?:nothing|none) (?:was |were |to |is )?(?:found|wrong|report|flagged|detected)\b|\b(?:is|are|was|were"
    r"|looks?|came back|remains?|stays?) (?:all |completely |entirely )?(?:clean|spotless|free of (?:findings"
    r"|issues|problems|errors|faults)|without (?:findings|issues|problems|errors|faults)|problem-free|issue-free"
    r"|fault-free|healthy|unaffected|flawless)\b",
    r"(?:没有|未|无|并未|没)(?:有)?(?:任何)?(?:发现|检出|检测到|出现|查出)?(?:任何|其他|数据|质量|新的?"
    r"|严重)*(?:问题|异常|错误|违规|缺陷|告警)|(?:一切|完全|均|都|全部|表现)?(?:正常|干净|无误|健康)(?!行|值|率|数"
    r"|的|范围)|零问题",
    r"\bkeine(?:n|rlei)? (?:\w+ )?(?:befunde|probleme|fehler|auffälligkeiten|verstöße|mängel|beanstandungen)\b"
    r"|\b(?:ist|sind|war|waren|bleibt) (?:sauber|unauffällig|fehlerfrei|einwandfrei|ohne befund|in ordnung)\b",
    r"\b(?:aucun|aucune|pas de|sans) (?:\w+ )?(?:constat|problème|anomalie|erreur|défaut|violation)s?\b|\b(?:est"
    r"|sont) (?:propre|irréprochable|sain|intact|sans anomalie|en ordre)e?s?\b",
)

# ---------------------------------------------------------------- advice

ADVICE_HEADING = _any(
    r"\b(recommend\w*|next steps?|actions?(?: items| plan)?|to-?dos?|suggest\w*|mitigation|remediation|what to do"
    r"|follow[- ]?ups?|plan|proposed|advice|way forward|how to fix|fixes)\b",
    r"建议|后续|下一步|措施|行动|计划|待办|处理方案|改进|整改",
    r"\b(empfehl\w*|nächste schritte|maßnahmen?|to-?do|vorschl\w*|vorgehen|handlungs\w*|was zu tun)\b"
    r"|\b(recommand\w*|prochaines étapes|plan d'action|actions?|à faire|suggestions?|mesures)\b",
)
ADVICE = _any(
    r"\b(should|must|shall|need(?:s)? to|ought to|recommend\w*|suggest\w*|plan(?:ned)? to|please|consider|let's"
    r"|aim\w*|make sure|ensure|target|deadline|due|sla|within|no later than|by (?:friday|monday|tuesday|wednesday"
    r"|thursday|tomorrow|end of|next)|schedule\w*|"
    r"every|rerun|re-run|priorit\w*|step|could|would|can be|try|keep (?:it|this|the)|goal|retain|retention)\b",
    r"^\W*(?:fix|add|check|review|investigate|run|set|create|remove|delete|merge|clean|backfill|repair|monitor"
    r"|alert|verify|validate|schedule|update|contact|ask|open|enforce|define|limit|keep|raise|lower|reduce|bring"
    r"|start|rerun|re-run|load|reload|trace|look|find|assign|prioriti[sz]e|correct|document|introduce|apply"
    r"|normali[sz]e|deduplicate|restore|track|escalate|block|reject|tighten|sample|inspect|compare|export|list|let"
    r"|do|have|get|put|use|give)\b",
    r"建议|应当|应该|应(?=[在对将尽立优先及])|需要|必须|请|务必|计划|目标|截止|期限|之内|以内|优先|步骤|尽快|可以"
    r"|不妨|争取|确保|每[天日周月小隔]|限期",
    r"\b(sollte\w*|muss|müssen|bitte|empfehl\w*|planen|frist|ziel|innerhalb|binnen|spätestens|schritt|priorität"
    r"|könnte\w*|jede[nrs]?|bis (?:freitag|montag|ende))\b",
    r"\b(devr\w+|doit|doivent|faut|veuillez|recommand\w*|planifi\w*|délai|échéance|objectif|sous|d'ici|étape"
    r"|priorité|pourr\w+|chaque|au plus tard)\b",
)  # fmt: skip
# just before a number in advice: a limit, a target, a priority, a step
BEFORE_GOAL = re.compile(
    r"(?:\b(?:limit|top|first|last|under|below|above|to|at|than|target(?:s)?(?: of| is)?|sla(?: of| is)?|goal(?: of"
    r"| is)?|most|least|within|over|every|priority|step|phase|p|level|"
    r"reach|sample(?: of)?|batch(?:es)?(?: of)?|max(?:imum)?(?: of)?|min(?:imum)?(?: of)?|n|by|in|retry|retries"
    r"|threshold(?: of| to)?|unter|auf|binnen|innerhalb(?: von)?|höchstens|mindestens|alle|bis|sous|à|dans|sur"
    r"|moins de|plus de|objectif(?: de)?|d'ici|les|maximum(?: de)?|ziel(?:wert)?(?: von)?)"
    r"|低于|不超过|控制在|降到|降至|以下|至少|至多|目标(?:为|是)?|达到|优先级|第|步骤|每|前|抽样|抽查|取|限制(?:为"
    r"|在)?|阈值(?:设)?(?:为|在)?|在|于|≤|<=|<|>=|>|≥)\W{0,3}\s*$",
    re.IGNORECASE,
)
