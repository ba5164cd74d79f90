/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dwrr-egress-scheduler.h"

#include "ns3/abort.h"
#include "ns3/range-map.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(DwrrEgressScheduler);

TypeId
DwrrEgressScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::DwrrEgressScheduler")
            .SetParent<EgressScheduler>()
            .SetGroupName("AiFabric")
            .AddConstructor<DwrrEgressScheduler>()
            .AddAttribute("Weights",
                          "Weights of traffic classes, such as 6:10,0-5:1. A class that is not "
                          "named has weight 1, one without a queue of its own the weight of the "
                          "class whose queue it shares.",
                          StringValue("0-7:1"),
                          MakeStringAccessor(&DwrrEgressScheduler::SetWeights,
                                             &DwrrEgressScheduler::GetWeights),
                          MakeStringChecker())
            .AddAttribute("Quantum",
                          "Bytes that a queue of weight 1 may send at each of its turns.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&DwrrEgressScheduler::SetQuantum,
                                               &DwrrEgressScheduler::GetQuantum),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
DwrrEgressScheduler::SetWeights(std::string text)
{
    constexpr RangeMapLimits LIMITS{1, 65535};
    std::array<uint32_t, DeficitRoundRobin::QUEUES> weights{};
    try
    {
        const auto read = ReadRangeMap(text, std::vector<uint32_t>(weights.size(), 1), LIMITS);
        std::copy(read.begin(), read.end(), weights.begin());
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG("DwrrEgressScheduler::Weights: " << error.what());
    }
    m_rounds.SetWeights(weights);
}

std::string
DwrrEgressScheduler::GetWeights() const
{
    const auto& weights = m_rounds.GetWeights();
    return WriteRangeMap({weights.begin(), weights.end()});
}

void
DwrrEgressScheduler::SetQuantum(uint32_t bytes)
{
    m_rounds.SetQuantum(bytes);
}

uint32_t
DwrrEgressScheduler::GetQuantum() const
{
    return m_rounds.GetQuantum();
}

uint8_t
DwrrEgressScheduler::Choose(const EgressHeads& heads)
{
    return m_rounds.Choose(heads.ready);
}

void
DwrrEgressScheduler::FrameDeparts(uint8_t queue, const FabricFrame& frame)
{
    m_rounds.Charge(queue, frame.wireBytes);
}

} // namespace aifabric
} // namespace ns3
