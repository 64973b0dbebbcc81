    select {groups}min(cell) as cell, list_sort(list(distinct comparable_group) filter (
        games > 0 and picked(variant, $variant) and picked(lineup, $lineup))) as cards
    from cells group by all
