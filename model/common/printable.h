/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINTABLE_H
#define PRINTABLE_H

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @param text any bytes
 * @return the text as it may stand in a message of one line: cut if it is long, and without control
 * characters
 */
std::string Printable(const std::string& text);

/**
 * @param text any bytes, such as a message with a path in it
 * @return the text as it may go to a terminal, in one line: without control characters and bytes
 * that are not UTF-8, each of which becomes a question mark
 */
std::string OneLine(const std::string& text);

} // namespace aifabric
} // namespace ns3

#endif /* PRINTABLE_H */
