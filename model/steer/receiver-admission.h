/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECEIVER_ADMISSION_H
#define RECEIVER_ADMISSION_H

#include "connection-table.h"
#include "grant-table.h"
#include "message-carrier.h"
#include "message-service.h"

#include "ns3/data-rate.h"
#include "ns3/duration-samples.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A carrier whose receivers admit what is sent to them, as collective libraries do (NCCL).
 * A receiver has a number of slots for each channel of each sender. It sends a clear-to-send (CTS)
 * for a chunk when slots are free, and the sender sends one chunk for each CTS. The slots are free
 * again when the receiver has copied the chunk out of them.
 *
 * A chunk is a message of a MessageService below, so every steering and transport can carry it, and
 * its last packet has immediate data. A CTS is an RDMA write of 64 bytes on a queue pair of its
 * own, which has a DSCP of its own. Sender and receiver know of each other by these two, and a
 * receiver learns from the proxy of a sender that it has chunks, no sooner than by a link.
 *
 * **Law**: the bytes of a channel between two hosts that are sent and not acknowledged, and those
 * that are granted and not copied, are each at most `Slots` times `SlotBytes`.
 */
class ReceiverAdmission : public MessageCarrier, private MessageUser
{
  public:
    /// Length of a CTS, in bytes: an entry of NCCL's table of them.
    static constexpr uint64_t CTS_BYTES = 64;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ReceiverAdmission();
    ~ReceiverAdmission() override;

    void Install(MessageService& service) override;
    void Open(const Flow& flow) override;
    void Carry(uint32_t message) override;
    int64_t AssignStreams(int64_t stream) override;
    bool TakesReceives() const override;
    void PostReceive(const Flow& flow) override;
    void SetFailureCallback(const Callback<void>& failed) override;
    void Abort() override;
    void Count(PolicyCounters& counters) const override;

    uint32_t GetMostActive() const override
    {
        return m_chunks->GetMostActive();
    }

    Ptr<MessageSteering> GetSteering(uint32_t host) const override;

    /// @return bytes of a chunk: of SliceSteps slots
    uint64_t GetChunkBytes() const
    {
        return m_sliceSteps * m_slotBytes;
    }

    /// @return chunks of a message  @param bytes its length
    uint64_t CountChunks(uint64_t bytes) const
    {
        return (bytes + GetChunkBytes() - 1) / GetChunkBytes();
    }

    /// @return the most bytes of a channel that were sent and not acknowledged at any time
    uint64_t GetMostInFlight() const
    {
        return m_mostInFlight;
    }

    /// @return the most bytes that a receiver had granted at any time
    uint64_t GetMostGranted() const;

    /// @return whether the attributes fit together: a chunk fits into the slots and into
    /// GlobalGrant
    bool IsPossible() const;

  protected:
    void DoDispose() override;

  private:
    /// What is left to send of a message.
    struct Part
    {
        uint32_t message; //!< the message
        uint64_t bytes;   //!< bytes that were not sent
    };

    /// A channel from a host to another.
    struct Channel
    {
        uint32_t source{0};            //!< the sending host
        uint32_t destination{0};       //!< the receiving host
        std::deque<Part> waiting;      //!< at the sender: what is to be sent
        uint32_t credits{0};           //!< at the sender: CTS that were not used
        uint32_t pending{0};           //!< at the sender: chunks that are not acknowledged
        uint64_t pendingBytes{0};      //!< at the sender: their length
        int64_t readyPs{0};            //!< at the sender: since when the next chunk is the first
        std::deque<int64_t> grantedPs; //!< when the CTS under way were sent
    };

    /// A chunk that was given to the service below.
    struct Chunk
    {
        uint32_t message{0}; //!< of which message it is
        uint32_t channel{0}; //!< on which channel it goes
    };

    void MessageReceived(uint32_t number) override;
    void MessageCompleted(uint32_t number) override;

    /// Begin without any channel.
    void Reset();

    /// @return the number of the channel of a message  @param flow the message
    uint32_t FindChannel(const Flow& flow);

    /// @return the delay of what a proxy does next  @param ps until there is a reason, in ps
    Time ProxyDelay(int64_t ps) const;

    /// Have a receiver send CTS when its proxy has noticed that some are due.
    void ScheduleGrants(uint32_t host);

    /// Have a receiver learn that a sender has chunks.
    void ReportStart(uint32_t channel, uint64_t chunks);

    /// A receiver learns which senders have chunks.  @param era of their messages
    void StartsDue(uint32_t host, uint32_t era);

    /// A receiver's proxy has noticed that CTS are due.
    /// @param era of the messages for which they are
    void GrantDue(uint32_t host, uint32_t era);

    /// A receiver has copied a chunk.  @param era of its message
    void ChunkCopied(uint32_t channel, uint32_t era);

    /// Send all CTS that may be sent.  @param host the receiver
    void SendGrants(uint32_t host);

    /// A CTS has come.  @param queuePair where  @param bytes its length
    void CtsReceived(Ptr<QueuePair> queuePair, uint64_t bytes, uint32_t channel);

    /// A sender takes up the chunks for which it has CTS.
    void TakeUp(uint32_t channel);

    /// A sender's proxy sends a chunk.  @param part the chunk  @param era of its message
    void SendChunk(uint32_t channel, Part part, uint32_t era);

    /// What a receiver will learn: when, in picoseconds, and of how many chunks of which channel.
    using StartReport = std::tuple<int64_t, uint32_t, uint64_t>;

    uint32_t m_slots{0};      //!< of a channel
    uint64_t m_slotBytes{0};  //!< bytes of a slot
    uint32_t m_sliceSteps{0}; //!< slots of a chunk
    uint64_t m_globalGrant{}; //!< bytes that a receiver may grant; 0: no limit
    DataRate m_copyRate;      //!< of copies out of slots
    Time m_proxyLatency;      //!< until a proxy acts
    uint8_t m_ctsDscp{0};     //!< of CTS

    MessageService* m_service{nullptr};                 //!< has the messages
    Ptr<MessageService> m_chunks;                       //!< carries the chunks
    std::unique_ptr<ConnectionTable> m_ctsConnections;  //!< carry the CTS
    std::unordered_map<uint64_t, uint32_t> m_channelOf; //!< by hosts, channel and order
    std::deque<Channel> m_channels;                     //!< by number
    std::vector<GrantTable> m_grants;                   //!< by receiver
    std::vector<bool> m_isGrantDue;                     //!< by receiver
    std::vector<std::multiset<StartReport>> m_starts;   //!< by receiver
    std::vector<int64_t> m_copiesEndPs;                 //!< by receiver: when copies are done
    std::vector<Chunk> m_chunkOf;                       //!< by number in the service below
    uint32_t m_era{0};                                  //!< how often messages were aborted
    uint32_t m_mostGranted{0};                          //!< of a receiver, before an abort
    uint64_t m_mostInFlight{0};                         //!< bytes of a channel
    DurationSamples m_ctsTimes;                         //!< travel times of CTS
    DurationSamples m_waits;                            //!< times that chunks waited for a CTS
};

} // namespace aifabric
} // namespace ns3

#endif /* RECEIVER_ADMISSION_H */
