/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWIFT_CONTROL_H
#define SWIFT_CONTROL_H

#include "congestion-control.h"
#include "swift-settings.h"
#include "swift-window.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Swift (Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the
 * Datacenter", SIGCOMM 2020). The round trip of a packet is divided into the time that it and its
 * acknowledgement waited in hosts (EndpointNic::ReceiveRate), and the rest, which is that of the
 * fabric. Each has a target and a window (SwiftWindow); the smaller window counts. The target of
 * the fabric grows with the hops of the path, which are those of the acknowledgement's, and as the
 * window gets smaller; that of hosts is constant, and their time is averaged.
 *
 * A window of less than a packet is a rate: a packet each round trip divided by the window.
 */
class SwiftControl : public CongestionControl, public SwiftSettings
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<CongestionControl> Fork() const override;
    void Start(const FabricFacts& facts) override;
    void LineRateChanged(DataRate lineRate) override;
    uint64_t GetWindow() const override;
    DataRate GetRate() const override;
    bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t now) override;
    void Lost(const LossSample& loss, int64_t now) override;
    std::map<std::string, Time> GetUsualTimes(Time roundTrip) const override;

  private:
    /// @return the window that counts
    const SwiftWindow& GetSmaller() const
    {
        return m_hosts->GetWindow() < m_fabric->GetWindow() ? *m_hosts : *m_fabric;
    }

    Time m_hostTarget;    //!< target of the time in hosts
    double m_hostGain{0}; //!< weight of the last one in the average

    uint32_t m_mtu{0};                   //!< payload bytes of a full packet
    DataRate m_lineRate;                 //!< the port's rate
    double m_heldFor{0};                 //!< average time in hosts, in picoseconds
    std::optional<SwiftWindow> m_fabric; //!< window by the time in the fabric (fcwnd)
    std::optional<SwiftWindow> m_hosts;  //!< window by the time in hosts (ecwnd)
};

} // namespace aifabric
} // namespace ns3

#endif /* SWIFT_CONTROL_H */
