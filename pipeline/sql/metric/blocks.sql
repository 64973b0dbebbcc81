    select {keys}, {sums}
    from {table} {rotations}
    where picked(variant, $variant) and picked(lineup, $lineup){present}
    group by {keys}
