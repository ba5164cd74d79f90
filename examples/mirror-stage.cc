/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mirror-stage.h"

#include "ns3/fabric-switch.h"
#include "ns3/frame-codec.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MirrorStage);

TypeId
MirrorStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MirrorStage")
            .SetParent<IngressStage>()
            .SetGroupName("AiFabric")
            .AddConstructor<MirrorStage>()
            .AddAttribute("Period",
                          "Data frames of which one is copied, on average.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&MirrorStage::m_period),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("Collector",
                          "Host index of the host that gets the copies.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MirrorStage::m_collector),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Dscp",
                          "DSCP of copies. The default is best effort, so that copies do not take "
                          "the place of RoCE frames.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MirrorStage::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63));
    return tid;
}

// The page: install
MirrorStage::MirrorStage()
    : m_pool(Create<FabricFramePool>()),
      m_random(CreateObject<UniformRandomVariable>())
{
}

void
MirrorStage::Install(FabricSwitch& fabricSwitch)
{
    m_switch = &fabricSwitch;
    DrawNext();
}

// The page: a frame
bool
MirrorStage::Passes(const Ptr<FabricFrame>& frame, int64_t now)
{
    if (!IsOfHost(*frame))
    {
        return true;
    }
    ++m_seen;
    if (--m_left == 0)
    {
        ++m_copies;
        m_switch->Originate(MakeCopy(*frame), now);
        DrawNext();
    }
    return true;
}

void
MirrorStage::DrawNext()
{
    m_left = m_random->GetInteger(1, 2 * m_period - 1);
}

int64_t
MirrorStage::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
MirrorStage::IsOfHost(const FabricFrame& frame) const
{
    return frame.kind == FrameKind::ROCE && frame.payload > 0 &&
           m_switch->GetPort(frame.ingress)->GetTransmitter().LeadsToHost();
}

// The page: a copy
Ptr<FabricFrame>
MirrorStage::MakeCopy(const FabricFrame& frame)
{
    constexpr uint16_t HEADERS = 78; // up to the BTH, in IPv4 or IPv6, and the FCS
    const Ptr<FabricFrame> copy = m_pool->Clone(frame);
    copy->destination = m_collector;
    copy->wireBytes = std::min(copy->wireBytes, HEADERS);
    copy->flags |= FRAME_TRIMMED;
    copy->SetTos(m_dscp << 2);
    FrameCodec::SetFlow(*copy, copy->entropy);
    return copy;
}

// The page: counters
void
MirrorStage::Count(PolicyCounters& counters) const
{
    counters["mirror_seen"] += m_seen;
    counters["mirror_copies"] += m_copies;
}

} // namespace aifabric
} // namespace ns3
