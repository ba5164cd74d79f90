/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEERED_CARRIER_H
#define STEERED_CARRIER_H

#include "connection-table.h"
#include "host-steerings.h"
#include "message-carrier.h"
#include "message-service.h"
#include "piece-carrier.h"

#include "ns3/read-slots.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries messages as the steering of the sending host (MessageSteering) divides them: each piece
 * is an RDMA write, or several after one another, on a queue pair that the steering names. A read
 * is asked for on the first of these.
 */
class SteeredCarrier : public MessageCarrier, public PieceCarrier
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param steeringType of the hosts  @param maxBytes the longest RDMA write, in bytes
    /// @param maxReads between two hosts that are asked for at a time
    SteeredCarrier(TypeId steeringType, uint64_t maxBytes, uint32_t maxReads);
    ~SteeredCarrier() override;

    void Install(MessageService& service) override;
    void Open(const Flow& flow) override;
    void Carry(uint32_t message) override;
    void Ask(uint32_t message) override;
    void ReadReceived(uint32_t message) override;
    int64_t AssignStreams(int64_t stream) override;
    void SetFailureCallback(const Callback<void>& failed) override;
    void Abort() override;
    void Count(PolicyCounters& counters) const override;
    uint32_t GetMostActive() const override;
    Ptr<MessageSteering> GetSteering(uint32_t host) const override;

    MessageService& GetService() const override
    {
        return *m_service;
    }

    uint32_t Post(uint32_t message, uint64_t bytes, uint32_t lane) override;
    void PostAlone(uint32_t message, uint64_t bytes, const Prepare& prepare) override;

  protected:
    void DoDispose() override;

  private:
    /// The queue pairs of a host that have something to send.
    struct Activity
    {
        uint32_t now{0};  //!< how many there are
        uint32_t most{0}; //!< how many there were at most
    };

    /// Post a piece.  @param queuePair where  @param bytes its length
    void PostOn(const Ptr<QueuePair>& queuePair, uint32_t message, uint64_t bytes);

    /// Note that a host is about to post on a queue pair.
    void CountActive(uint32_t host, const QueuePair& queuePair);

    /// Send the request of a read.  @param message its number
    void PostRequest(uint32_t message);

    /// @return by what ReadSlots knows the connection of a read
    static uint64_t SlotOf(const Flow& flow);

    /// A piece was received, or a request.  @param queuePair the receiving end  @param bytes its
    /// length
    void PieceReceived(Ptr<QueuePair> queuePair, uint64_t bytes, uint32_t message);

    /// A piece was acknowledged, or a request.  @param queuePair where it was posted  @param bytes
    /// its length
    void PieceCompleted(Ptr<QueuePair> queuePair, uint64_t bytes, uint32_t message);

    uint64_t m_maxBytes;                            //!< of a write
    uint32_t m_maxReads;                            //!< of two hosts, asked for at a time
    std::vector<ReadSlots> m_reads;                 //!< by host that asks
    MessageService* m_service{nullptr};             //!< has the messages
    HostSteerings m_steerings;                      //!< divide messages into pieces
    std::unique_ptr<ConnectionTable> m_connections; //!< between the hosts
    std::vector<Activity> m_activities;             //!< by host
};

} // namespace aifabric
} // namespace ns3

#endif /* STEERED_CARRIER_H */
