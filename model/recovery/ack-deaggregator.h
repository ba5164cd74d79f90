/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACK_DEAGGREGATOR_H
#define ACK_DEAGGREGATOR_H

#include "ack-report.h"
#include "psn-window.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Undoes the coalescing of acknowledgements at the sender (QueuePair attribute AckDeaggregation):
 * it finds the packets that a report acknowledges and none before did, besides the packet that
 * triggered the report.
 *
 * A report may overtake an earlier one, and cover the packet that triggered it. So it also
 * remembers the transmissions of the last covered packets.
 */
class AckDeaggregator
{
  public:
    /**
     * Take the packets that are acknowledged now.
     *
     * @param acknowledged the first packet that is not acknowledged: all before it are
     * @return the packets, in order, that are acknowledged for the first time
     */
    std::vector<uint64_t> Take(uint64_t acknowledged)
    {
        std::vector<uint64_t> newlyAcked;
        for (uint64_t number = m_reported.GetBase(); number < acknowledged; ++number)
        {
            Note(number, newlyAcked);
        }
        return newlyAcked;
    }

    /**
     * The same with the bitmap of the report.
     *
     * @param acknowledged the first packet that is not acknowledged
     * @param sent packets that were sent at least once
     * @param trigger the packet that triggered the report, which is not among those returned
     * @return the packets, in order, that are acknowledged for the first time
     */
    std::vector<uint64_t> Take(uint64_t acknowledged,
                               uint64_t sent,
                               uint64_t trigger,
                               const AckReport& report)
    {
        m_reported.Insert(trigger);
        std::vector<uint64_t> newlyAcked = Take(acknowledged);
        const int64_t first = PsnWindow::Unwrap(report.bitmapPsn, acknowledged);
        for (uint64_t bits = report.bitmap; bits != 0; bits &= bits - 1)
        {
            const int64_t number = first + __builtin_ctzll(bits);
            if (number >= 0 && static_cast<uint64_t>(number) < sent)
            {
                Note(number, newlyAcked);
            }
        }
        return newlyAcked;
    }

    /// A packet was reported because another one's acknowledgement covers it.
    /// @param number the packet  @param entropy of the transmission that was reported
    void NoteCovered(uint64_t number, uint32_t entropy)
    {
        if (m_covered.empty())
        {
            m_covered.resize(KEPT); // only now: many queue pairs never cover a packet
        }
        m_covered[number % KEPT] = {static_cast<uint32_t>(number), entropy};
    }

    /// @return whether NoteCovered() was called for a transmission, and for no packet since that is
    /// a multiple of KEPT away
    bool WasCovered(uint64_t number, uint32_t entropy) const
    {
        if (m_covered.empty())
        {
            return false;
        }
        const Covered& covered = m_covered[number % KEPT];
        return covered.number == static_cast<uint32_t>(number) && covered.entropy == entropy;
    }

  private:
    static constexpr uint32_t KEPT = 512; //!< packets; an overtaken report is less than that late

    /// A packet that another one's acknowledgement covers.
    struct Covered
    {
        uint32_t number{UINT32_MAX}; //!< the packet, modulo 2^32
        uint32_t entropy{0};         //!< of the transmission that was reported
    };

    /// Note a packet.  @param number the packet  @param newlyAcked where, if it is new
    void Note(uint64_t number, std::vector<uint64_t>& newlyAcked)
    {
        if (m_reported.Insert(number))
        {
            newlyAcked.push_back(number);
        }
    }

    PsnWindow m_reported;           //!< packets whose acknowledgement the balancer knows
    std::vector<Covered> m_covered; //!< the last ones, by number modulo KEPT; none: no packet yet
};

} // namespace aifabric
} // namespace ns3

#endif /* ACK_DEAGGREGATOR_H */
