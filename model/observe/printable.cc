/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "printable.h"

#include <cstddef>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::size_t MAX_PRINTED = 80; //!< characters of a text shown in a message

} // namespace

std::string
Printable(const std::string& text)
{
    std::string printable;
    for (const char c : text.substr(0, MAX_PRINTED))
    {
        const auto byte = static_cast<unsigned char>(c);
        printable += byte < ' ' || byte == 0x7F ? '?' : c;
    }
    return printable + (text.size() > MAX_PRINTED ? "..." : "");
}

} // namespace aifabric
} // namespace ns3
