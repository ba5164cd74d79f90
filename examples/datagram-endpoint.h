/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATAGRAM_ENDPOINT_H
#define DATAGRAM_ENDPOINT_H

#include "ns3/data-rate.h"
#include "ns3/endpoint.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Unreliable datagrams with a sequence number. One end sends as fast as its rate allows, the other
 * counts what comes and what is missing. Nothing is acknowledged and nothing is sent again.
 *
 * **Conservation**: sent = received + missing + sent after the last one that came.
 */
class DatagramEndpoint : public Endpoint
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param host the host index of the other end  @param number its number there
    void Connect(uint32_t host, uint32_t number);

    /// Send datagrams, after those that are not sent yet.  @param datagrams how many
    void Send(uint64_t datagrams);

    /// @return datagrams sent
    uint64_t GetSent() const;

    /// @return datagrams received
    uint64_t GetReceived() const;

    /// @return datagrams that have not come though a later one has: lost, or overtaken
    uint64_t GetMissing() const;

    /// @return datagrams that came after a later one
    uint64_t GetReordered() const;

    void Install(RoceNetDevice* nic, uint32_t number, int64_t stream) override;
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
    RoceNetDevice* m_nic{nullptr}; //!< the NIC
    uint32_t m_number{0};          //!< its number there
    uint32_t m_peerHost{0};        //!< host index of the other end
    uint32_t m_peerNumber{0};      //!< its number there
    uint32_t m_payload{0};         //!< bytes of a datagram
    uint8_t m_dscp{0};             //!< of a datagram
    bool m_sprays{false};          //!< each datagram takes another source port
    DataRate m_rate;               //!< headers and gaps included
    int64_t m_nextTime{0};         //!< when the rate allows the next one, in picoseconds
    uint64_t m_turn{0};            //!< its place at the NIC
    uint64_t m_posted{0};          //!< datagrams to be sent
    uint64_t m_sent{0};            //!< of these, sent
    uint64_t m_received{0};        //!< datagrams received
    uint64_t m_reordered{0};       //!< of these, after a later one
    uint64_t m_expected{0};        //!< the number after the highest that has come
};

} // namespace aifabric
} // namespace ns3

#endif /* DATAGRAM_ENDPOINT_H */
