/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISCOUNTING_RATE_H
#define DISCOUNTING_RATE_H

#include "ns3/time-units.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The discounting rate estimator (DRE) of CONGA (Alizadeh et al., SIGCOMM 2014, section 3.2): a
 * register that grows by the bytes of each packet sent, and of which a share is taken away at
 * regular times. With a rate R it comes to R times the time constant, which is the period divided
 * by the share.
 *
 * It needs no timer: what the periods until a time have taken away is worked out when it is asked.
 */
class DiscountingRate
{
  public:
    /// What does not change.
    struct Parameters
    {
        int64_t period{1}; //!< T_dre, in picoseconds
        double share{0.2}; //!< of the register that a period takes away: alpha
        uint32_t bits{3};  //!< of a metric: Q

        /// @return the time constant, in picoseconds: tau
        double GetTimeConstant() const
        {
            return static_cast<double>(period) / share;
        }
    };

    /// A packet is sent.  @param bytes its length  @param time in picoseconds, not before the last
    void Add(const Parameters& parameters, uint32_t bytes, int64_t time)
    {
        m_bytes = GetBytes(parameters, time) + bytes;
        m_period = time / parameters.period;
    }

    /// @return the register, in bytes  @param time in picoseconds
    double GetBytes(const Parameters& parameters, int64_t time) const
    {
        const int64_t periods = time / parameters.period - m_period;
        return periods > 0 ? m_bytes * std::pow(1 - parameters.share, periods) : m_bytes;
    }

    /**
     * @param rate of the link, in bits per second
     * @param time in picoseconds
     * @return the utilization of the link, in parts of 2^Q, rounded down; at most 2^Q - 1
     */
    uint8_t GetMetric(const Parameters& parameters, double rate, int64_t time) const
    {
        const double full = rate * parameters.GetTimeConstant() / BIT_PS_PER_BYTE;
        const uint32_t parts = 1U << parameters.bits;
        const double metric = parts * GetBytes(parameters, time) / full;
        return static_cast<uint8_t>(std::min(metric, parts - 1.0));
    }

  private:
    double m_bytes{0};   //!< the register
    int64_t m_period{0}; //!< number of the period in which it was set
};

} // namespace aifabric
} // namespace ns3

#endif /* DISCOUNTING_RATE_H */
