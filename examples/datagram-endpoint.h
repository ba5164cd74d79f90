/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATAGRAM_ENDPOINT_H
#define DATAGRAM_ENDPOINT_H

#include "ns3/data-rate.h"
#include "ns3/endpoint.h"

namespace ns3
{
namespace aifabric
{

class RoceNetDevice;

/**
 * @ingroup ai-fabric
 *
 * Unreliable datagrams with a sequence number. One end sends as fast as its rate allows, each
 * datagram from another UDP source port; the other end counts what comes and what is missing.
 * Nothing is acknowledged and nothing is retransmitted.
 *
 * **Conservation**: sent = received + missing + sent after the last one that came.
 */
class DatagramEndpoint : public Endpoint
{
  public:
    static constexpr uint16_t PAYLOAD = 4096; //!< length of a datagram, in bytes
    static constexpr uint8_t DSCP = 26;       //!< of datagrams

    uint64_t sent{0};      //!< datagrams sent
    uint64_t received{0};  //!< datagrams received
    uint64_t missing{0};   //!< datagrams not received though a later one was: lost, or overtaken
    uint64_t reordered{0}; //!< datagrams received after a later one

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param host the host index of the other end  @param number its number there
    void Connect(uint32_t host, uint32_t number)
    {
        m_peerHost = host;
        m_peerNumber = number;
    }

    /// Send datagrams, after those that are not sent yet.  @param datagrams how many
    void Send(uint64_t datagrams);

    // Sending

    void Install(EndpointNic* nic, uint32_t number, int64_t stream) override;
    uint8_t GetClass() const override;
    uint32_t GetPacketBytes() const override;
    void Fill(FabricFrame& frame, int64_t start) override;

    bool CanSend() const override
    {
        return sent < m_posted;
    }

    int64_t GetNextTime() const override
    {
        return m_nextTime;
    }

    uint64_t GetTurn() const override
    {
        return m_turn;
    }

    // Receiving

    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;

    // State

    void Describe(std::ostream& os) const override;

    uint64_t GetProgress() const override
    {
        return sent;
    }

  private:
    RoceNetDevice* m_nic{nullptr}; //!< the NIC
    uint32_t m_peerHost{0};        //!< host index of the other end
    uint32_t m_peerNumber{0};      //!< its number there
    DataRate m_rate;               //!< headers and gaps included
    int64_t m_nextTime{0};         //!< when the rate allows the next one, in picoseconds
    uint64_t m_turn{0};            //!< its place at the NIC
    uint64_t m_posted{0};          //!< datagrams to be sent
    uint64_t m_expected{0};        //!< the number after the highest that has come
};

} // namespace aifabric
} // namespace ns3

#endif /* DATAGRAM_ENDPOINT_H */
