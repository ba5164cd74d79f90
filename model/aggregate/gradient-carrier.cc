/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-carrier.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

void
GradientCarrier::AddGroup(uint32_t communicator, Ptr<GradientGroup> group)
{
    m_groups[communicator] = group;
}

void
GradientCarrier::Dispose()
{
    for (const auto& entry : m_groups)
    {
        entry.second->Dispose();
    }
    m_groups.clear();
}

std::shared_ptr<CollectiveWork>
GradientCarrier::Add(const CollectiveSpec& spec,
                     uint32_t communicator,
                     CollectiveWork::RankDone done)
{
    const auto group = m_groups.find(communicator);
    NS_ABORT_MSG_IF(group == m_groups.end(), "GradientCarrier: no group for " << spec.name);
    return group->second->Add(spec, std::move(done));
}

} // namespace aifabric
} // namespace ns3
