/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELY_CONTROL_H
#define TIMELY_CONTROL_H

#include "congestion-control.h"
#include "timely-rate.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * TIMELY (TimelyRate) as a congestion control, with the constants of its paper and no window. A
 * round trip is measured once a segment, from the begin of a packet's transmission to its
 * acknowledgement; it contains the time to send one packet, not a segment, which the paper
 * subtracts.
 */
class TimelyControl : public CongestionControl
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
    std::string Describe(const FabricFacts& facts) const override;

  private:
    /// @return a type with the attributes of increases and decreases
    static TypeId AddLaw(TypeId type);

    /// @return the shortest round trip: that of the fabric unless one is set
    Time FindLeast(const FabricFacts& facts) const;

    Time m_low;                       //!< T_low
    Time m_high;                      //!< T_high
    Time m_least;                     //!< shortest round trip; 0: that of the fabric
    double m_gain{0};                 //!< alpha
    double m_decrease{0};             //!< beta
    DataRate m_increase;              //!< delta
    double m_hyper{0};                //!< how many times delta
    uint32_t m_hyperSteps{0};         //!< steps until then
    bool m_countsIncreases{false};    //!< steps are increases
    DataRate m_leastRate;             //!< the least rate
    uint64_t m_segment{0};            //!< bytes between two measurements; 0: a round trip
    uint64_t m_acked{0};              //!< bytes acknowledged since the last one
    int64_t m_measuredAt{0};          //!< when it was, in picoseconds
    std::optional<TimelyRate> m_rate; //!< the rate, in bits a second, and picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* TIMELY_CONTROL_H */
