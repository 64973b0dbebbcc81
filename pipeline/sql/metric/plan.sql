-- Where rows of an answer stand in the plan, and whether the rules decide their value; filled in by pipeline/measure.py.
select {groups}min(cell) as cell, {rule} as by_rule from cells group by all
