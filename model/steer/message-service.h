/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_SERVICE_H
#define MESSAGE_SERVICE_H

#include "empty-messages.h"
#include "flow.h"
#include "message-carrier.h"
#include "node-fabric.h"

#include "ns3/object.h"
#include "ns3/policy-counters.h"
#include "ns3/roce-net-device.h"
#include "ns3/traced-callback.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Sends messages and gets callbacks when they arrive and complete.
class MessageUser
{
  public:
    virtual ~MessageUser() = default;

    /// All of a message has come.  @param message its number
    virtual void MessageReceived(uint32_t message) = 0;

    /// All of a message is acknowledged.  @param message its number
    virtual void MessageCompleted(uint32_t message) = 0;
};

/**
 * @ingroup ai-fabric
 *
 * Carries messages from host to host, and keeps a record of each. Its carrier (MessageCarrier)
 * sends a message in pieces; the service puts the pieces together at the other end, in whatever
 * order they come. Without another carrier, the steering of the sending host (MessageSteering)
 * divides a message, and says which queue pairs and paths the pieces take.
 *
 * A piece is an RDMA write whose remote key is the number of its message; or, if it is longer than
 * the attribute MaxMessageBytes, several after one another on its queue pair.
 *
 * A read (Flow::isRead) is asked for by its destination; its source then sends the pieces. It is
 * complete when it has come. Within a node, and without a byte, it is a write.
 *
 * **Conservation**: the bytes of the pieces of a message are the bytes of the message.
 */
class MessageService : public Object
{
  public:
    /// The most messages of a run.
    static constexpr uint64_t MAX_MESSAGES = uint64_t{1} << 32;
    /// The most pieces of a message.
    static constexpr uint64_t MAX_PIECES = std::numeric_limits<uint32_t>::max();
    /// The longest RDMA write, in bytes: what InfiniBand allows for a message of a reliable
    /// connection; RETH has 32 bits for its length.
    static constexpr uint64_t LONGEST_WRITE = uint64_t{1} << 31;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MessageService();
    ~MessageService() override;

    /// Use another carrier, such as ReceiverAdmission. To be called before Install().
    void SetCarrier(Ptr<MessageCarrier> carrier);

    /**
     * Take the NICs, and install the carrier. To be called once.
     *
     * @param nics the NICs, by host
     */
    void Install(const std::vector<Ptr<RoceNetDevice>>& nics);

    /**
     * Serve a user that divides messages: numbers of messages that are completed are given to new
     * ones of the same source, so that memory is needed only for those under way, and each RDMA
     * write carries immediate data if the transport can do that (RcQueuePair). To be called before
     * Install().
     */
    void CarryChunks();

    /**
     * Assign fixed random streams to the carrier.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Have messages between GPUs of one node go beside the network: their steering never gets them.
     * To be called before any message is added.
     *
     * @param fabric carries them; the service installs it
     * @param nodes which hosts are the GPUs of one node
     */
    void SetNodeFabric(Ptr<NodeFabric> fabric, const GpuNodes& nodes);

    /**
     * Say that messages will be sent from hosts that this rank simulates.
     *
     * @param messages how many more
     */
    void Expect(uint64_t messages);

    /**
     * Take note of a message that is to be sent.
     *
     * @param flow the message
     * @param user gets the callbacks; may be null
     * @return its number
     */
    uint32_t Add(const Flow& flow, MessageUser* user = nullptr);

    /// @return whether it makes a difference that a receiver says which messages it awaits
    bool TakesReceives() const;

    /**
     * A message will be sent sometime: open the connections that it will use, as far as they are
     * known beforehand. Numbers of queue pairs are given in the order of opening.
     *
     * @param flow the message; its start does not matter
     */
    void Open(const Flow& flow);

    /**
     * A receiver is ready for a message that its sender will send sometime.
     *
     * @param flow the message; its start does not matter
     */
    void PostReceive(const Flow& flow);

    /**
     * Send a message. Where several ranks share a run, all call this for all messages.
     *
     * @param message its number
     */
    void Start(uint32_t message);

    /// Send a message whose start is now.  @param message its number
    void StartNow(uint32_t message);

    /**
     * Set what is called when a queue pair of the service fails. To be called before any message is
     * sent. Not for runs that several ranks share.
     *
     * @param failed called at each failure
     */
    void SetFailureCallback(const Callback<void>& failed);

    /**
     * Forget all messages that are not completed: their queue pairs, and all others, are aborted,
     * their callbacks are cleared, and they are not expected any more. The next messages take new
     * queue pairs, and the steerings begin anew. Not for runs that several ranks share.
     */
    void Abort();

    /// Add what the steerings have counted.  @param counters where
    void CountSteerings(PolicyCounters& counters) const;

    /// @return the NICs, by host
    const std::vector<Ptr<RoceNetDevice>>& GetNics() const;

    /// @return what became of the messages, by number
    const std::vector<FlowRecord>& GetRecords() const;

    /// @return the numbers of the messages of a range that were sent, by their starts and sources,
    /// and those of one source by the order in which it sent them
    /// @param first of the range  @param end the number that follows its last one
    std::vector<std::size_t> SortStarted(std::size_t first, std::size_t end) const;

    /// @return how many messages this rank is to complete: those of the hosts that it simulates and
    /// that are not of the background, which is not counted below either
    uint64_t GetExpected() const;

    /// @return how many of them have been started
    uint64_t GetStarted() const;

    /// @return how many of them are completed
    uint64_t GetCompleted() const;

    /// @return when the last of them was completed, in ps; 0: none was
    int64_t GetEndPs() const;

    /// @return the most queue pairs of one host that had something to send at any time
    uint32_t GetMostActive() const;

    /// @return a host's steering
    Ptr<MessageSteering> GetSteering(uint32_t host) const;

    // For the carrier

    /// @return a message  @param message its number
    const Flow& GetFlow(uint32_t message) const;

    /// @return the place of a message among those of its source  @param message its number
    uint64_t GetTurn(uint32_t message) const;

    /// @return whether it serves a user that divides messages
    bool CarriesChunks() const;

    /// Say of how many pieces a message is, before the first is posted.  @param message its number
    /// @param pieces at most MAX_PIECES
    void SetPieces(uint32_t message, uint64_t pieces);

    /// A piece of a message is one write more.  @param message its number
    void AddPiece(uint32_t message);

    /// The request of a read has come to its source.  @param message its number
    void RequestReceived(uint32_t message);

    /// A part of a message has come.  @param message its number  @param bytes length of the part
    void PartReceived(uint32_t message, uint64_t bytes);

    /// A piece of a message is acknowledged.  @param message its number
    void PartCompleted(uint32_t message);

    /**
     * Signature of the Received and Completed trace sources. A sink may add messages.
     *
     * @param message number of a message
     * @param record a copy of what became of it
     */
    typedef void (*RecordTracedCallback)(uint32_t message, const FlowRecord& record);

    /**
     * Signature of the AllCompleted trace source.
     */
    typedef void (*AllCompletedTracedCallback)();

  protected:
    void DoDispose() override;

  private:
    /// What is left of a message.
    struct Rest
    {
        uint64_t bytes{0};          //!< bytes that have not come
        uint64_t pieces{1};         //!< writes that are not acknowledged
        uint64_t turn{0};           //!< its place among the messages of its source
        MessageUser* user{nullptr}; //!< gets the callbacks
    };

    /// Numbers of the messages of a source: its place, from which all hosts take turns.
    struct Numbers
    {
        uint32_t taken{0};          //!< how many were given
        std::vector<uint32_t> free; //!< those that may be given again
    };

    /// @return whether the private fabric of a node carries it, and not the network
    /// @param flow a message
    bool IsInNode(const Flow& flow) const;

    /// @return the number of a new message
    uint32_t TakeNumber(uint32_t source);

    /// Clear the callbacks of messages that are not completed, and do not expect them any more.
    void ForgetPending();

    /// All of a message has come.  @param message its number
    void ReceiveMessage(uint32_t message);

    /// All of a message is acknowledged.  @param message its number
    void CompleteMessage(uint32_t message);

    /// One more message is completed.  @param ps when, in picoseconds
    void CountCompleted(int64_t ps);

    TypeId m_steeringType;                                       //!< of the hosts
    uint64_t m_maxBytes{0};                                      //!< of a write
    uint32_t m_maxReads{0};                                      //!< of two hosts, at a time
    bool m_carriesChunks{false};                                 //!< numbers are used again
    std::vector<Numbers> m_numbers;                              //!< of chunks, by source
    std::vector<Ptr<RoceNetDevice>> m_nics;                      //!< by host
    Ptr<MessageCarrier> m_carrier;                               //!< carries them over the network
    Ptr<NodeFabric> m_nodeFabric;                                //!< beside the network, or nullptr
    std::shared_ptr<EmptyMessages> m_empty;                      //!< carries those without a byte
    std::vector<FlowRecord> m_records;                           //!< by message
    std::vector<Rest> m_rests;                                   //!< by message
    uint64_t m_expected{0};                                      //!< messages that start here
    std::atomic<uint64_t> m_started{0};                          //!< messages started
    uint64_t m_completed{0};                                     //!< messages completed
    int64_t m_endPs{0};                                          //!< when the last of them was
    TracedCallback<uint32_t, const FlowRecord&> m_receivedTrace; //!< a message has come
    TracedCallback<uint32_t, const FlowRecord&> m_completedTrace; //!< a message is acknowledged
    TracedCallback<> m_allCompletedTrace;                         //!< all messages are acknowledged
};

} // namespace aifabric
} // namespace ns3

#endif /* MESSAGE_SERVICE_H */
