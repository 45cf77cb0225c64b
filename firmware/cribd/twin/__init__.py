"""The twin: a whole board without hardware, simulated at the wires and nowhere above them (design law 3).

Chips from their data sheets stand on buses that take the time their clocks need. The drivers, gpiozero, luma.oled and
pyserial run on them unchanged. What the twin shows is what the chips hold; what it is told is what a person does.
Never imports the panel or the readers, nor they the twin: two readings of one data sheet.
"""
