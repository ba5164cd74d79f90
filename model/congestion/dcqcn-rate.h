/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCQCN_RATE_H
#define DCQCN_RATE_H

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The reaction point of DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
 * SIGCOMM 2015): the rate of a queue pair that receives congestion notification packets (CNPs).
 *
 * The rate begins at the line rate, and no timer runs until the first CNP. In the form of the paper
 * each CNP cuts the rate by half of alpha, and starts the timers and the byte counter anew. In the
 * form of NICs a CNP sets a flag, a periodic check cuts the rate if the flag is set, and only a cut
 * starts the timer of increases anew.
 *
 * No event is scheduled. Advance() applies what the timers have done since the last call, in the
 * order of their times; of those at the same time alpha first, then the cut, then the increase.
 *
 * Rates are in bit/s, times in picoseconds. Times do not decrease from call to call.
 */
class DcqcnRate
{
  public:
    /// What does not change.
    struct Parameters
    {
        bool isPaper{true};              //!< the form of the paper, else that of NICs
        bool clampsTarget{false};        //!< NICs: each cut sets the target, also the second in a
                                         //!< row without an increase between
        double gain{1.0 / 256};          //!< weight of a CNP in alpha (g)
        double firstAlpha{1};            //!< alpha at the first CNP
        double firstRate{1};             //!< NICs: share of the rate that the first CNP leaves
        double maxDecrease{0.5};         //!< the most that a cut takes, as a share of the rate
        double leastRate{0};             //!< the rate is not cut below this (Rmin)
        double additive{0};              //!< additive increase of the target (RAI)
        double hyper{0};                 //!< hyper increase of the target (RHAI); 0: none
        uint32_t fastSteps{5};           //!< expirations until the target increases (F)
        int64_t alphaPeriod{55000000};   //!< of the timer of alpha; above 0
        int64_t decreasePeriod{4000000}; //!< NICs: between two checks for a cut; above 0
        int64_t ratePeriod{55000000};    //!< of the timer of increases; above 0
        uint64_t byteCounter{0};         //!< bytes sent after which the rate increases; 0: none
    };

    /// @param parameters what does not change  @param lineRate the most, which is the first rate
    DcqcnRate(const Parameters& parameters, double lineRate);

    /// Apply what the timers do up to a time.
    void Advance(int64_t now);

    /// A packet is sent.  @param bytes its payload  @param now when its transmission begins
    void Sent(uint32_t bytes, int64_t now);

    /// A CNP has come.
    void Notified(int64_t now);

    /// The most has changed.  @param lineRate what it is now; a rate that was the most stays so
    void SetLineRate(double lineRate);

    /// @return the mean rate at which a packet leaves that begins at the time of the last call if
    /// no CNP comes: timers may change the rate before the packet has got its time
    /// @param bits of the packet
    double GetMeanRate(double bits) const;

    /// @return the rate (Rc)
    double GetRate() const
    {
        return m_rate;
    }

    /// @return the target rate (Rt)
    double GetTarget() const
    {
        return m_target;
    }

    /// @return alpha, at the time of the last call
    double GetAlpha() const
    {
        return m_alpha;
    }

    /// @return how often the timer of increases has expired since the last cut (T)
    uint32_t GetTimeStage() const
    {
        return m_timeStage;
    }

    /// @return how often the byte counter has expired since the last cut (B)
    uint32_t GetByteStage() const
    {
        return m_byteStage;
    }

    /// @return how often the rate was cut
    uint64_t GetCuts() const
    {
        return m_cuts;
    }

  private:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< later than any time

    /// @return when a timer changes the rate next
    int64_t GetNext() const
    {
        return std::min(m_decreaseDue, m_rateDue);
    }

    /// Apply what the timer of alpha does up to a time.
    void AdvanceAlpha(int64_t now);

    /// A CNP of the form of the paper.
    void NotifiedAsInPaper(int64_t now);

    /// A CNP of the form of NICs.
    void NotifiedAsInNics(int64_t now);

    /// Cut the rate.
    void Cut();

    /// The timer of increases expires.  @param until skip expirations that change no rate up to
    /// this time
    void ExpireTimer(int64_t until);

    /// Increase the rate.  @param timeStage T of the rules  @param byteStage B of the rules
    void Increase(uint32_t timeStage, uint32_t byteStage);

    Parameters m_parameters;      //!< what does not change
    double m_lineRate;            //!< the most
    double m_rate;                //!< Rc
    double m_target;              //!< Rt
    double m_alpha;               //!< estimate of the congestion
    bool m_isActive{false};       //!< a CNP has come
    bool m_isNotified{false};     //!< NICs: one has come since the last check for a cut
    bool m_raisesAlpha{false};    //!< NICs: one has come since alpha was updated
    int64_t m_now{0};             //!< time of the last call
    int64_t m_alphaDue{NEVER};    //!< when the timer of alpha expires
    int64_t m_decreaseStart{0};   //!< NICs: when the checks for a cut began
    int64_t m_decreaseDue{NEVER}; //!< NICs: the next check that finds a CNP
    int64_t m_rateDue{NEVER};     //!< when the timer of increases expires
    uint64_t m_bytes{0};          //!< sent since the byte counter expired
    uint32_t m_timeStage{0};      //!< T
    uint32_t m_byteStage{0};      //!< B
    uint64_t m_cuts{0};           //!< how often the rate was cut
};

} // namespace aifabric
} // namespace ns3

#endif /* DCQCN_RATE_H */
