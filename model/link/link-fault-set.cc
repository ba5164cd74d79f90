/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-fault-set.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(LinkFaultSet);

TypeId
LinkFaultSet::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::LinkFaultSet")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<LinkFaultSet>();
    return tid;
}

Ptr<LinkFaultSet>
LinkFaultSet::Of(Ptr<FabricChannel> channel)
{
    Ptr<LinkFaultSet> set = channel->GetObject<LinkFaultSet>();
    if (!set)
    {
        set = CreateObject<LinkFaultSet>();
        channel->AggregateObject(set);
    }
    return set;
}

void
LinkFaultSet::Add(const FaultEffect& effect)
{
    m_effects.push_back(effect);
}

void
LinkFaultSet::Remove(const LinkFault* fault)
{
    m_effects.erase(std::remove_if(m_effects.begin(),
                                   m_effects.end(),
                                   [fault](const FaultEffect& e) { return e.fault == fault; }),
                    m_effects.end());
}

bool
LinkFaultSet::Apply(FabricChannel& channel, std::size_t end) const
{
    bool up = true;
    double rateFactor = 1;
    double queueFactor = 1;
    double loss = 0;
    std::vector<std::shared_ptr<FrameLoss>> losses;
    for (const FaultEffect& effect : m_effects)
    {
        if (effect.suffers.at(end))
        {
            up &= !effect.down;
            rateFactor *= effect.rateFactor;
            queueFactor *= effect.queueFactor;
            loss += (1 - loss) * effect.lossProbability;
            if (effect.losses.at(end))
            {
                losses.push_back(effect.losses[end]);
            }
        }
    }
    channel.SetRateFactor(end, rateFactor);
    channel.SetQueueFactor(end, queueFactor);
    channel.SetLossProbability(end, loss);
    channel.SetFrameLosses(end, std::move(losses));
    return up;
}

void
LinkFaultSet::Apply(FabricChannel& channel) const
{
    const bool first = Apply(channel, 0);
    channel.SetDirectionsUp({first, Apply(channel, 1)});
}

} // namespace aifabric
} // namespace ns3
