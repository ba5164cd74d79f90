/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TELEMETRY_STAGE_H
#define TELEMETRY_STAGE_H

#include "egress-stage.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * In-band network telemetry (INT) as HPCC uses it (Li et al., SIGCOMM 2019, section 4.1): as the
 * transmission of a data packet begins, the switch writes down the time, the rate of the port, the
 * bytes that the port has sent, and those that wait in all its queues (HopTelemetry). Packets that
 * carry no telemetry, were trimmed, or have passed PathTelemetry::HOPS switches stay as they are.
 */
class TelemetryStage : public EgressStage
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Install(const FabricSwitch& fabricSwitch) override;
    void FrameDeparts(FabricFrame& frame, const FabricTransmitter& egress, int64_t start) override;
    bool WritesTelemetry() const override;
    void Count(PolicyCounters& counters) const override;

  private:
    uint32_t m_switch{0};  //!< number of the switch
    uint64_t m_reports{0}; //!< hops that it has written
};

} // namespace aifabric
} // namespace ns3

#endif /* TELEMETRY_STAGE_H */
