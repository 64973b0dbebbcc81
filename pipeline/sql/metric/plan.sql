-- Where rows of an answer stand in the plan, and whether the rules decide their value; filled in by pipeline/measure.py.
select {groups}min(cell) as cell, {rule} from cells group by all
