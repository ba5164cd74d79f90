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
#include <stdexcept>
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

/// @return the skew  @param section an all-to-all that has one
PartSkew
GetSkew(const TomlSection& section)
{
    const auto skew = ParsePartSkew(section.GetText("skew"));
    if (!skew)
    {
        section.Fail("skew", std::string("is not ") + PartSkew::ALLOWED);
    }
    return *skew;
}

/// @return sizes to share, if no rank has too many  @param section for messages
std::shared_ptr<const PartSizes>
Share(const TomlSection& section, PartSizes parts)
{
    const auto made = std::make_shared<const PartSizes>(std::move(parts));
    if (made->GetMost() > MAX_WORKLOAD_BYTES)
    {
        section.Fail("a rank has more bytes than " + std::to_string(MAX_WORKLOAD_BYTES));
    }
    return made;
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
    const PartSizes parts = section.Has("parts") ? GetListed(section, ranks)
                                                 : SkewParts(GetSkew(section), ranks, bytes);
    return Share(section, goesBack ? parts.Transposed() : parts);
}

bool
IsDrawn(const TomlSection& section)
{
    if (!section.Has("draw"))
    {
        if (section.Has("token"))
        {
            section.Fail("token", "needs draw = \"step\"");
        }
        return false;
    }
    if (section.GetText("draw") != "step")
    {
        section.Fail("draw", "is not \"step\"");
    }
    if (!section.Has("skew"))
    {
        section.Fail("draw", "needs skew, such as \"zipf:0.5\"");
    }
    return true;
}

std::shared_ptr<const PartSizes>
DrawPartSizes(const TomlSection& section, uint32_t ranks, uint64_t bytes, PartDraw& draw)
{
    if (!draw.CanDraw())
    {
        section.Fail("draw", "needs random numbers");
    }
    const uint64_t token = section.Has("token") ? section.GetBytes("token", MAX_WORKLOAD_BYTES) : 0;
    if (section.Has("token") && (token == 0 || token > bytes))
    {
        section.Fail("token",
                     "is not between 1 and the " + std::to_string(bytes) + " bytes of a rank");
    }
    try
    {
        return Share(section, draw.Draw(GetSkew(section), ranks, bytes, token));
    }
    catch (const std::length_error& error)
    {
        section.Fail("draw", error.what());
    }
}

std::shared_ptr<const PartSizes>
ReturnPartSizes(const TomlSection& section, const PartSizes& sent, uint64_t to, uint64_t from)
{
    return Share(section, sent.Transposed().Scaled(to, from));
}

} // namespace aifabric
} // namespace ns3
