# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The key-value caches of prompts, which GPUs that decode read from GPUs that have prefilled them, for --flows.

A cache has layers x 2 (keys and values) x KV heads x head size x bytes of a value for each token of the prompt. Models:
Llama 3 (arXiv 2407.21783, table 3). Requests arrive as a Poisson process; the lengths of prompts are log-normal, with
the median of 1020 tokens of Azure's conversations (Splitwise, arXiv 2311.18677, section III), and a spread made up.
"""

import argparse
import math
import random

MODELS = {"llama-3-8b": (32, 8, 128), "llama-3-70b": (80, 8, 128), "llama-3-405b": (126, 8, 128)}
VALUE_BYTES = 2
MEDIAN_TOKENS = 1020
SPREAD = 0.5  # of the logarithm
MOST_TOKENS = 8192

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
parser.add_argument("--model", choices=MODELS, default="llama-3-8b")
parser.add_argument("--rate", type=float, default=1000, help="requests a second")
parser.add_argument("--seconds", type=float, default=0.02, help="time within which they arrive")
parser.add_argument("--prefill", type=int, default=8, help="the first so many hosts")
parser.add_argument("--decode", type=int, default=8, help="the next so many hosts")
parser.add_argument("--parts", type=int, default=1, help="GPUs that share a model, each with its part (tensor parallelism)")
parser.add_argument("--seed", type=int, default=1)
given = parser.parse_args()
if not (0 < given.rate < 1e12 and 0 <= given.seconds < 9000):
    parser.error("--rate, --seconds: above 0 and below 1e12; from 0 and below 9000")
if not 0 < given.parts <= min(given.prefill, given.decode):
    parser.error("--parts: from 1 to the least of --prefill and --decode")

draw = random.Random(given.seed)
layers, heads, size = MODELS[given.model]
token_bytes = layers * 2 * heads * size * VALUE_BYTES // given.parts
print(f"# {given.model}, {token_bytes} bytes a token and GPU, {given.rate:g} requests a second: scenarios/kv-cache.py")
print("start_ns,source,destination,bytes,operation")
start = 0.0
while (start := start - math.log(1 - draw.random()) / given.rate) < given.seconds:
    tokens = min(MOST_TOKENS, max(1, round(MEDIAN_TOKENS * math.exp(SPREAD * draw.gauss(0, 1)))))
    source = draw.randrange(given.prefill // given.parts) * given.parts
    destination = given.prefill + draw.randrange(given.decode // given.parts) * given.parts
    for part in range(given.parts):
        print(f"{start * 1e9:.0f},{source + part},{destination + part},{tokens * token_bytes},read")
