/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCTCP_RATE_H
#define DCTCP_RATE_H

#include <cstdint>
#include <limits>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * DCTCP (Alizadeh et al., "Data Center TCP", SIGCOMM 2010) as the rate of a queue pair, as the
 * simulator of Ethereal (arXiv 2407.00550) has it: alpha is a moving average of the share of
 * acknowledgements with a mark, and is brought up to date once a round of data. A mark takes the
 * part alpha / 2 from the rate, unless the packet was sent before the last cut; a round that ends
 * with an unmarked packet sent after the last cut adds a constant.
 *
 * A round is over with the first acknowledgement of a packet that was sent after the round began;
 * that acknowledgement is the round's last. With packets in order that is the first acknowledgement
 * beyond what had been sent when the round began: so the simulator delimits rounds, and the time
 * for which a cut is enough, by sequence numbers. The time of sending does the same for packets
 * that come in any order or are retransmitted.
 *
 * Rates are in any unit, and times too, the same for all.
 */
class DctcpRate
{
  public:
    /// What does not change.
    struct Parameters
    {
        double gain{1.0 / 256}; //!< weight of the last round in alpha (g)
        double firstAlpha{1};   //!< alpha at the begin
        double increase{1};     //!< what a round without a cut adds to the rate
        double leastRate{0};    //!< the rate is not cut below this
    };

    /**
     * @param parameters what does not change
     * @param lineRate the most, which is the first rate
     */
    DctcpRate(const Parameters& parameters, double lineRate);

    /**
     * A packet was acknowledged, or a switch has trimmed it, which counts as a mark.
     */
    void Acked(bool marked, int64_t sentAt, int64_t now);

    /// Go back to the line rate.
    void Reset();

    /// The most has changed.  @param lineRate what it is now; a rate that was the most stays so
    void SetLineRate(double lineRate);

    /// @return the rate
    double GetRate() const
    {
        return m_rate;
    }

    /// @return the moving average of the share of marks
    double GetAlpha() const
    {
        return m_alpha;
    }

    /// @return acknowledgements with a mark
    uint64_t GetMarks() const
    {
        return m_marks;
    }

    /// @return how often the rate was cut
    uint64_t GetCuts() const
    {
        return m_cuts;
    }

  private:
    /// @return whether a round ends, which brings alpha up to date
    /// @param sentAt when the acknowledged packet was sent
    bool EndRound(int64_t sentAt, int64_t now);

    Parameters m_parameters;                              //!< what does not change
    double m_lineRate;                                    //!< the most
    double m_rate;                                        //!< the rate
    double m_alpha;                                       //!< moving average of the share of marks
    bool m_hasBegun{false};                               //!< something was acknowledged
    int64_t m_roundSince{0};                              //!< when the round began
    uint64_t m_roundAcks{0};                              //!< acknowledgements in the round
    uint64_t m_roundMarks{0};                             //!< of these, with a mark
    int64_t m_cutAt{std::numeric_limits<int64_t>::min()}; //!< when the rate was cut last
    uint64_t m_marks{0};                                  //!< acknowledgements with a mark
    uint64_t m_cuts{0};                                   //!< how often the rate was cut
};

} // namespace aifabric
} // namespace ns3

#endif /* DCTCP_RATE_H */
