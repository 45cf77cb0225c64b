"""Tests the parts of a board with a person.

`steps` lists the steps of a board. `walk` is the state machine: inputs, answers and time go in, a scene and results
come out. `scene` draws a scene, `wording` words it. `runner` runs a walk on the drivers, on a Pi's wires or the twin's.
"""
