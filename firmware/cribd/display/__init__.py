"""What players see and hear of the board: pictures of the OLED, colours of the LEDs, tunes of the buzzer.

The daemon calls it with snapshots of the table, and hands what it makes to the drivers. It must never touch a wire or
hold a position of the game.
"""
