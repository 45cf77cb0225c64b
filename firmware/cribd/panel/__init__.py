"""What a hand touches and an eye sees: holes, keys, lights, screen and buzzer. Bits into facts, pictures into bits.

Never imports the twin, nor the twin this (design law 3): both read the data sheets, and neither the other.
"""
