/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_AR_BALANCER_H
#define SWITCH_AR_BALANCER_H

#include "least-choice.h"
#include "switch-balancer.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Adaptive routing in the switch with quantised queues (arXiv 2507.21372, table 2, "Switch Pkt
 * AR"): each packet takes a random one of the next hops whose queues are of the lowest level. The
 * level of a queue is how many of three shares of the port's buffer it has reached; the packet in
 * transmission counts.
 */
class SwitchArBalancer : public SwitchBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SwitchArBalancer();

    void SetSite(const SwitchSite& site) override;
    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int64_t AssignStreams(int64_t stream) override;

    /// @return the level of a queue  @param bytes its length
    uint32_t GetLevel(uint64_t bytes) const
    {
        uint32_t level = 0;
        for (const uint64_t threshold : m_thresholds)
        {
            level += bytes >= threshold ? 1 : 0;
        }
        return level;
    }

  protected:
    void DoInitialize() override;

  private:
    /// What the switch believes of a port.
    struct Reading
    {
        int64_t validUntil{0}; //!< when it is to be read again, in picoseconds
        uint32_t level{0};     //!< the level of its queue
    };

    /// @return the level of a port's queue
    uint32_t ReadLevel(FabricTransmitter& port, int64_t now) const;

    /// @return the same, maybe as it was some time ago
    uint32_t RecallLevel(FabricTransmitter& port, int64_t now);

    double m_low{0};                        //!< share of the buffer where level 1 begins
    double m_middle{0};                     //!< share of the buffer where level 2 begins
    double m_high{0};                       //!< share of the buffer where level 3 begins
    Time m_refresh;                         //!< least time between two readings of a port
    uint32_t m_bufferBytes{800000};         //!< the port's buffer
    std::array<uint64_t, 3> m_thresholds{}; //!< where the levels begin, in bytes
    std::vector<Reading> m_readings;        //!< by port
    Ptr<UniformRandomVariable> m_random;    //!< breaks ties
    LeastChoice m_lowest;                   //!< the queues of the lowest level
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCH_AR_BALANCER_H */
