/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "part-section.h"

#include "ns3/part-skew.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the sizes that are listed  @param section an all-to-all with parts
PartSizes
GetListed(const TomlSection& section, uint32_t ranks)
{
    const auto lists = section.GetByteLists("parts", MAX_WORKLOAD_BYTES / ranks);
    const bool isRight = std::all_of(lists.begin(), lists.end(), [ranks](const auto& list) {
        return list.size() == ranks;
    });
    if (!isRight || (lists.size() != 1 && lists.size() != ranks))
    {
        const std::string count = std::to_string(ranks);
        section.Fail("parts",
                     "are not of the " + count + " ranks: a list of " + count +
                         " numbers, by receiver, or " + count + " such lists, by sender");
    }
    if (lists.size() == 1)
    {
        return PartSizes::ByReceiver(lists[0]);
    }
    std::vector<uint64_t> bytes;
    for (const auto& list : lists)
    {
        bytes.insert(bytes.end(), list.begin(), list.end());
    }
    return {ranks, std::move(bytes)};
}

/// @return the sizes that a skew makes  @param section an all-to-all with a skew
/// @param bytes its size
PartSizes
GetSkewed(const TomlSection& section, uint32_t ranks, uint64_t bytes)
{
    const auto skew = ParsePartSkew(section.GetText("skew"));
    if (!skew)
    {
        section.Fail("skew", std::string("is not ") + PartSkew::ALLOWED);
    }
    return SkewParts(*skew, ranks, bytes);
}

} // namespace

std::shared_ptr<const PartSizes>
GetPartSizes(const TomlSection& section, uint32_t ranks, uint64_t bytes)
{
    const bool goesBack = section.GetBool("combine");
    if (!section.Has("parts") && !section.Has("skew"))
    {
        if (section.Has("combine"))
        {
            section.Fail("combine", "needs skew or parts");
        }
        return nullptr;
    }
    const PartSizes parts =
        section.Has("parts") ? GetListed(section, ranks) : GetSkewed(section, ranks, bytes);
    const auto made = std::make_shared<const PartSizes>(goesBack ? parts.Transposed() : parts);
    if (made->GetMost() > MAX_WORKLOAD_BYTES)
    {
        section.Fail("a rank has more bytes than " + std::to_string(MAX_WORKLOAD_BYTES));
    }
    return made;
}

} // namespace aifabric
} // namespace ns3
