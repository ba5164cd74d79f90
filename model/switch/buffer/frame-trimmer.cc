/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-trimmer.h"

#include "ns3/abort.h"
#include "ns3/dscp-table.h"
#include "ns3/fabric-switch.h"
#include "ns3/frame-codec.h"
#include "ns3/outer-codec.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

void
FrameTrimmer::Install(const Settings& settings,
                      const FabricSwitch& fabricSwitch,
                      const std::string& owner)
{
    m_settings = settings;
    for (std::size_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
    {
        const DscpTable& table = *fabricSwitch.GetPort(port)->GetDscpTable();
        for (const auto& [name, dscp] : {std::pair{"TrimmedDscp", settings.dscp},
                                         std::pair{"LastHopDscp", settings.lastHopDscp}})
        {
            NS_ABORT_MSG_IF(settings.classes >> table.GetClass(dscp) & 1,
                            owner << "::" << name << "=" << +dscp << ": of class "
                                  << +table.GetClass(dscp)
                                  << ", which is trimmed again; another class is needed");
        }
    }
}

bool
FrameTrimmer::MayTrim(const FabricFrame& frame) const
{
    return m_settings.classes >> frame.GetClass() & 1 && frame.kind == FrameKind::ROCE &&
           frame.payload > 0 && frame.wireBytes > GetTrimmedBytes(frame);
}

uint16_t
FrameTrimmer::GetTrimmedBytes(const FabricFrame& frame) const
{
    return m_settings.bytes + (frame.flags & FRAME_IPV6 ? FrameCodec::IPV6_MORE : 0) +
           OuterCodec::GetBytes(frame);
}

void
FrameTrimmer::Trim(FabricFrame& frame, const FabricTransmitter& egress)
{
    const bool isLastHop = egress.LeadsToHost();
    ++m_trimmed;
    m_trimmedAtLastHop += isLastHop;
    const uint16_t left = GetTrimmedBytes(frame);
    m_cutBytes += frame.wireBytes - left;
    frame.wireBytes = left;
    frame.flags |= FRAME_TRIMMED;
    frame.syndrome = frame.GetTos(); // of the inner header, if there is an outer one
    frame.SetTos((isLastHop ? m_settings.lastHopDscp : m_settings.dscp) << 2 | frame.GetEcn());
}

void
FrameTrimmer::Count(PolicyCounters& counters) const
{
    counters["trimming_frames"] += m_trimmed;
    counters["trimming_last_hop_frames"] += m_trimmedAtLastHop;
    counters["trimming_cut_bytes"] += m_cutBytes;
}

} // namespace aifabric
} // namespace ns3
