/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_STEERINGS_H
#define HOST_STEERINGS_H

#include "message-steering.h"
#include "piece-carrier.h"

#include "ns3/policy-counters.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The steerings of all hosts, one each.
 */
class HostSteerings
{
  public:
    /// @param type of the steerings  @param carrier carries the pieces; must outlive this
    HostSteerings(TypeId type, PieceCarrier& carrier);
    ~HostSteerings();
    HostSteerings(const HostSteerings&) = delete;
    HostSteerings& operator=(const HostSteerings&) = delete;

    /// Give each host one.  @param hosts how many there are
    void Make(uint32_t hosts);

    /// Give each host a new one, with the same random stream.
    void Restart();

    /// Dispose of all of them.
    void Clear();

    /// Assign fixed random streams.  @param stream the first stream index to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Add what they have counted, also before the last Restart().  @param counters where
    void Count(PolicyCounters& counters) const;

    /// @return whether they know the lanes of a message before it is sent
    bool KnowLanes() const
    {
        return m_knowLanes;
    }

    /// @return the steering of a host
    const Ptr<MessageSteering>& Get(uint32_t host) const
    {
        return m_steerings.at(host);
    }

  private:
    TypeId m_type;                                 //!< of the steerings
    PieceCarrier& m_carrier;                       //!< carries the pieces
    std::vector<Ptr<MessageSteering>> m_steerings; //!< by host
    PolicyCounters m_retired;                      //!< what those of before have counted
    int64_t m_stream{-1};                          //!< the first random stream
    bool m_knowLanes{false};                       //!< lanes are known beforehand
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_STEERINGS_H */
