/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROBE_AGENT_H
#define PROBE_AGENT_H

#include "ns3/endpoint.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricProber;

class RoceNetDevice;

/**
 * @ingroup ai-fabric
 *
 * The part of a FabricProber at one NIC: it sends probes, which come back to it. Probes are EV
 * probe requests of MRC (MrcCodec).
 */
class ProbeAgent : public Endpoint
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ProbeAgent();

    /// @param prober gets the probes that come back; outlives the agent
    explicit ProbeAgent(FabricProber* prober);

    /// A probe to be sent.
    struct Probe
    {
        uint16_t plane;       //!< the port by which it leaves
        uint32_t destination; //!< where it would go if no switch turned it around
        uint32_t label;       //!< of its path
        uint32_t round;       //!< number of the round, 24 bits
        uint8_t dscp;         //!< its DSCP
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
    FabricProber* m_prober{nullptr}; //!< gets the probes that come back
    RoceNetDevice* m_nic{nullptr};   //!< its NIC
    uint32_t m_number{0};            //!< its number there
};

} // namespace aifabric
} // namespace ns3

#endif /* PROBE_AGENT_H */
