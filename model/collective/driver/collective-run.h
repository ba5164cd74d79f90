/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_RUN_H
#define COLLECTIVE_RUN_H

#include "ns3/collective-layout.h"
#include "ns3/message-service.h"

#include <cstdint>
#include <functional>
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

/// What became of a collective.
struct CollectiveRecord
{
    /// What became of the messages that ranks await in one step.
    struct Step
    {
        uint64_t messages{0};       //!< how many there are
        uint64_t bytes{0};          //!< their lengths
        int64_t firstStartPs{-1};   //!< the first was sent
        int64_t lastReceivedPs{-1}; //!< the last has come
    };

    CollectiveSpec spec;     //!< what was asked for
    int64_t startPs{-1};     //!< the first rank began
    int64_t endPs{-1};       //!< the last rank was done
    uint64_t messages{0};    //!< sent
    CollectiveExtent extent; //!< how much it is to move
    std::vector<Step> steps; //!< by step
};

/**
 * @ingroup ai-fabric
 *
 * One collective on its way: for each rank a state machine that the messages drive which come to
 * its host. A rank knows nothing of others but what they send.
 *
 * A rank is done when all that it awaits has come and all that it sent is acknowledged.
 */
class CollectiveRun : public MessageUser
{
  public:
    /// Called when a rank is done.
    using RankDone = std::function<void(uint32_t rank)>;

    /**
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

    /// A rank begins.
    void Start(uint32_t rank);

    /// @return what became of it so far
    const CollectiveRecord& GetRecord() const;

    void MessageReceived(uint32_t message) override;
    void MessageCompleted(uint32_t message) override;

  private:
    /// What a rank does in a slice.
    struct Slice
    {
        uint32_t step{0};              //!< the current step
        uint32_t awaited{0};           //!< messages that end it
        std::vector<uint32_t> arrived; //!< messages that have come, by step
    };

    /// What a rank does.
    struct Rank
    {
        bool started{false};        //!< it has begun
        uint32_t unfinished{0};     //!< slices that are not finished
        uint64_t unacknowledged{0}; //!< messages sent and not acknowledged
        std::vector<Slice> slices;  //!< by number
    };

    /// Post the receives of all messages that a rank awaits.
    void PostReceives(uint32_t rank);

    /// Go on as far as messages have come.
    void Proceed(uint32_t rank, uint32_t slice);

    /// Send a message.  @param rank the sender
    void Send(uint32_t rank, uint32_t slice, const CollectiveMessage& message);

    /// Report that a rank is done, if it is.
    void CheckDone(uint32_t rank);

    CollectiveLayout m_layout;             //!< who sends what to whom
    CollectiveRecord m_record;             //!< what it is and what became of it
    uint32_t m_index;                      //!< its number
    Ptr<MessageService> m_service;         //!< carries its messages
    std::vector<MessageOrigin>& m_origins; //!< by message
    RankDone m_done;                       //!< called when a rank is done
    uint32_t m_busy;                       //!< ranks that are not done
    int64_t m_lastDonePs{0};               //!< when the last of the others was
    std::vector<Rank> m_ranks;             //!< by rank
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_RUN_H */
