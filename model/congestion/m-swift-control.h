/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M_SWIFT_CONTROL_H
#define M_SWIFT_CONTROL_H

#include "congestion-control.h"
#include "median-window.h"
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
 * the arrival of its acknowledgement, queues and the way of the acknowledgement included. NICs
 * answer at once, so there is no endpoint delay, and no second window for it.
 *
 * A window of less than a packet is a rate: a packet each delay divided by the window.
 *
 * The source's constants were not found. The defaults are those of csg-htsim's Swift, scaled to
 * the fabric of the load-balancing study: the base target is its round trip of 6.25 us.
 */
class MSwiftControl : public CongestionControl
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
    /// @return a type with the attributes of Swift
    static TypeId AddSwiftAttributes(TypeId type);

    uint32_t m_samples{0};       //!< delays of which the median is taken
    Time m_baseTarget;           //!< target delay without hops
    Time m_hopTarget;            //!< what each hop adds to it
    uint32_t m_hops{0};          //!< hops
    Time m_scalingRange;         //!< the most that flow scaling adds to it
    double m_scalingLeast{0};    //!< window up to which it adds that, in packets
    double m_scalingMost{0};     //!< window from which on it adds nothing, in packets
    double m_increase{0};        //!< ai, in packets
    double m_decrease{0};        //!< beta
    double m_mostDecrease{0};    //!< max_mdf
    double m_leastWindow{0};     //!< in packets
    uint64_t m_firstWindow{0};   //!< in bytes; 0: line rate times target
    uint64_t m_mostWindow{0};    //!< in bytes; 0: line rate times target
    uint32_t m_resetTimeouts{0}; //!< timeouts in a row after which the window is the least

    uint32_t m_mtu{0};                    //!< payload bytes of a full packet
    DataRate m_lineRate;                  //!< the port's rate
    std::optional<MedianWindow> m_delays; //!< the last delays
    std::optional<SwiftWindow> m_swift;   //!< the window
};

} // namespace aifabric
} // namespace ns3

#endif /* M_SWIFT_CONTROL_H */
