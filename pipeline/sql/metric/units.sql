    select {keys}, {numerators}, {denominator} as n, {capped} as capped
    from {table}
    where picked(variant, $variant) and picked(lineup, $lineup) {where}
    {group}
