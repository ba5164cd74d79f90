# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Writes Chakra execution traces: protobuf messages, each behind its length."""

MEMORY, COMPUTE, SEND, RECEIVE, COLLECTIVE = 2, 4, 5, 6, 7  # kinds of nodes
ALL_REDUCE, ALL_GATHER, ALL_TO_ALL, REDUCE_SCATTER = 0, 2, 6, 7  # kinds of collectives, comm_type


def varint(number):
    head, rest = number & 127, number >> 7
    return bytes([head | 128]) + varint(rest) if rest else bytes([head])


def field(number, value):
    """A field of a protobuf message: a whole number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(number, kind, after=(), duration=0, name=b"node", starts_after=(), **attributes):
    """A node that needs data of others (`after`), or their end (`starts_after`), and takes `duration` us."""
    text = field(1, number) + field(2, name) + field(3, kind)
    text += b"".join(field(4, other) for other in starts_after)
    text += b"".join(field(5, other) for other in after)
    text += field(7, duration) if duration else b""
    for key, value in attributes.items():
        number = 29 if isinstance(value, bytes) else 27 if isinstance(value, bool) else 7
        text += field(10, field(1, key.encode()) + field(number, value))
    return text


def trace(nodes):
    """The trace of a rank."""
    messages = field(1, b"0.0.4"), *nodes
    return b"".join(varint(len(message)) + message for message in messages)
