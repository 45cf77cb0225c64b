"""`python -m tools.discards`: computes the tables of `cribboard.strategy.tables_data`, and writes its modules.

The tables are the fixed point of all players' best discards over all hands. A player keeps the cards with the greatest
sum of the hand's mean over all starters and the crib's, which is added if the crib is his side's and else subtracted.
The mean of the crib follows from what the others discard, and that from their tables. `fixed_point.improved` goes once
around: from tables to discards, from discards to tables. The beginning is a crib that is filled at random. Where two
discards of a hand are worth the same to a hundredth, the answer to each makes the other better, so each time around
counts less than the one before, and the end is where no entry moves by more than `fixed_point.SETTLED`.

Cards count by rank: 18,395 multisets of six cards stand for 20,358,520 hands. His nobs counts with the chance that the
starter's suit fits, and a crib of five different ranks is a flush once in 256 times. Flushes in hand are left out.
The others are dealt every hand that the player's own cards leave possible.
"""
