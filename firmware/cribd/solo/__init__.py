"""The game for one person at the twin, with robots.

`Session` owns the games, `Person` is what the person does with his cards, `RobotTurns` lets the robots act. The table
sees only their presses and scans. Robots hold the cards of a deal, so they may read the position; nothing here shows
it. No page, file name or log line may hold a card that the person has not seen.
"""
