"""The twin: a board simulated at its wires (design law 3).

Simulated chips, made from their data sheets, hang on buses that take the time of their clocks. Drivers, gpiozero,
luma.oled and pyserial run on them unchanged. The twin shows what the chips hold, and takes what a person does. The twin
must never import drivers or readers, nor they the twin: they are two readings of one data sheet.
"""
