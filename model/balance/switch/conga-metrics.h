/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGA_METRICS_H
#define CONGA_METRICS_H

#include "ns3/conga-tag.h"

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
 * The metrics of the paths between a leaf and all others, as CONGA keeps them (Alizadeh et al.,
 * SIGCOMM 2014, section 3.3). What packets to a leaf have met comes back as feedback of that one
 * (Congestion-To-Leaf table). What packets from a leaf have met waits here until a packet to it
 * carries it back (Congestion-From-Leaf table).
 */
class CongaMetrics
{
  public:
    /**
     * Forget everything.
     *
     * @param leaves how many there are
     * @param uplinks of this leaf
     * @param othersUplinks the most that another one has
     * @param ageing after how long without feedback a metric is halved, in picoseconds
     */
    void Resize(uint32_t leaves, uint32_t uplinks, uint32_t othersUplinks, int64_t ageing);

    /// A packet has come from another leaf.  @param leaf number of that leaf  @param tag what it
    /// carries
    /// @param now the current time, in picoseconds
    void Receive(uint32_t leaf, const CongaTag& tag, int64_t now);

    /**
     * Give feedback to a leaf: one metric a packet, in turn, those first that have changed since
     * they were given.
     *
     * @param leaf number of that leaf
     * @param tag gets the feedback, if there is any
     */
    void GiveFeedback(uint32_t leaf, CongaTag& tag);

    /**
     * @param leaf another one
     * @param uplink of this leaf
     * @param now the current time, in picoseconds
     * @return metric of the path to it by that uplink; 0: not known. Without feedback it is halved
     * again and again, so that a path that was full is tried again.
     */
    uint32_t GetMetric(uint32_t leaf, uint32_t uplink, int64_t now) const;

  private:
    /// The metric of a path to another leaf.
    struct Sent
    {
        int64_t time{0};   //!< of the feedback, in picoseconds
        uint8_t metric{0}; //!< as the other leaf has said
    };

    /// The metric of a path from another leaf.
    struct Received
    {
        uint8_t metric{0};      //!< of its last packet
        bool isKnown{false};    //!< there was a packet
        bool hasChanged{false}; //!< since it was given as feedback
    };

    /// @return the uplink of a leaf whose metric is to be given next
    std::optional<uint32_t> FindNext(uint32_t leaf) const;

    uint32_t m_uplinks{0};            //!< of this leaf
    uint32_t m_othersUplinks{0};      //!< the most that another one has
    int64_t m_ageing{1};              //!< in picoseconds
    std::vector<Sent> m_sent;         //!< by leaf and uplink of this one
    std::vector<Received> m_received; //!< by leaf and uplink of that one
    std::vector<uint32_t> m_turn;     //!< by leaf: the uplink from which on the next is looked for
};

} // namespace aifabric
} // namespace ns3

#endif /* CONGA_METRICS_H */
