"""Plan, measure, judge: what the checks ask, answered once and exactly. Only `measure` and `profile` touch the source."""
