/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-stage.h"

#include "fabric-switch.h"

#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TelemetryStage);

TypeId
TelemetryStage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::TelemetryStage")
                            .SetParent<EgressStage>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<TelemetryStage>();
    return tid;
}

void
TelemetryStage::Install(const FabricSwitch& fabricSwitch)
{
    m_switch = fabricSwitch.GetSite().id;
}

void
TelemetryStage::FrameDeparts(FabricFrame& frame, const FabricTransmitter& egress, int64_t start)
{
    constexpr int64_t PS_PER_NS = 1000;
    constexpr double BITS_PER_SECOND = 8e9; // a byte per nanosecond
    PathTelemetry* telemetry = frame.FindTelemetry();
    if (!telemetry || frame.payload == 0 || frame.flags & FRAME_TRIMMED ||
        telemetry->hops == PathTelemetry::HOPS)
    {
        return;
    }
    ++m_reports;
    telemetry->Pass(m_switch, egress.GetPort()->GetIndex());
    const uint32_t queue = egress.GetWaitingBytes() / HopTelemetry::QUEUE_UNIT;
    HopTelemetry& hop = telemetry->hop[telemetry->hops++];
    hop.time = start / PS_PER_NS; // the upper bits are cut off, here and in sent
    hop.sent = egress.GetSentBytes() / HopTelemetry::BYTES_UNIT;
    hop.queue = std::min<uint32_t>(queue, std::numeric_limits<uint16_t>::max());
    hop.rate = egress.GetRate() / BITS_PER_SECOND;
}

bool
TelemetryStage::WritesTelemetry() const
{
    return true;
}

void
TelemetryStage::Count(PolicyCounters& counters) const
{
    counters["telemetry_hops"] += m_reports;
}

} // namespace aifabric
} // namespace ns3
