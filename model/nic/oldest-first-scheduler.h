/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OLDEST_FIRST_SCHEDULER_H
#define OLDEST_FIRST_SCHEDULER_H

#include "endpoint-scheduler.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Oldest first: the endpoint sends whose next packet belongs to the message that the NIC was
 * given before those of the others, as in the ring runs of Ethereal's public simulator (arXiv
 * 2407.00550). Endpoints with pieces of one message take turns, a packet each. A retransmitted
 * packet is as old as its message.
 *
 * A message waits only for messages that were posted before it, so none waits for ever. A queue
 * pair whose window is closed, or whose rate does not allow a packet yet, does not stand in line
 * and lets others go first.
 */
class OldestFirstScheduler : public EndpointScheduler
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Reorder(Endpoint* endpoint) override;

  private:
    /// An endpoint in line.
    struct Place
    {
        uint64_t turn;      //!< Endpoint::GetTurn() then
        Endpoint* endpoint; //!< the endpoint
    };

    /// The oldest at the end, where it costs least to take it out and to put it back.
    using Line = std::vector<Place>;

    /// @return the front of a line
    static Front FrontOf(const Line& line);

    /// @return the place of a turn, or where it would be
    static Line::iterator Find(Line& line, uint64_t turn);

    void Insert(uint8_t trafficClass, Endpoint* endpoint) override;
    Front Peek(uint8_t trafficClass) const override;
    void Prefetch(uint8_t trafficClass) const override;
    Front RemoveFirst(uint8_t trafficClass) override;
    uint32_t Count(uint8_t trafficClass) const override;

    std::array<Line, 8> m_lines;                           //!< by class
    std::unordered_map<const Endpoint*, uint64_t> m_turns; //!< by which each was put in line
};

} // namespace aifabric
} // namespace ns3

#endif /* OLDEST_FIRST_SCHEDULER_H */
