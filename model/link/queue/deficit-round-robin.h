/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEFICIT_ROUND_ROBIN_H
#define DEFICIT_ROUND_ROBIN_H

#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * Deficit round robin over the queues of a port (Shreedhar and Varghese, "Efficient Fair Queuing
 * Using Deficit Round-Robin", IEEE/ACM Transactions on Networking 4(3), 1996), for frames whose
 * length is known only when they are sent.
 *
 * The queues have turns, in a fixed order. At its turn, the deficit of a queue grows by its weight
 * times the quantum. The queue sends frames as long as its deficit is above zero, and each frame
 * is subtracted from it. So the last frame of a turn may leave a debt, which the next turns pay
 * first; the original pays before the frame, and has to know its length. A queue that cannot send
 * (it is empty, or PFC pauses it) when another frame is chosen loses what is left of its deficit,
 * but keeps its debt.
 *
 * **Law.** With quantum q and frames of at most L bytes, let S be the bytes that a queue of weight
 * w sends in any time in which it can always send. For each two queues in that time,
 * |S1 / w1 - S2 / w2| <= 3 q + L / w1 + L / w2: each has had the same number of turns but for one,
 * and a deficit is between -L and w q. If any queue can send, one is chosen.
 */
class DeficitRoundRobin
{
  public:
    static constexpr uint8_t QUEUES = 8; //!< queues of a port

    /// @param weights by queue, each at least 1
    void SetWeights(const std::array<uint32_t, QUEUES>& weights);

    /// @return weights by queue
    const std::array<uint32_t, QUEUES>& GetWeights() const;

    /// @param bytes that a queue of weight 1 may send at each turn, at least 1
    void SetQuantum(uint32_t bytes);

    /// @return bytes that a queue of weight 1 may send at each turn
    uint32_t GetQuantum() const;

    /**
     * Choose the queue of the next frame.
     *
     * @param ready bit q set: queue q can send; not 0
     * @return one of these queues
     */
    uint8_t Choose(uint8_t ready);

    /// The chosen queue sends a frame.  @param bytes bytes of the frame
    void Charge(uint8_t queue, uint32_t bytes);

    /// @return bytes that a queue may still send at this turn; below 0: its debt
    int64_t GetDeficit(uint8_t queue) const;

  private:
    /// Give turns until one of the queues may send.  @param ready as in Choose()
    void GiveTurns(uint8_t ready);

    /// @return bytes that a queue may send at each turn
    int64_t GetShare(uint8_t queue) const
    {
        return int64_t{m_weights[queue]} * m_quantum;
    }

    std::array<uint32_t, QUEUES> m_weights{1, 1, 1, 1, 1, 1, 1, 1}; //!< by queue
    std::array<int64_t, QUEUES> m_deficits{};                       //!< by queue, in bytes
    uint32_t m_quantum{4096};                                       //!< of weight 1, in bytes
    uint8_t m_current{QUEUES - 1};                                  //!< whose turn it is
};

} // namespace aifabric
} // namespace ns3

#endif /* DEFICIT_ROUND_ROBIN_H */
