    from (
        select {keys}(game - 1) % 64 as block, {sums}, null::double as capped, count(*)::double as all_rows
        from {rows} {rotations}
        where picked(variant, $variant) and picked(lineup, $lineup) {where}
        group by all
    )
    where {present}
