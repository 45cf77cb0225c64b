"""Tables for the end of a six-card game. `python -m tools.discards` writes them.

How often points are counted and pegged, pegging by dealer and pone; and the dealer's chance to win by the holes that
dealer and pone need, 1 to 60 each, in base 64: two bytes a number, in parts of 65535.
"""

# fmt: off

PONE_HAND = {
    0: 80, 1: 8, 2: 983, 3: 287, 4: 2518, 5: 754, 6: 3114, 7: 1439, 8: 3846, 9: 1259, 10: 1537, 11: 226, 12: 2067,
    13: 125, 14: 667, 15: 86, 16: 626, 17: 132, 18: 32, 20: 100, 21: 42, 22: 10, 23: 4, 24: 56, 28: 1, 29: 1,
}

DEALER_HAND = {
    0: 159, 1: 17, 2: 1353, 3: 357, 4: 2448, 5: 822, 6: 3078, 7: 1285, 8: 3486, 9: 1253, 10: 1686, 11: 220, 12: 1961,
    13: 108, 14: 616, 15: 105, 16: 642, 17: 137, 18: 33, 20: 124, 21: 38, 22: 9, 23: 3, 24: 58, 28: 1, 29: 1,
}

CRIB = {
    0: 1522, 1: 111, 2: 4739, 3: 715, 4: 4047, 5: 1125, 6: 2921, 7: 928, 8: 1748, 9: 455, 10: 607, 11: 44, 12: 688,
    13: 26, 14: 128, 15: 13, 16: 123, 17: 24, 18: 7, 20: 14, 21: 8, 24: 7,
}

PEGGING = {
    (1, 0): 23, (1, 1): 1127, (1, 2): 865, (1, 3): 869, (1, 4): 441, (1, 5): 251, (1, 6): 105, (1, 7): 18, (1, 8): 6,
    (2, 0): 1058, (2, 1): 1171, (2, 2): 328, (2, 3): 481, (2, 4): 76, (2, 5): 76, (2, 6): 41, (2, 7): 2, (2, 10): 2,
    (3, 0): 1134, (3, 1): 1118, (3, 2): 910, (3, 3): 722, (3, 4): 366, (3, 5): 122, (3, 6): 68, (3, 7): 118, (3, 8): 76,
    (3, 9): 52, (3, 10): 19, (3, 11): 6, (3, 12): 4, (4, 0): 920, (4, 1): 941, (4, 2): 414, (4, 3): 655, (4, 4): 110,
    (4, 5): 59, (4, 6): 135, (4, 7): 88, (4, 8): 26, (4, 9): 24, (4, 10): 2, (4, 11): 1, (5, 0): 722, (5, 1): 495,
    (5, 2): 357, (5, 3): 241, (5, 4): 75, (5, 5): 30, (5, 6): 96, (5, 7): 77, (5, 8): 36, (5, 9): 20, (5, 10): 8,
    (5, 11): 3, (5, 13): 2, (5, 15): 1, (6, 0): 431, (6, 1): 279, (6, 2): 112, (6, 3): 179, (6, 4): 18, (6, 5): 26,
    (6, 6): 62, (6, 7): 47, (6, 8): 17, (6, 9): 27, (6, 10): 1, (6, 14): 1, (7, 0): 265, (7, 1): 112, (7, 2): 114,
    (7, 3): 80, (7, 4): 22, (7, 5): 27, (7, 6): 66, (7, 7): 18, (7, 8): 12, (7, 9): 5, (7, 16): 1, (7, 17): 2,
    (8, 0): 136, (8, 1): 35, (8, 2): 76, (8, 3): 44, (8, 4): 17, (8, 5): 15, (8, 6): 10, (8, 7): 11, (8, 8): 1,
    (8, 9): 4, (9, 0): 53, (9, 1): 28, (9, 2): 43, (9, 3): 40, (9, 4): 30, (9, 5): 21, (9, 6): 13, (9, 7): 2, (9, 8): 2,
    (9, 9): 4, (9, 11): 2, (9, 13): 1, (9, 15): 3, (9, 16): 1, (10, 0): 29, (10, 1): 13, (10, 2): 23, (10, 3): 29,
    (10, 4): 9, (10, 5): 12, (10, 6): 6, (10, 7): 2, (10, 8): 2, (10, 9): 1, (11, 0): 9, (11, 1): 3, (11, 2): 11,
    (11, 3): 18, (11, 4): 3, (11, 5): 5, (11, 7): 2, (11, 8): 1, (11, 9): 3, (11, 11): 1, (11, 12): 1, (11, 14): 1,
    (12, 0): 2, (12, 1): 10, (12, 2): 5, (12, 3): 16, (12, 4): 6, (12, 5): 2, (12, 6): 1, (12, 8): 3, (12, 12): 1,
    (13, 2): 7, (13, 3): 1, (13, 5): 1, (13, 6): 1, (13, 8): 1, (13, 10): 1, (14, 0): 1, (14, 3): 1, (14, 4): 2,
    (14, 6): 1, (14, 7): 1, (15, 6): 3, (15, 7): 11, (15, 8): 1, (16, 6): 4, (16, 8): 2, (17, 6): 5, (17, 7): 2,
    (17, 8): 1, (17, 11): 1, (18, 6): 3, (18, 8): 1, (18, 9): 1, (19, 6): 2, (20, 8): 1, (21, 3): 1, (21, 6): 3,
    (22, 8): 1,
}

CHANCES = """
npzAvNWh6z7yw/bn+uf9df6s/5P/yf/g/+r/7//y//j//P//////////////////////////////////////////////////////////////////////////
////////////////////////////////////////hsChuLElwfXHeMyN0k7ZEt5O5S3qbO9y8sX2X/it+tn8H/1p/kL+3f80/3L/m/+3/8j/2//o//L/9v/5
//r/+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+//7a1V+34zim5OivKoYsu29+sfx0/ncsuS36qnwtPRN
99H56vwa/VP+Of66/yD/X/+J/6r/y//d/+z/8f/1//f/9//4//j/+P/4//j/+P/4//j/+P/4//j/+P/4//j/+P/4//j/+P/4//j/+P/4//j/+P/4//j/+P/4
RfVSZ1tcZmFt0XddhGKTsKPNtePEXtD422Hk3OtK8Rj1HPi++vH8kP2P/kz+w/8a/2L/nf++/9f/4//q/+7/8f/y//P/8//z//P/8//z//P/8//z//P/8//z
//P/8//z//P/8//z//P/8//z//P/8//z//P/8//zKoQw/jfmP4VIK1PGYxF11IpNoTCzcMN80ODc+eUq7M3x7faa+Wf7ivzR/cX+Yf7X/zb/gP+p/8z/2v/j
/+n/7P/u/+//8P/w//D/8P/w//D/8P/w//D/8P/w//D/8P/w//D/8P/w//D/8P/w//D/8P/w//D/8P/wGBYbbSCEJwgwqT1hTltizXo8k62oaLo2ybbXQODZ
6YLvj/Ti+C/6qPwt/U7+DP6c/w//Zf+X/7//0f/c/+P/6P/r/+z/7f/t/+7/7v/u/+7/7v/u/+7/7v/u/+7/7v/u/+7/7v/u/+7/7v/u/+7/7v/u/+7/7v/u
DawPPRPfGXsjwTEHQsFYHXEOi9OhybSqxVLTx94Z53juBvPM91/6FPu//QH90/51/vT/U/+J/7b/yf/W/9//5f/o/+r/6//r/+z/7P/s/+z/7P/s/+3/7f/t
/+3/7f/t/+3/7f/t/+3/7f/t/+3/7f/t/+3/7f/tB1oINQxCEWwb+ylNOz1Q8mq5hhSc1bBHwczQzNvM5Z7sn/Ku9ov5b/tD/KL9jv5B/s3/Nf9y/6T/u//L
/9f/3v/j/+b/5//o/+n/6v/q/+v/6//r/+v/6//s/+z/7P/s/+z/7P/s/+z/7P/s/+z/7P/s/+z/7P/sBEAE4Qh8DVcX6SUYNy9M3Wb4gnKZmK1bv13OrdoZ
5DbrhvHM9dv45/rb/FL9T/4Q/qb/Ff9Y/4//qv+9/8r/1P/a/97/4f/j/+X/5v/n/+j/6f/p/+r/6v/q/+v/6//r/+v/6//r/+v/6//s/+z/7P/s/+z/7P/s
AlsCzAYYCpsU4CGyM49I/mL+fkyVl6mVvAXLsdeS4grpvPBP9Kf37voV+7X80v2s/lT+0f8f/1//gv+b/6//vf/G/87/0//X/9v/3v/g/+L/5P/l/+b/5//o
/+n/6f/q/+r/6v/r/+v/6//r/+v/6//r/+v/6//rAVsBtATGCPgS7h9VMNVF119+enaRx6X0uLbIr9T/38/n3+6681n22/k1+v38Of0s/ef+c/7O/xj/Rf9n
/4H/lf+k/7D/uv/C/8j/zv/T/9f/2v/d/+D/4v/k/+X/5v/n/+j/6f/p/+r/6v/q/+v/6//r/+v/6//rAOsBPAQdCAERjh1pLlRCplujdfeNE6FQtFPEntFk
3KHlIuxb8Vf1KvfL+c37OPxP/Sf9y/47/pj+1P8F/yz/S/9k/3n/iv+Z/6X/sP+5/8L/yf/O/9T/2P/b/97/4f/j/+X/5v/n/+j/6f/p/+r/6v/q/+v/6//r
AJkA1gOFBxgQHhthK50/K1dfcQCH6Zw6r37AGc1c2QLh+umO7uzzEfX/+Dz52vsb/Bb81v1h/dT+J/5r/qT+1P77/x3/Ov9U/2r/ff+O/53/qv+0/77/xv/N
/9L/1//b/97/4f/j/+X/5v/n/+j/6f/p/+r/6v/qAIIAugMuBn0O7Rl3KNU7a1Kba02B0JYYqY26dMg51FDdyuXI65fwHvNn9fD30PlG+m/7WPwJ/J/9Ev10
/cj+Ef5P/ob+t/7h/wf/KP9G/1//df+J/5n/qP+0/77/xv/N/9P/2P/c/9//4v/k/+X/5//o/+n/6f/qAHIApQLjBewNsxd+JfE3f02bZU97a4+hoze0W8KU
zwvY/OFY55XsevAf8vT1GfbL+Cn5Qvoi+uP7gfwK/IT87/1O/aP97/4z/m/+pf7V/v//JP9E/2D/d/+M/53/q/+3/8L/yv/R/9b/2//e/+H/4//l/+b/6P/o
AFUAgwKIBUgMWxVZIr4zF0fzXoV0C4gWm7OtCrusyIfS7tuw4l3nrOu27uXxW/NW9Pf2T/ds+Gj5Pvn++qv7R/vT/FP8xv0u/Yz94P4r/m7+qP7b/wj/Lv9P
/2v/gv+W/6b/tP+//8j/0P/V/9r/3v/h/+P/5f/nAEYAcAI5BLELDxNBH5ku0EJkV81st4B8lAClY7RLwWHMJNUv3D7h5+ZO6dLsm+7j8M7ybvPT9Rb2M/c3
+CX5APnI+oD7KPvB/Ez8yv06/Z/99/5F/on+xP73/yL/Rv9l/3//lP+l/7T/v//J/9D/1v/b/9//4f/kADMAWAHnBBcJvhEkHF4qZDyXULxk2ngyi3GcwqvO
uQzEEs1e1MXaxd+J42bmieko62ntX+8c8LXyKvOC9MT17/cF+Ab49PnO+pb7S/vu/IH9A/11/dr+Mf58/rz+8/8h/0f/Z/+B/5f/qP+3/8L/y//S/9j/3P/g
ACcARwGeA4sIgw8oGVMmMjcKSeVdKW/ygsGTzqLOsAW7KsSVzDnSe9eO27zfNeIt5MnnHuk+6zvtFO7S8HjyBPN49NT2GfdE+Fn5Vfo5+wf7vvxh/O/9bP3X
/jP+gv7E/vz/Kv9Q/3D/if+e/67/vP/G/87/1f/aAB8AOwFeAw0HXg1IFmYiHzGPQxJVT2ddeYqKKpjvpf2xHbqQwlzI0s4r0qbWddnJ3MjfheIT5ILm0OkD
6x7tH+8F8M/yffQN9YD21PgK+SP6Hvr9+8H8bf0C/YL98P5M/pr+2v8Q/zz/YP99/5X/p/+2/8L/y//TABoAMgElApsGUwuRE7YeVSxmPJBNtl7lcESARY6e
m1amSa+ht3e+C8OXyFLMcNAe04DWqtmt3JbfZeIb5LrnPumn6/HuG/Ai8gXzw/Vb9s34GvlD+kn7L/v3/KT9N/21/h7+dv6//vv/LP9U/3T/jv+i/7L/v//J
ABAAJQDuAi4FWgn3EScasydmNjBGIFZMZrR18YOzj/SamKO8q4SyIrfTvMTBK8UuyPTMjdAL03bWztoT3UTgW+NX5jLo6ut67d/wGPIj8//1rfcu+IP5r/q0
+5b8V/z8/Yf9+/5b/qr+7P8g/0v/bf+J/57/r/+9AAwAHgDBAdQEhAiNDuAXZiLJMDU+403vXT9rj3iUhDaOaZc7ntqlbKsssES06Lk5vV3BY8VbyUrNMNEK
1NbYjNwo36Li9uYe6Rbr2e5m8Lvy2PS+9m736vk3+lf7Tvwg/NL9Z/3j/kr+nv7i/xr/Rv9q/4b/nP+uAAkAGQCdAYcDyAdKDM0UWh53Koo35kW7U9hhIm1J
eDOB2YpCkaCYEp3RowGn1KxqsOS1Ubm/vjLCqMcby4jP5NQq2E7cTOAZ47HnDuor7Qbvn/H29Az14/eA+Of6G/si/AH8vP1Y/dn+Q/6Z/t//GP9F/2n/hf+b
AAcAFAB+AUQDJgYvCvURmRqEJUcxUT3jSrxW6WIcbDZ1OH0jhCyKaZAVlU2aQZ8No9Oona16smu3brx5wYjGjsuC0FnVCNmE3cfhx+V/6OzsDO7d8WPznvWU
90j4wfoC+xP7+Py4/Vf92f5E/pv+4f8Z/0b/af+FAAYAEQBkAQwCmgU1CU8PGhbjIGMrHDZlQfVM+lcqYGlot3AWdrh8s4I6h2qMcJFllmmbhaDHpi2rtLFT
twG8sMJVx+DNRtJ412vcF+Bz5HroKOt97nrxIfN39X/3QfjC+gn7HfwE/MP9Yf3j/kz+of7m/xz/SP9qAAQADgBPANwCJARdB90M3xOeG+0lYC9jOatDhkyt
VQdcmGNfaY9vOHSNeaZ+r4O+iPGOUpPqmbqfvKXmrC2ygLjSvxHFLMsV0L3WGNsb38HkBOfi61zuc/Et84/1nvdj+OX6Kvs7/B782v10/fH+V/6p/uv/IP9K
AAMACwA+ALMBwAOiBpcK4xCtF94gGijjMew6okLCSjlRClc0XOliN2dNbENxQHZae62BQocjjU6TvppmoTuoKq8jtg+83sN7ydbP4NWN2tPfreQW6BDrnO69
8Xvz3PXn96b5IPpd+2b8Qvz2/Yr+Av5j/rH+8P8iAAIACQAwAJIBbAMCBX4JJQ4RFDwbViL1Ks4yajmMQCJGNEvBUPdV41qxX3hkXGl0bth0knqsgSSH848M
lmKd4aV1rQa0gLvLwtTJis/d1cLbMeAm5KDooews70fx+/RP9k33/flp+pr7lvxn/RL9nv4P/mv+tf7xAAIABwAmAHYBJgJ5BIoHnwvEEQIXER2aJFkq7TEd
NuA8OUEsReJKaU7oU3dYN10/YqVodm64dWt8iYQDi8uTy5vtpBesMbQgu8/DKMoc0JvWndwb4RTliOl87PXv/fKa9Nj2wPhc+bX61fvD/Ij9Kf2s/hf+bf6z
AAEABgAdAF8A7AIFA7sGTQnEDisTSRjVHpIkMSmBLn0zKDeGO78/30QNSF1M8VHdVzpdEmNuak1xqXlzgZyKDZKtm2GkDKyTtNy8z8Ray2zR+df73W/iVOav
6oXt3/DG80T1ZPcx+LX5+fsH++b8nf00/a/+FP5mAAEABQAWAEwAvQGjAwoFKwgJC7UP/BSlGXkeOyLAJwUrDi7iMqI2Xjo3PkRCpEdsTLRShljtX+dncG95
d/GAwYnNkvmcJqU1rgq2i76hxjzNTdPL2bTfBePD5/Prnu7O8Yzz5fXk95P4/for+yb79vyi/TD9pf4FAAEABAARADwAlgFSAnUENQaPCZYNIREBFQcZBBzS
IHIj5yc6Koot5DFrNTM5Wj32Qx9I4E9EVkxd8WYnbt13+YFfivGUjZ4Tp2SwY7j5wRDIms+M1eLbmuC25T3pNuys76ryPPRs9kj32Pkp+kL7Lfvw/JP9Gv2K
AAEAAwANADAAdgEOAfkDZgVPB8oKsQ3kETYUhhezGsAdsSCPI3YmdSmqLSwxFzWDOoRAKkaATYZVOF2KZmtvwHltg1GNSpc0oO+qXbNiu+jD38s70fXYDN2B
4lrmn+pa7ZbwX/LC9Mr2hPf4+TL6OfsW+9D8a/zuAAAAAgAKACUAXQDXAZMCuQREBkYIows+DfYQsBNQFdwYWBrNHVUf/iLnJiQp0i4IMt04YD6bRZRNRVWj
Xp1oGXH5fByGXZCZmq2kd63btsK/GcbTzejUVtod30Pjz+fM60TuRfDb8xH09PaP9+v5EvoL+t/7kvwqAAAAAgAHAB0ASACqAT8CKgNmBQQG6wkICz0Ndg+f
EbsT0BXpGBoadh0VIBAjgSd/LCIxejeTPnJGFU5vV3FhAWsCdU9/xopAlJierahgsZi6QcJNybPQbtaA2+3gvOT46Kzr4+6r8RHzH/Ti9mP3rPjG+bf6hfs3
AAAAAQAFABcAOACFAPsBtgKwA/oFgAcyCPgKxQyHDkQQARHHE6wVwRgdGtkeDSHTJkEraTFYOBQ/m0fkUN9acmSAbuV5fYQhjquY+aLprGO1UL2hxUvMS9Kg
2E7dXOHT5cDpLewo7r3w+fLm9I/1/vc7+E35O/oKAAAAAQAEABEAKwBoAMQBVwIdAyIEVwWxBxwIjgn6C2cM2A5YD/oRzxPtFmwZZhzzISkmHSvbMms5zEH3
SttUYF5qaNRze342iN+TUp1vpxmwO7jEwKnH485z1FvZot5S4nXmF+lF7AvudvCQ8mXz/fVh9pn3q/icAAAAAQADAA0AIQBQAJgBCwGmAnMDZgR3BZcGvwfj
CQwKPAuADOcOgxBpErEVchjHHMUhgScJLWU0lzyXRVdOwFi0YxJttXh0gyqNsZfoobSq/LOvu8HDLMnu0ArVhdpp3sDiluX36O/ri+3V79jxnvMu9JD1y/bj
AAAAAQACAAoAGQA+AHUAzwFHAecCpQN7BF4FSQYzByMIHgkuCmILzA1/D5ISHhU7GQAdgSLPKPEv6ze3QEZJg1NTXZRoIXLSfYKIDJJOnCqlia5Zto2+HsUK
y1HQ+9YP2pjeoOI05V/oLeqq7N/u1vCX8inzkfTWAAAAAAACAAgAEwAvAFoAnwD7AXgCCwKyA2MEHATWBZgGZgdLCFMJkAsVDPkPURI5FcUaCh8aJP0ruDNF
O5lEnk47WE9itm1Jd+KCXYyYlnWf3ai9sQa4s7++xivL/dE91fTaLd3z4VLkVecH6XLrn+2V71vw9/JvAAAAAAABAAYADgAkAEQAeQDAASABkQITAp0DLgPB
BF0FBgXGBqkHvwkbCtIM+w+uEwEXChvYIXgn7S80N0JABElhUzlda2fPckJ8nobCkJKZ9KLVqymy5boIwJLGh8vu0NDVN9kv3MLf/OLm5Yrn8eoh7CHt9u+l
AAAAAAABAAQACwAbADQAXACSANsBMgGWAgECcgLmA2MD7gSPBVIGRgd9CQsLBg2HEKIUbhj6HlIkfCt2MzY7qkS8TkxYOmJhbJ52zIDKin2Ty5yipPOstbPm
uoXAlcYeyyjPvNPl163bHt5C4SPjx+Y16HTqiex2AAAAAAABAAMACAAUACcARgBvAKYA6AE1AYcB3wI6Ap8DEAOYBD8FFgYsB5QJZQu1DpkSJxZwG34hWigB
L2s3iUBESYBTHlz7ZvNw5XqwhDiNZZYknmemJa1atAa6K7/RxP7JvM4U0hDVutkb3DrfIOHR5FTmrOjeAAAAAAAAAAIABgAPAB0ANABTAH0AsADqASkBbQG1
AgUCYgLUA2UEIQUZBl8ICAopDNgQKRQtGPAeeiTJK9gzlzvzRNJOFVebYUJq63R1fcWGxI9gl4mfOaZprRqzTrkKvlbDO8fBy/HP1NNy1tPZ/dz138DiYeTc
AAAAAAAAAAIABAALABYAJwA+AF4AhACwAOEBFQFOAY4B2wI7ArcDXQQ6BWEG5AjZC1QOaRIoFp4b0yHIKHYv0TfHQD9JHVJCW45k4W4edyt/8IhdkGOX+Z8c
pcmsBbHStzm8QcDyxVTJcM1M0PDUYdej2rvdquBzAAAAAAAAAAEAAwAJABAAHQAvAEcAYwCFAKkA0gD+ATIBcQHCAi4CwAOFBI4F7we5CgIM2xBXFIAZYB73
JUEsNDO9O8hEOUzzVdlezWezcHF484EmiP6Qcpd+niCkXKo1r7G02LmxvkTCmMazypvOVNHj1UrYitumAAAAAAAAAAEAAgAGAAwAFgAjADUASgBkAIAAnwDC
AOwBIAFlAcICQgLxA+AFHwbCCNoLeg6yEo8XGBxRIjUouy/UN2w/aUeyUCtYtmE7aaJx1nnGgWeIsI+dli2cYqJAp82tD7INts67WL+xw93H4Mu9z3XTCtZ7
AAAAAAAAAAEAAgAFAAkAEAAaACcAOABLAGAAeQCUALYA4QEcAWwB3QJ5A08EcAXsB9YKPg01EMYU+hnTH1AlaCwOMy46tEKFSolSplrCYslqpnJMea2Aw4eK
jgCUKJoGn56k9qoVrwGzv7hUvMPBEMU8yUfNMtD7AAAAAAAAAAEAAQAEAAcADAAUAB4AKgA5AEkAXAByAI0AsQDjASkBiwIWAtYD2gUyBu8JIgvZDyATABd7
HJEiOihqLxE2Gz1yRPxMpFRSW/Jjc2rGceF4vX9WhayLwZGXlzWcn6Hbpu6r3bCstV25875twszHDcswAAAAAAAAAAAAAQADAAUACQAPABYAIAArADgARgBY
AG4AjAC3APMBSgHFAnADWQSQBiMIIgqcDZsRKBVGGfYfMCTsKxkxpjh+P41GvE33VSxcSmNFahRwr3cVfUSDP4kJjqeUHZlynqijxajLrbuymLdfvBDAqcUl
AAAAAAAAAAAAAQACAAQABwALABEAGAAhACsANwBFAFcAcACUAMkBFQGCAhoC6gQBBW0HOwl6DDQPcRM1F4AcTiGVJ0gtWDOyOkNA90e9ToNVOlvZYlZorG7Z
dNx6uIBwhgmLh5DulkObiaDCpe+rD7AitSO6Eb7mAAAAAAAAAAAAAQACAAMABQAJAA0AEwAaACEAKwA2AEUAWwB6AKcA6gFJAdACigOEBMoGaghxCugN2BFF
FS8Zkx5oI6MpNy8UNSc7YEGuSANOUlSRWrhgxWa0bIZyP3fgfW6C7ohkjdOTPpimngqja6jErhSzVLiAAAAAAAAAAAAAAAABAAIABAAHAAsADwAUABsAIgAr
ADgASgBlAIwAxgEaAZICNwMVBDgFrQd/CbcMXg93EwMXABtnIC4lSCqpMEA1/jvVQblHnU17U0tZCl65ZFZp5m9sdOt6aX/ohWuK9pCHlh+bu6FXpvCsf7H+
AAAAAAAAAAAAAAABAAIAAwAGAAkADAARABYAHAAkAC4APgBUAHYAqQDzAVwB7QKyA7UFAgaiCJ8LAQ3KEP0UlxiUHOohjyZ2K5Qw2jY8O69BKUakTBxRjVb3
XF1hwWcmbJJyCHeLfR6Cwoh4jj2UD5nqn8eloKtuAAAAAAAAAAAAAAABAAIAAwAFAAcACgAOABIAFwAeACcANABHAGUAkQDRAS0BrQJbA0AEZwXZB58Jvww+
DxwSWRXwGdoeDiKCJykr+jDpNe46/0AZRTdKWU9+VKlZ3l8gZHRp3W9fdPx6tICIhnWMd5KJmKWewqTaAAAAAAAAAAAAAAABAAEAAwAEAAYACQAMABAAFAAZ
ACEALAA9AFYAfQC1AQUBdQIOAtgD3AUjBrYImQrRDWAQRRN8FwAayB7NIwQnZCvlMH01KTniPqhDekhZTUhSS1dmXJ5h9mdybRNy2njGftSFAItDkZaX8p5M
AAAAAAAAAAAAAAABAAEAAgAEAAYACAALAA4AEgAWAB0AJgA1AEsAbACcAOIBRAHKAnoDXwR/BeIHjQmEC8kOXBE5FF0XwBtbHycjHCcyK2MvrDQIOHc8+kGT
RkVLFFAGVR5aYV/SZXJrQXE/d2d9tYQiiqaROJfOAAAAAAAAAAAAAAABAAEAAgADAAUABwAKAAwAEAAUABoAIgAuAEEAXQCHAMQBGQGNAicC7wPrBSMGmghV
ClYMnA8mEfAU9BgtG5QfIyLUJqMqjS6PMqo23zsyP6dEQUkHTf1TJ1iIXiFj82n7cDd2n30vg9yKnJFmAAAAAAAAAAAAAAABAAEAAgADAAUABwAJAAwADwAS
ABcAHgApADkAUQB2AKoA8wFYAd4CiwNnBHcFvwdECQYLBg1DD7kSZhVDGEwbex7OIj8lzil6LUQxLjU9OXQ92UJyR0NMUFGcVylc92MEaUtvyHZxfT+EJosb
"""
