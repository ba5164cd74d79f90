/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-algorithm.h"

#include "ns3/message-text.h"
#include "ns3/uinteger.h"

#include <limits>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveAlgorithm);

TypeId
CollectiveAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::CollectiveAlgorithm")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddAttribute("Chunks",
                          "Equal parts of the data that go through the algorithm on their own, all "
                          "at the same time: more than one is how a tree or a chain is pipelined. "
                          "ai-fabric-run chooses them (--chunks), unless this is given.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&CollectiveAlgorithm::m_chunks),
                          MakeUintegerChecker<uint32_t>(1, 1 << 16));
    return tid;
}

void
CollectiveAlgorithm::Prepare(CollectiveKind kind,
                             uint32_t ranks,
                             uint32_t root,
                             const std::vector<uint32_t>& nodes)
{
    const std::string name = GetInstanceTypeId().GetName();
    if (!Supports(kind))
    {
        throw std::invalid_argument(name + " does not do " + NameOf(kind) + ", only " +
                                    ListSupported());
    }
    if (ranks == 0)
    {
        throw std::invalid_argument(name + ": 0 ranks; a collective has at least 1");
    }
    if (root >= ranks)
    {
        throw std::invalid_argument(name + ": root " + std::to_string(root) +
                                    " is not a rank (0.." + std::to_string(ranks - 1) + ")");
    }
    if (!nodes.empty() && nodes.size() != ranks)
    {
        throw std::invalid_argument(name + ": the nodes of " + std::to_string(nodes.size()) +
                                    " ranks are given, of " + std::to_string(ranks));
    }
    m_kind = kind;
    m_ranks = ranks;
    m_root = root;
    m_nodes = nodes;
    DoPrepare();
}

void
CollectiveAlgorithm::DoPrepare()
{
}

std::string
CollectiveAlgorithm::ListSupported() const
{
    std::vector<std::string> names;
    for (const CollectiveKind kind : COLLECTIVE_KINDS)
    {
        if (Supports(kind))
        {
            names.push_back(NameOf(kind));
        }
    }
    return Listed(names);
}

CollectiveKind
CollectiveAlgorithm::GetKind() const
{
    return m_kind;
}

uint32_t
CollectiveAlgorithm::GetRanks() const
{
    return m_ranks;
}

uint32_t
CollectiveAlgorithm::GetRoot() const
{
    return m_root;
}

bool
CollectiveAlgorithm::IsChunked() const
{
    return false;
}

const std::vector<uint32_t>&
CollectiveAlgorithm::GetNodes() const
{
    return m_nodes;
}

uint32_t
CollectiveAlgorithm::GetMostChunks() const
{
    return std::numeric_limits<uint32_t>::max();
}

bool
CollectiveAlgorithm::IsTree() const
{
    return false;
}

bool
CollectiveAlgorithm::UsesNodeSwitch() const
{
    return false;
}

uint32_t
CollectiveAlgorithm::GetWindow() const
{
    return 0;
}

void
CollectiveAlgorithm::SetChunks(uint32_t chunks)
{
    m_chunks = chunks;
}

uint32_t
CollectiveAlgorithm::CountLanes() const
{
    return m_chunks;
}

BlockRange
CollectiveAlgorithm::GetHome(uint32_t rank) const
{
    return {rank, 1};
}

} // namespace aifabric
} // namespace ns3
