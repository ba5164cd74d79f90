/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mprdma-balancer.h"

#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MprdmaBalancer);

TypeId
MprdmaBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MprdmaBalancer")
            .SetParent<EntropyBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<MprdmaBalancer>()
            .AddAttribute("MarkingShare",
                          "Longest queue without marks, as a share of the port buffer; what "
                          "ai-fabric-run sets switches to if no marker is chosen "
                          "(0: they mark as the congestion control needs it).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&MprdmaBalancer::m_markingShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Entropies",
                          "Number of labels to draw from before the first acknowledgement, and "
                          "after a timeout of the last label.",
                          UintegerValue(ENTROPIES),
                          MakeUintegerAccessor(&MprdmaBalancer::m_entropies),
                          MakeUintegerChecker<uint32_t>(1, ENTROPIES));
    return tid;
}

void
MprdmaBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    EntropyBalancer::Start(facts, stream);
    m_last.reset();
}

uint16_t
MprdmaBalancer::NextLabel(int64_t)
{
    return m_last ? *m_last : Draw(CountLabels(m_entropies));
}

void
MprdmaBalancer::Feedback(uint32_t entropy, PathEvent event, int64_t, int64_t)
{
    if (event == PathEvent::GOOD || event == PathEvent::MARKED)
    {
        m_last = entropy - PathChoice::FIRST_PORT;
    }
    else if (event == PathEvent::TIMED_OUT && m_last &&
             entropy == uint32_t{PathChoice::FIRST_PORT} + *m_last)
    {
        m_last.reset(); // its path may be dead, and without another packet no label follows
    }
}

double
MprdmaBalancer::GetMarkingShare() const
{
    return m_markingShare;
}

Ptr<HostBalancer>
MprdmaBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
