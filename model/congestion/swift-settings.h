/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWIFT_SETTINGS_H
#define SWIFT_SETTINGS_H

#include "swift-window.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-facts.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The attributes that the variants of Swift have in common. Each variant has its own, under its own
 * name.
 *
 * The defaults are those of csg-htsim's Swift, scaled to the fabric of the load-balancing study:
 * the base target is its round trip of 6.25 us.
 */
class SwiftSettings
{
  public:
    /// @return a type with the attributes  @param type of a control that is derived from this class
    static TypeId AddTo(TypeId type);

    /**
     * Get what does not change of the window, and end the program if the attributes contradict each
     * other.
     *
     * @param facts the fabric
     * @param hops of the paths: the links between two hosts
     * @param owner class of the control
     */
    SwiftWindow::Parameters GetParameters(const FabricFacts& facts,
                                          uint32_t hops,
                                          const std::string& owner) const;

    /// @return the first window, in packets  @param parameters of the window
    double GetFirstWindow(const FabricFacts& facts,
                          const SwiftWindow::Parameters& parameters) const;

    /// @return the rate of a window of less than a packet: a packet each round trip divided by the
    /// window  @param mtu payload of a packet, in bytes
    static DataRate Pace(const SwiftWindow& window, uint32_t mtu);

    /// @return times that are derived from a round trip, by the attributes' full names
    static std::map<std::string, Time> GetUsual(Time roundTrip, TypeId owner);

  private:
    /// @return a type with the attributes of the first and the largest window
    static TypeId AddLimits(TypeId type);

    /// @return what all planes send in the target delay, in packets  @param hops of the path
    double GetProduct(const FabricFacts& facts, uint32_t hops) const;

    Time m_baseTarget;           //!< target delay without hops
    Time m_hopTarget;            //!< what each hop adds to it
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
};

} // namespace aifabric
} // namespace ns3

#endif /* SWIFT_SETTINGS_H */
