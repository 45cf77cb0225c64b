"""The output of the board to players.

The daemon publishes each snapshot of the table to the `presenters`, and they hand the results to the drivers:
`led_colours` chooses the colour of each LED, `screen` draws the picture, `sounds` chooses the sound. The room must
never touch a wire or hold a position of the game.
"""
