    select {keys}{unit} as game, {place} as place, {word} as word, {number} as "at", count(*)::double as n
    from {table} {plan}
    where picked(variant, $variant) and picked(lineup, $lineup) and ({rows}) {where}
    group by all
