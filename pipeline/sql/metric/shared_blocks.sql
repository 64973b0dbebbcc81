    select {keys}one.place, jackknifed(one.rest - two.rest, one.filled or two.filled) as se
    from left_out as one join left_out as two on {matched} and two.block = one.block and two.place = one.place
    group by all
