/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M_SWIFT_CONTROL_H
#define M_SWIFT_CONTROL_H

#include "congestion-control.h"
#include "median-window.h"
#include "swift-settings.h"
#include "swift-window.h"

#include "ns3/nstime.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * MSwift (Gerstein, Silberstein, Keslassy, "Congestion Control for Spraying with Congested Paths",
 * arXiv 2509.07907): Swift whose delay is the median of the last few, because packets that are
 * spread over many paths bring delays of many paths. Acknowledgements out of order and of nothing
 * new mean nothing to it; a loss is what the loss recovery takes for one.
 *
 * The delay is that of the network, there and back: from the begin of a packet's transmission to
 * the arrival of its acknowledgement, queues and the way of the acknowledgement included. There is
 * no second window for delays in hosts, and all paths count as equally long (SwiftControl has
 * both).
 *
 * A window of less than a packet is a rate: a packet each delay divided by the window.
 *
 * The source's constants were not found; the defaults are those of SwiftSettings.
 */
class MSwiftControl : public CongestionControl, public SwiftSettings
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
    uint32_t m_samples{0}; //!< delays of which the median is taken
    uint32_t m_hops{0};    //!< of a path

    uint32_t m_mtu{0};                    //!< payload bytes of a full packet
    DataRate m_lineRate;                  //!< the port's rate
    std::optional<MedianWindow> m_delays; //!< the last delays
    std::optional<SwiftWindow> m_swift;   //!< the window
};

} // namespace aifabric
} // namespace ns3

#endif /* M_SWIFT_CONTROL_H */
