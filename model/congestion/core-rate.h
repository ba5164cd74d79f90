/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CORE_RATE_H
#define CORE_RATE_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * At which share of its port's rate a receiver gives credit when the core of the fabric is
 * oversubscribed: the port alone could take more than the core can carry. The rate follows what the
 * packets of one interval after the other report (uet-htsim, OversubscribedCC):
 *
 * - Packets that were trimmed before the last hop reduce the rate by their share of all packets.
 * - If the average share of marked packets is above a target, the rate falls in proportion to the
 *   excess.
 * - Else the rate grows by a step. The step doubles with each such interval in a row, but an
 *   interval with marks adds the first step only.
 */
class CoreRate
{
  public:
    /// The parameters. Shares have no unit.
    struct Parameters
    {
        double target{0.3};    //!< average share of marked packets above which the rate falls
        double increase{0.01}; //!< first step up, as a share of the port's rate
        double decrease{0.5};  //!< what an excess of 1 takes from the rate
        double gain{0.5};      //!< weight of an interval in the average
        double least{0.01};    //!< smallest rate, as a share of the port's rate
    };

    /// Begin with the whole rate.
    explicit CoreRate(const Parameters& parameters);

    /// A packet has come whole.  @param isMarked whether it has a mark (ECN)
    void PacketArrived(bool isMarked)
    {
        ++m_whole;
        m_marked += isMarked;
    }

    /// A packet has come without its data.
    /// @param isLastHop whether the switch before the receiver has trimmed it
    void PacketTrimmed(bool isLastHop)
    {
        ++(isLastHop ? m_trimmedLast : m_trimmed);
    }

    /// An interval ends.
    void Update();

    /// @return the rate, as a share of the port's rate
    double GetRate() const
    {
        return m_rate;
    }

    /// @return the moving average of the share of marked packets
    double GetMarkedShare() const
    {
        return m_share;
    }

    /// @return whether intervals without packets change nothing
    bool IsAtRest() const
    {
        return m_share == 0 && (m_rate == 1 || m_parameters.increase == 0);
    }

  private:
    Parameters m_parameters;   //!< the parameters
    double m_rate{1};          //!< as a share of the port's rate
    double m_share{0};         //!< average share of marked packets
    double m_step{0};          //!< next step up
    uint32_t m_whole{0};       //!< packets of this interval that came whole
    uint32_t m_marked{0};      //!< of these, marked ones
    uint32_t m_trimmed{0};     //!< packets of this interval trimmed within the fabric
    uint32_t m_trimmedLast{0}; //!< packets of this interval trimmed before the last link
};

} // namespace aifabric
} // namespace ns3

#endif /* CORE_RATE_H */
