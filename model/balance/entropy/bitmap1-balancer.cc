/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bitmap1-balancer.h"

#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(Bitmap1Balancer);

TypeId
Bitmap1Balancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Bitmap1Balancer")
            .SetParent<ExclusionBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<Bitmap1Balancer>()
            .AddAttribute("LogEntropies",
                          "Logarithm to base 2 of the number of labels of a queue pair.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&Bitmap1Balancer::m_logEntropies),
                          MakeUintegerChecker<uint32_t>(0, 14));
    return tid;
}

ExclusionBalancer::Skips
Bitmap1Balancer::GetSkips() const
{
    return {1, 1, 1};
}

ExclusionBitmap::Parameters
Bitmap1Balancer::GetParameters() const
{
    return {1U << m_logEntropies, 1, true};
}

Ptr<HostBalancer>
Bitmap1Balancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
