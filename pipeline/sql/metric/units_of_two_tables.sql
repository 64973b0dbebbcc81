    select {keys}, {coalesced}, n, capped
    from (select {keys}, {denominator} as n, {capped} as capped
        from {base} where picked(variant, $variant) and picked(lineup, $lineup) {base_group})
    left join (select {keys}, {numerators}
        from {table} where picked(variant, $variant) and picked(lineup, $lineup) group by all) using ({keys})
