# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A HyperX of 4 x 4 switches with 2 hosts each, for --topology."""

print("kind,node,to,rate,delay,count")
for x in range(4):
    for y in range(4):
        print(f"switch,s-{x}-{y},,,,")
        for host in range(2):
            print(f"host,host-{8 * x + 2 * y + host},s-{x}-{y},,,")
for line in range(4):
    for one in range(4):
        for other in range(one + 1, 4):
            print(f"link,s-{line}-{one},s-{line}-{other},,,")
            print(f"link,s-{one}-{line},s-{other}-{line},,,")
