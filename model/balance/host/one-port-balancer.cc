/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "one-port-balancer.h"

#include "ns3/boolean.h"
#include "ns3/e-ecmp-balancer.h"
#include "ns3/fork-object.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(OnePortBalancer);

TypeId
OnePortBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::OnePortBalancer")
            .SetParent<HostBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<OnePortBalancer>()
            .AddAttribute(
                "HashQueuePairs",
                "Switches hash the destination queue pair, too (EEcmpBalancer); else only "
                "the 5-tuple (EcmpBalancer).",
                BooleanValue(false),
                MakeBooleanAccessor(&OnePortBalancer::m_hashesQueuePairs),
                MakeBooleanChecker());
    return tid;
}

void
OnePortBalancer::Connect(uint32_t source,
                         uint32_t destination,
                         std::shared_ptr<const PathView> paths)
{
    HostBalancer::Connect(source, destination, std::move(paths));
    SetFixedEntropy(PathChoice::FIRST_PORT + EcmpBalancer::Mix(source, destination) % ENTROPIES);
}

TypeId
OnePortBalancer::GetSwitchBalancer() const
{
    return m_hashesQueuePairs ? EEcmpBalancer::GetTypeId() : EcmpBalancer::GetTypeId();
}

bool
OnePortBalancer::KeepsPaths() const
{
    return true;
}

Ptr<HostBalancer>
OnePortBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
