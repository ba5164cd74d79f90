/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELY_RATE_H
#define TIMELY_RATE_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The rate of TIMELY (Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter",
 * SIGCOMM 2015, algorithm 1): it grows by a constant below a low round-trip time and while round
 * trips do not get longer, and falls above a high one by the excess, between the two by the
 * gradient of the round-trip time. Times are in any unit, and rates too.
 */
class TimelyRate
{
  public:
    /// What does not change.
    struct Parameters
    {
        double low{0};          //!< round trip below which the rate always grows (T_low)
        double high{0};         //!< round trip above which it always falls (T_high)
        double least{0};        //!< shortest round trip, by which gradients are divided
        double gain{0.875};     //!< weight of the last difference of round trips (alpha)
        double decrease{0.8};   //!< what a gradient of 1 takes of the rate (beta)
        double increase{0};     //!< what is added to the rate (delta)
        double hyper{5};        //!< how many times that, if round trips keep from getting longer
        uint32_t hyperSteps{5}; //!< how often in a row they have to
        double leastRate{0};    //!< the least rate
        bool countsIncreases{false}; //!< instead: how many increases in a row, below low, too
    };

    /**
     * @param parameters what does not change
     * @param lineRate the first and largest rate
     */
    TimelyRate(const Parameters& parameters, double lineRate);

    /// A round trip was measured.  @param roundTrip the time
    void Measured(double roundTrip);

    /// Change the largest rate.  @param lineRate of the port from now on
    void SetLineRate(double lineRate);

    /// @return the rate
    double GetRate() const
    {
        return m_rate;
    }

    /// @return the average difference of two round trips in a row, as a share of the shortest
    double GetGradient() const
    {
        return m_difference / m_parameters.least;
    }

  private:
    /// Change the rate.  @param factor what is left of it  @param increase what is added
    void Change(double factor, double increase);

    Parameters m_parameters; //!< what does not change
    double m_lineRate;       //!< the largest rate
    double m_rate;           //!< the rate
    double m_last{0};        //!< the last round trip; 0: none
    double m_difference{0};  //!< average difference of two in a row
    uint32_t m_steps{0};     //!< how often in a row they did not get longer, or the rate grew
};

} // namespace aifabric
} // namespace ns3

#endif /* TIMELY_RATE_H */
