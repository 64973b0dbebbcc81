/*
title = "Roll-ups are what the tables count"
rule = "Every count of every roll-up is the sum over the rows of its table, by the SQL of metrics and dimensions"
*/
select * from rollup_differences
