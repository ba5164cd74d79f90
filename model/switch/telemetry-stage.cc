/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-stage.h"

#include "fabric-switch.h"

#include "ns3/abort.h"
#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"

#include <algorithm>
#include <cmath>
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
    for (std::size_t i = 0; i < fabricSwitch.GetPortCount(); ++i)
    {
        const uint64_t rate = fabricSwitch.GetPort(i)->GetDataRate().GetBitRate();
        NS_ABORT_MSG_IF(rate < HopTelemetry::RATE_UNIT ||
                            rate / HopTelemetry::RATE_UNIT > std::numeric_limits<uint16_t>::max(),
                        "TelemetryStage: a port of "
                            << fabricSwitch.GetPort(i)->GetDataRate()
                            << "; telemetry has room for 100 Mb/s to 6.5 Tb/s");
    }
}

void
TelemetryStage::FrameDeparts(FabricFrame& frame, const FabricTransmitter& egress, int64_t start)
{
    constexpr int64_t PS_PER_NS = 1000;
    PathTelemetry* telemetry = frame.FindTelemetry();
    if (!telemetry || frame.payload == 0 || frame.flags & FRAME_TRIMMED ||
        telemetry->hops == PathTelemetry::HOPS)
    {
        return;
    }
    ++m_reports;
    const uint32_t port = (m_switch << 8 ^ m_switch >> 8) + egress.GetPort()->GetIndex();
    telemetry->path ^= (port * 0x9E3779B1U) >> 20; // 12 bits
    const uint32_t queue = egress.GetWaitingBytes() / HopTelemetry::QUEUE_UNIT;
    const auto rate = std::lround(egress.GetRate() / HopTelemetry::RATE_UNIT);
    HopTelemetry& hop = telemetry->hop[telemetry->hops++];
    hop.time = static_cast<uint32_t>(start / PS_PER_NS) & 0xFFFFFF;
    hop.sent = (egress.GetSentBytes() / HopTelemetry::BYTES_UNIT) & 0xFFFFF;
    hop.queue = std::min<uint32_t>(queue, std::numeric_limits<uint16_t>::max());
    hop.rate = std::max<uint16_t>(1, rate);
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
