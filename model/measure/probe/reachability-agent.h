/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REACHABILITY_AGENT_H
#define REACHABILITY_AGENT_H

#include "ns3/endpoint.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class ReachabilityProber;

class RoceNetDevice;

/**
 * @ingroup ai-fabric
 *
 * The part of a ReachabilityProber at one NIC: it sends probes, and answers those of others. A
 * probe is a SEND of no bytes that asks for an acknowledgement, and its answer is that
 * acknowledgement, in the queue of the same class; so both are RC packets.
 */
class ReachabilityAgent : public Endpoint
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ReachabilityAgent();

    /// @param prober receives the answers; outlives the agent
    explicit ReachabilityAgent(ReachabilityProber* prober);

    /// A probe to be sent.
    struct Probe
    {
        uint32_t host;    //!< where it goes
        uint32_t number;  //!< number of the agent there
        uint32_t round;   //!< number of the round, 24 bits
        uint32_t entropy; //!< chooses the path
        uint16_t plane;   //!< the port by which it leaves
        uint8_t dscp;     //!< its DSCP, and that of its answer
    };

    /// Send a probe now.
    void Send(const Probe& probe);

    /// @return its number at the NIC
    uint32_t GetNumber() const
    {
        return m_number;
    }

    void Install(EndpointNic* nic, uint32_t number, int64_t stream) override;
    bool CanSend() const override;
    int64_t GetNextTime() const override;
    uint8_t GetClass() const override;
    uint64_t GetTurn() const override;
    uint32_t GetPacketBytes() const override;
    void Fill(FabricFrame& frame, int64_t start) override;
    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;
    bool IsPending() const override;
    uint64_t GetProgress() const override;
    bool HasFailed() const override;
    void Describe(std::ostream& os) const override;

  private:
    /// Address a frame that another agent gets.  @param host where it goes
    /// @param number of the agent there  @param entropy chooses the path
    void Address(FabricFrame& frame, uint32_t host, uint32_t number, uint32_t entropy) const;

    ReachabilityProber* m_prober{nullptr}; //!< receives the answers
    RoceNetDevice* m_nic{nullptr};         //!< its NIC
    uint32_t m_number{0};                  //!< its number there
};

} // namespace aifabric
} // namespace ns3

#endif /* REACHABILITY_AGENT_H */
