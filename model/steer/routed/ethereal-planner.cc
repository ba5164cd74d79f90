/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethereal-planner.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

EtherealPlanner::EtherealPlanner(const Parameters& parameters)
    : m_parameters(parameters)
{
    if (parameters.minPieceBytes == 0)
    {
        throw std::invalid_argument("minPieceBytes: 0 is not at least 1");
    }
}

EtherealPlanner::Shares
EtherealPlanner::Divide(uint32_t flows, uint32_t paths)
{
    if (paths == 0)
    {
        throw std::invalid_argument("paths: there is none");
    }
    const uint32_t split = flows % paths;
    return {flows - split, split, paths / std::gcd(split, paths)};
}

std::vector<EtherealPlanner::Piece>
EtherealPlanner::Plan(const std::vector<uint64_t>& bytes, const std::vector<uint16_t>& paths) const
{
    const auto flows = static_cast<uint32_t>(bytes.size());
    const auto shares = Divide(flows, static_cast<uint32_t>(paths.size()));
    std::vector<Piece> plan;
    for (uint32_t flow = 0; flow < shares.whole; ++flow)
    {
        plan.push_back({flow, bytes[flow], paths[flow % paths.size()], 1});
    }
    const uint64_t least = flows > 0 ? *std::min_element(bytes.begin(), bytes.end()) : 0;
    const Remainder remainder{shares.whole, shares.split, LimitFactor(shares, least), bytes};
    if (m_parameters.split == Split::END_TO_END)
    {
        SplitEndToEnd(remainder, paths, plan);
    }
    else
    {
        SplitEqually(remainder, paths, plan);
    }
    return plan;
}

uint32_t
EtherealPlanner::LimitFactor(const Shares& shares, uint64_t bytes) const
{
    const uint64_t most = std::max<uint64_t>(bytes / m_parameters.minPieceBytes, 1);
    return static_cast<uint32_t>(std::min<uint64_t>(shares.factor, most));
}

uint64_t
EtherealPlanner::CountPieces(uint32_t flows, uint64_t bytes, uint32_t paths) const
{
    const Shares shares = Divide(flows, paths);
    uint64_t pieces = uint64_t{shares.split} * LimitFactor(shares, bytes);
    if (m_parameters.split == Split::END_TO_END && shares.split > 0)
    {
        const uint64_t cuts = paths - std::gcd(shares.split, paths);
        pieces = std::min(pieces, shares.split + cuts);
    }
    return shares.whole + pieces;
}

void
EtherealPlanner::SplitEqually(const Remainder& remainder,
                              const std::vector<uint16_t>& paths,
                              std::vector<Piece>& plan) const
{
    const uint32_t factor = remainder.factor;
    std::size_t slot = 0;
    for (uint32_t flow = 0; flow < remainder.flows; ++flow)
    {
        const uint32_t shift = m_parameters.rounding == Rounding::CUMULATIVE ? flow % factor : 0;
        for (uint32_t piece = 0; piece < factor; ++piece)
        {
            const uint32_t part = (piece + shift) % factor;
            const uint64_t size =
                BytesBefore(remainder, flow, part + 1) - BytesBefore(remainder, flow, part);
            plan.push_back({remainder.first + flow, size, paths[slot % paths.size()], factor});
            ++slot;
        }
    }
}

void
EtherealPlanner::SplitEndToEnd(const Remainder& remainder,
                               const std::vector<uint16_t>& paths,
                               std::vector<Piece>& plan) const
{
    const uint64_t factor = remainder.factor;
    const uint64_t parts = remainder.flows * factor;
    for (uint32_t flow = 0; flow < remainder.flows; ++flow)
    {
        const std::size_t first = plan.size();
        for (uint64_t part = 0; part < factor;)
        {
            const uint64_t path = (flow * factor + part) * paths.size() / parts;
            const uint64_t nextPath = ((path + 1) * parts + paths.size() - 1) / paths.size();
            const uint64_t end = std::min(nextPath - flow * factor, factor);
            const uint64_t size =
                BytesBefore(remainder, flow, end) - BytesBefore(remainder, flow, part);
            plan.push_back({remainder.first + flow, size, paths[path], 0});
            part = end;
        }
        const auto pieces = static_cast<uint32_t>(plan.size() - first);
        std::for_each(plan.begin() + first, plan.end(), [pieces](Piece& piece) {
            piece.pieces = pieces;
        });
    }
}

uint64_t
EtherealPlanner::BytesBefore(const Remainder& remainder, uint32_t flow, uint64_t part) const
{
    const uint64_t bytes = remainder.bytes[remainder.first + flow];
    const uint64_t each = bytes / remainder.factor;
    const uint64_t odd = bytes % remainder.factor;
    if (m_parameters.rounding == Rounding::CUMULATIVE)
    {
        return part * each + part * odd / remainder.factor;
    }
    return part * each + (part == remainder.factor ? odd : 0);
}

std::vector<std::vector<uint32_t>>
EtherealPlanner::GroupBySize(const std::vector<uint64_t>& bytes)
{
    constexpr uint64_t ROUNDING = 1;      // bytes by which the parts of a buffer differ
    std::map<uint64_t, uint64_t> groupOf; // the least size of the group, by size
    for (const uint64_t size : bytes)
    {
        groupOf.emplace(size, 0);
    }
    uint64_t least = groupOf.empty() ? 0 : groupOf.begin()->first;
    for (auto& [size, group] : groupOf)
    {
        least = size - least > ROUNDING ? size : least;
        group = least;
    }
    std::vector<std::vector<uint32_t>> groups;
    std::map<uint64_t, std::size_t> place; // by least size
    for (uint32_t flow = 0; flow < bytes.size(); ++flow)
    {
        const auto [found, isNew] = place.emplace(groupOf[bytes[flow]], groups.size());
        if (isNew)
        {
            groups.emplace_back();
        }
        groups[found->second].push_back(flow);
    }
    return groups;
}

} // namespace aifabric
} // namespace ns3
