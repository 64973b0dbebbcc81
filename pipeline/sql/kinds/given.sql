join (select variant, lineup, given_lineup from cells) using (variant, lineup)
