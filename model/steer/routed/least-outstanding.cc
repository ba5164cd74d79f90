/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "least-outstanding.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

uint16_t
LeastOutstanding::Choose(uint64_t bytes,
                         const std::vector<uint16_t>& paths,
                         const UniformInteger& uniform)
{
    uint64_t least = UINT64_MAX;
    std::vector<uint16_t> equals;
    for (const uint16_t path : paths)
    {
        const uint64_t unsent = GetUnsent(path);
        if (unsent < least)
        {
            least = unsent;
            equals.clear();
        }
        if (unsent == least)
        {
            equals.push_back(path);
        }
    }
    if (equals.empty())
    {
        throw std::invalid_argument("paths: there is none");
    }
    const uint16_t path = equals[uniform(static_cast<uint32_t>(equals.size()))];
    Add(path, bytes);
    return path;
}

void
LeastOutstanding::Add(uint16_t path, uint64_t bytes)
{
    if (path >= m_unsent.size())
    {
        m_unsent.resize(path + 1);
    }
    m_unsent[path] += bytes;
}

void
LeastOutstanding::Remove(uint16_t path, uint64_t bytes)
{
    if (GetUnsent(path) < bytes)
    {
        throw std::logic_error("path " + std::to_string(path) + ": " + std::to_string(bytes) +
                               " bytes were sent of " + std::to_string(GetUnsent(path)));
    }
    if (bytes > 0)
    {
        m_unsent[path] -= bytes;
    }
}

uint64_t
LeastOutstanding::GetUnsent(uint16_t path) const
{
    return path < m_unsent.size() ? m_unsent[path] : 0;
}

} // namespace aifabric
} // namespace ns3
