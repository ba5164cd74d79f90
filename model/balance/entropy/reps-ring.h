/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPS_RING_H
#define REPS_RING_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The memory of REPS (arXiv 2407.21625) as uet-htsim has it (buffer_reps.h, uec_mp.cpp): a ring of
 * the labels whose packets were acknowledged without a mark. Each is used once, or as often as is
 * set, the oldest first.
 *
 * When the retransmission timer expires the ring is frozen: for some time its labels are used in
 * turn, used or not, instead of new ones. It thaws with the first feedback after that, empty, and
 * then a number of packets explore.
 */
class RepsRing
{
  public:
    /// The parameters.
    struct Parameters
    {
        uint32_t slots{8};        //!< labels that it remembers
        int64_t freezingTime{0};  //!< how long it is frozen at least, in any unit of time
        uint32_t exploration{16}; //!< packets that take new labels when it has thawed
        uint16_t uses{1};         //!< how often a label is used that was remembered once
    };

    /// Create an empty ring.
    explicit RepsRing(const Parameters& parameters);

    /// @return the label of the next packet; nothing: a new one is to be drawn
    std::optional<uint16_t> Next();

    /**
     * A packet was acknowledged.
     */
    void Acked(uint16_t label, bool marked, int64_t now);

    /**
     * The retransmission timer expired.
     *
     * @param mayFreeze whether the ring may be frozen
     * @return whether the ring was frozen because of that
     */
    bool TimerExpired(int64_t now, bool mayFreeze = true);

    /// @return whether it is frozen
    bool IsFrozen() const;

    /// @return how many packets took one of its labels
    uint64_t GetUses() const;

    /// @return how often it was frozen
    uint64_t GetFreezes() const;

    /// @return how often it has thawed
    uint64_t GetThaws() const;

  private:
    /// A remembered label.
    struct Slot
    {
        uint16_t label{0}; //!< the label
        uint16_t left{0};  //!< uses that are left; the slot is valid if there are any
    };

    /// @return the label of a slot, which is used now  @param left uses that are left then
    uint16_t Use(Slot& slot, uint16_t left);

    /// Thaw if it is time.
    void MayThaw(int64_t now);

    Parameters m_parameters;   //!< the parameters
    std::vector<Slot> m_slots; //!< the ring
    uint32_t m_head{0};        //!< where the next label goes
    uint32_t m_count{0};       //!< slots that were ever filled
    uint32_t m_valid{0};       //!< slots that are valid
    uint32_t m_exploring{0};   //!< packets that take new labels
    uint32_t m_frozenNext{0};  //!< whose turn it is while frozen
    bool m_isFrozen{false};    //!< whether it is frozen
    int64_t m_thawAt{0};       //!< it is frozen until after this time
    uint64_t m_uses{0};        //!< packets that took one of its labels
    uint64_t m_freezes{0};     //!< how often it was frozen
    uint64_t m_thaws{0};       //!< how often it has thawed
};

} // namespace aifabric
} // namespace ns3

#endif /* REPS_RING_H */
