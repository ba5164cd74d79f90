/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rr-balancer.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RrBalancer);

TypeId
RrBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RrBalancer")
            .SetParent<SimpleRrBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<RrBalancer>()
            .AddAttribute("Reshuffle",
                          "Rounds after which a new random order is drawn (0: never).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&RrBalancer::m_reshuffle),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

} // namespace aifabric
} // namespace ns3
