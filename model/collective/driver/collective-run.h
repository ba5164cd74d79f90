/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_RUN_H
#define COLLECTIVE_RUN_H

#include "collective-work.h"

#include "ns3/message-service.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Which message of a collective a message is.
struct MessageOrigin
{
    static constexpr uint32_t NONE = UINT32_MAX; //!< it belongs to no collective

    uint32_t collective{NONE}; //!< index of the collective, in the order in which they begin
    uint32_t slice{0};         //!< the part of the data: channel times lanes, plus lane
    uint32_t step{0};          //!< the step of the receiver that waits for it
    uint32_t sender{0};        //!< rank
    uint32_t receiver{0};      //!< rank
};

/**
 * @ingroup ai-fabric
 *
 * One collective on its way by messages: for each rank a state machine that the messages drive
 * which come to its host. A rank knows nothing of others but what they send, and what is kept of a
 * rank is its host's alone: hosts may run on several threads (WindowSimulator).
 *
 * A rank is done when all that it awaits has come and all that it sent is acknowledged.
 */
class CollectiveRun : public MessageUser, public CollectiveWork
{
  public:
    /**
     * Add all its messages to a service.
     *
     * @param spec what it is
     * @param index its number
     * @param service carries its messages
     * @param origins where it says which messages are its own; by message
     * @param done called for each rank that is done
     * @throws std::invalid_argument if the algorithm cannot do it
     */
    CollectiveRun(const CollectiveSpec& spec,
                  uint32_t index,
                  Ptr<MessageService> service,
                  std::vector<MessageOrigin>& origins,
                  RankDone done);

    /// @param extent how much it is to move, for its record
    void SetExtent(const CollectiveExtent& extent);

    void Start(uint32_t rank) override;
    CollectiveRecord GetRecord() const override;
    void MessageReceived(uint32_t message) override;
    void MessageCompleted(uint32_t message) override;

  private:
    /// What a rank does in a slice.
    struct Slice
    {
        uint32_t step{0};              //!< the current step
        uint32_t awaited{0};           //!< messages that end it
        uint32_t next{0};              //!< number of the message that it sends next
        std::vector<uint32_t> arrived; //!< messages that have come, by step
    };

    /// What a rank does.
    struct Rank
    {
        int64_t startPs{-1};        //!< when it began
        int64_t donePs{-1};         //!< when it was done
        uint32_t unfinished{0};     //!< slices that are not finished
        uint64_t unacknowledged{0}; //!< messages sent and not acknowledged
        std::vector<Slice> slices;  //!< by number; empty before the first message and when done
    };

    /// @return the number of steps of a rank in a slice
    uint32_t CountSteps(uint32_t rank, uint32_t slice) const;

    /// Add the messages that a rank sends in a slice.
    void AddMessages(uint32_t rank, uint32_t slice);

    /// @return a message between two ranks
    Flow Describe(uint32_t sender,
                  uint32_t receiver,
                  uint32_t slice,
                  const CollectiveMessage& message) const;

    /// Make the slices of a rank, if they are not there.
    void Prepare(uint32_t rank);

    /// Add a message to what became of the collective.  @param message its number
    void Count(uint32_t message, CollectiveRecord& record) const;

    /// Post the receives of all messages that a rank awaits.
    void PostReceives(uint32_t rank);

    /// Go on as far as messages have come.
    void Proceed(uint32_t rank, uint32_t slice);

    /// Send a message of the host whose event this is.  @param message its number
    /// @param delayPs when, in picoseconds from now
    void Send(uint32_t message, int64_t delayPs);

    /// Report that a rank is done, if it is.
    void CheckDone(uint32_t rank);

    CollectiveLayout m_layout;             //!< who sends what to whom
    CollectiveRecord m_record;             //!< what it is
    uint32_t m_index;                      //!< its number
    Ptr<MessageService> m_service;         //!< carries its messages
    std::vector<MessageOrigin>& m_origins; //!< by message
    RankDone m_done;                       //!< called when a rank is done
    std::vector<Rank> m_ranks;             //!< by rank
    std::vector<uint32_t> m_first;         //!< numbers of first messages, by rank and slice
    uint32_t m_end;                        //!< number of the message that follows the last one
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_RUN_H */
