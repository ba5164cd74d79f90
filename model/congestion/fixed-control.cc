/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-control.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <limits>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(FixedControl);

TypeId
FixedControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FixedControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<FixedControl>()
            .AddAttribute("RateFraction",
                          "Rate of each queue pair as a fraction of its port's line rate.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FixedControl::m_fraction),
                          MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("Window",
                          "Most payload bytes that may be unacknowledged (0: unlimited).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedControl::m_window),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
FixedControl::Start(const FabricFacts& facts)
{
    LineRateChanged(facts.portRate);
}

void
FixedControl::LineRateChanged(DataRate lineRate)
{
    m_rate = DataRate(static_cast<uint64_t>(lineRate.GetBitRate() * m_fraction));
}

uint64_t
FixedControl::GetWindow() const
{
    return m_window ? m_window : std::numeric_limits<uint64_t>::max();
}

DataRate
FixedControl::GetRate() const
{
    return m_rate;
}

Ptr<CongestionControl>
FixedControl::Fork() const
{
    return ForkObject(*this);
}

bool
FixedControl::Adapts() const
{
    return false;
}

} // namespace aifabric
} // namespace ns3
