    select {keys}block as game, {place} as place, {word} as word, {number} as "at", sum("rows")::double as n
    from {table} {plan}
    where picked(variant, $variant) and picked(lineup, $lineup) and ({rows})
    group by all
