/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_EXECUTOR_H
#define COLLECTIVE_EXECUTOR_H

#include "ns3/collective-algorithm.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Runs the programs of all ranks as CollectiveAlgorithm says, with messages that arrive and ranks
/// that start in random order, and follows the data: for each block that a rank has, how often each
/// rank has contributed to it.
///
/// A program that breaks a rule is a std::runtime_error that names the rule and where it is broken.
class CollectiveExecutor
{
  public:
    /// @param algorithm the algorithm, prepared  @param seed the seed of the random order
    CollectiveExecutor(const CollectiveAlgorithm& algorithm, uint32_t seed);

    /// Run to the end, and check what each rank has then.
    void Run();

    // In the order of others, in place of Run()

    /// A rank starts, in all lanes.
    void Start(uint32_t rank);

    /// One of the messages that are on their way arrives.
    /// @param step the step of the receiver that waits for it
    void Deliver(uint32_t sender, uint32_t receiver, uint32_t lane, uint32_t step);

    /// @return messages sent so far
    uint64_t CountSent() const
    {
        return m_sent;
    }

    /// Check that all has arrived, and what each rank has then.
    void CheckEnd() const;

  private:
    /// How often each rank has contributed to a block.
    using Counts = std::vector<uint32_t>;
    /// Blocks by number.
    using Blocks = std::map<uint64_t, Counts>;

    /// A message with what is in it.
    struct Arrival
    {
        CollectiveMessage message; //!< as the receiver sees it
        Blocks data;               //!< what it carries
    };

    /// A rank in one lane.
    struct Place
    {
        uint32_t rank;                                  //!< which rank
        uint32_t lane;                                  //!< which lane
        uint32_t steps{0};                              //!< steps that it has
        uint32_t step{0};                               //!< the step that it is in
        bool started{false};                            //!< it has begun
        std::vector<CollectiveMessage> awaited;         //!< all messages of the step
        Blocks data;                                    //!< what it has
        std::map<uint32_t, std::vector<Arrival>> inbox; //!< what has come, by step
    };

    /// What happens next at a place.
    struct Event
    {
        std::size_t place;              //!< where
        std::optional<Arrival> arrival; //!< a message arrives; if there is none, the place starts
    };

    /// @return what a rank has at first
    Blocks Initial(uint32_t rank) const;

    /// @return what a rank must have at last, at least
    Blocks Final(uint32_t rank) const;

    /// @return blocks with one contribution each
    Blocks Make(BlockRange range, const std::vector<uint32_t>& from) const;

    /// Something happens.  @param index which of what can happen next
    void Happen(std::size_t index);

    /// Send what the step sends, and wait.
    void Begin(Place& place);

    /// End steps as long as all has come.
    void Proceed(Place& place);

    /// Match what has come for a step with what the step waits for.
    static void Match(const Place& place, const std::vector<Arrival>& arrived);

    /// A step ends, and what has come takes effect.
    static void Apply(Place& place, const std::vector<Arrival>& arrived);

    /// Check a message, and put it on its way.
    void Send(const Place& place, const CollectiveMessage& message);

    /// @return the index of a place
    std::size_t IndexOf(uint32_t rank, uint32_t lane) const;

    /// A rule is broken.
    [[noreturn]] static void Fail(const Place& place, const std::string& what);

    /// @return a message as text
    static std::string Describe(const CollectiveMessage& message);

    const CollectiveAlgorithm& m_algorithm; //!< the algorithm
    std::mt19937 m_random;                  //!< in which order things happen
    std::vector<Place> m_places;            //!< by lane and rank
    std::vector<Event> m_pending;           //!< what can happen next
    uint64_t m_sent{0};                     //!< messages sent so far
};

inline CollectiveExecutor::CollectiveExecutor(const CollectiveAlgorithm& algorithm, uint32_t seed)
    : m_algorithm(algorithm),
      m_random(seed)
{
    for (uint32_t lane = 0; lane < algorithm.CountLanes(); ++lane)
    {
        for (uint32_t rank = 0; rank < algorithm.GetRanks(); ++rank)
        {
            Place place;
            place.rank = rank;
            place.lane = lane;
            place.steps = algorithm.CountSteps(rank, lane);
            place.data = Initial(rank);
            m_pending.push_back({m_places.size(), std::nullopt});
            m_places.push_back(std::move(place));
        }
    }
}

inline CollectiveExecutor::Blocks
CollectiveExecutor::Make(BlockRange range, const std::vector<uint32_t>& from) const
{
    Counts counts(m_algorithm.GetRanks());
    for (const uint32_t rank : from)
    {
        counts.at(rank) = 1;
    }
    Blocks blocks;
    for (uint64_t i = 0; i < range.blocks; ++i)
    {
        blocks[range.firstBlock + i] = counts;
    }
    return blocks;
}

inline CollectiveExecutor::Blocks
CollectiveExecutor::Initial(uint32_t rank) const
{
    const uint32_t ranks = m_algorithm.GetRanks();
    const BlockRange all{0, m_algorithm.CountBlocks()};
    switch (m_algorithm.GetKind())
    {
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::GATHER:
    case CollectiveKind::SENDRECV:
        return Make(m_algorithm.GetHome(rank), {rank});
    case CollectiveKind::ALL_TO_ALL:
        return Make({uint64_t{rank} * ranks, ranks}, {rank});
    case CollectiveKind::BROADCAST:
    case CollectiveKind::SEND_RECEIVE:
    case CollectiveKind::SCATTER:
        return rank == m_algorithm.GetRoot() ? Make(all, {rank}) : Blocks{};
    default:
        return Make(all, {rank});
    }
}

inline CollectiveExecutor::Blocks
CollectiveExecutor::Final(uint32_t rank) const
{
    const uint32_t ranks = m_algorithm.GetRanks();
    const uint32_t root = m_algorithm.GetRoot();
    const BlockRange all{0, m_algorithm.CountBlocks()};
    std::vector<uint32_t> everybody(ranks);
    std::iota(everybody.begin(), everybody.end(), 0);
    Blocks blocks;
    const bool isRoot = rank == root;
    switch (m_algorithm.GetKind())
    {
    case CollectiveKind::ALL_REDUCE:
        return Make(all, everybody);
    case CollectiveKind::REDUCE:
        return isRoot ? Make(all, everybody) : blocks;
    case CollectiveKind::SCATTER:
        return Make(m_algorithm.GetHome(rank), {root});
    case CollectiveKind::SENDRECV: {
        const uint32_t previous = (rank + ranks - 1) % ranks;
        return Make(m_algorithm.GetHome(previous), {previous});
    }
    case CollectiveKind::GATHER:
        for (const uint32_t source : everybody)
        {
            blocks.merge(isRoot ? Make(m_algorithm.GetHome(source), {source}) : Blocks{});
        }
        return blocks;
    case CollectiveKind::REDUCE_SCATTER:
        return Make(m_algorithm.GetHome(rank), everybody);
    case CollectiveKind::ALL_GATHER:
        for (const uint32_t source : everybody)
        {
            blocks.merge(Make(m_algorithm.GetHome(source), {source}));
        }
        return blocks;
    case CollectiveKind::ALL_TO_ALL:
        for (const uint32_t source : everybody)
        {
            blocks.merge(Make({uint64_t{source} * ranks + rank, 1}, {source}));
        }
        return blocks;
    case CollectiveKind::BROADCAST:
        return Make(all, {root});
    default:
        return rank == (root + 1) % ranks ? Make(all, {root}) : blocks;
    }
}

inline void
CollectiveExecutor::Run()
{
    while (!m_pending.empty())
    {
        Happen(m_random() % m_pending.size());
    }
    CheckEnd();
}

inline void
CollectiveExecutor::Start(uint32_t rank)
{
    for (uint32_t lane = 0; lane < m_algorithm.CountLanes(); ++lane)
    {
        const std::size_t index = IndexOf(rank, lane);
        const auto start =
            std::find_if(m_pending.begin(), m_pending.end(), [index](const Event& event) {
                return event.place == index && !event.arrival;
            });
        Happen(start - m_pending.begin());
    }
}

inline void
CollectiveExecutor::Deliver(uint32_t sender, uint32_t receiver, uint32_t lane, uint32_t step)
{
    const std::size_t index = IndexOf(receiver, lane);
    const auto message =
        std::find_if(m_pending.begin(), m_pending.end(), [index, sender, step](const Event& event) {
            return event.place == index && event.arrival && event.arrival->message.peer == sender &&
                   event.arrival->message.step == step;
        });
    if (message == m_pending.end())
    {
        Fail(m_places[index],
             "is sent by rank " + std::to_string(sender) + " for step " + std::to_string(step) +
                 " what that rank cannot send yet");
    }
    Happen(message - m_pending.begin());
}

inline void
CollectiveExecutor::Happen(std::size_t index)
{
    std::swap(m_pending[index], m_pending.back());
    Event event = std::move(m_pending.back());
    m_pending.pop_back();
    Place& place = m_places[event.place];
    if (event.arrival)
    {
        place.inbox[event.arrival->message.step].push_back(std::move(*event.arrival));
    }
    else
    {
        place.started = true;
        Begin(place);
    }
    Proceed(place);
}

inline void
CollectiveExecutor::CheckEnd() const
{
    if (!m_pending.empty())
    {
        Fail(m_places[m_pending.front().place], "has not been sent all");
    }
    for (const Place& place : m_places)
    {
        if (place.step < place.steps)
        {
            Fail(place, "waits for ever");
        }
        if (!place.inbox.empty())
        {
            Fail(place,
                 "is sent " + Describe(place.inbox.begin()->second.front().message) +
                     ", and never waits for it");
        }
        for (const auto& [block, counts] : Final(place.rank))
        {
            const auto found = place.data.find(block);
            if (found == place.data.end() || found->second != counts)
            {
                Fail(place, "ends with a wrong block " + std::to_string(block));
            }
        }
    }
}

inline void
CollectiveExecutor::Begin(Place& place)
{
    if (place.step == place.steps)
    {
        return;
    }
    CollectiveStep step = m_algorithm.GetStep(place.rank, place.lane, place.step);
    for (const CollectiveMessage& message : step.sends)
    {
        Send(place, message);
    }
    place.awaited = std::move(step.receives);
    for (const CollectiveMessage& message : place.awaited)
    {
        if (message.step != place.step)
        {
            Fail(place, "names another step than its own: " + Describe(message));
        }
    }
}

inline void
CollectiveExecutor::Send(const Place& place, const CollectiveMessage& message)
{
    if (message.peer >= m_algorithm.GetRanks() || message.peer == place.rank)
    {
        Fail(place, "sends to no other rank: " + Describe(message));
    }
    if (message.blocks == 0)
    {
        Fail(place, "sends nothing: " + Describe(message));
    }
    Arrival arrival{message, {}};
    arrival.message.peer = place.rank;
    for (uint64_t i = 0; i < message.blocks; ++i)
    {
        const auto found = place.data.find(message.firstBlock + i);
        if (found == place.data.end())
        {
            Fail(place, "sends what it does not have: " + Describe(message));
        }
        arrival.data.insert(*found);
    }
    m_pending.push_back({IndexOf(message.peer, place.lane), std::move(arrival)});
    ++m_sent;
}

inline void
CollectiveExecutor::Proceed(Place& place)
{
    while (place.started && place.step < place.steps)
    {
        std::vector<Arrival>& inbox = place.inbox[place.step];
        if (inbox.size() < place.awaited.size())
        {
            return;
        }
        const std::vector<Arrival> arrived = std::move(inbox);
        place.inbox.erase(place.step);
        Match(place, arrived);
        Apply(place, arrived);
        ++place.step;
        Begin(place);
    }
}

inline void
CollectiveExecutor::Match(const Place& place, const std::vector<Arrival>& arrived)
{
    std::vector<CollectiveMessage> left = place.awaited;
    for (const Arrival& arrival : arrived)
    {
        const CollectiveMessage& got = arrival.message;
        const auto found = std::find_if(left.begin(), left.end(), [&got](const auto& wanted) {
            return wanted.peer == got.peer && wanted.firstBlock == got.firstBlock &&
                   wanted.blocks == got.blocks && wanted.reduces == got.reduces;
        });
        if (found == left.end())
        {
            Fail(place, "is sent what it does not wait for: " + Describe(got));
        }
        left.erase(found);
    }
}

inline void
CollectiveExecutor::Apply(Place& place, const std::vector<Arrival>& arrived)
{
    std::map<uint64_t, bool> touched; // whether it was replaced
    for (const auto& [message, data] : arrived)
    {
        for (const auto& [block, counts] : data)
        {
            const auto [entry, isFirst] = touched.emplace(block, !message.reduces);
            if (!isFirst && (entry->second || !message.reduces))
            {
                Fail(place, "replaces what comes in the same step: " + Describe(message));
            }
            Counts& own = place.data[block];
            if (!message.reduces)
            {
                own = counts;
                continue;
            }
            if (own.empty())
            {
                Fail(place, "adds to what it does not have: " + Describe(message));
            }
            std::transform(own.begin(), own.end(), counts.begin(), own.begin(), std::plus<>());
        }
    }
}

inline std::size_t
CollectiveExecutor::IndexOf(uint32_t rank, uint32_t lane) const
{
    return std::size_t{lane} * m_algorithm.GetRanks() + rank;
}

inline void
CollectiveExecutor::Fail(const Place& place, const std::string& what)
{
    throw std::runtime_error("rank " + std::to_string(place.rank) + ", lane " +
                             std::to_string(place.lane) + ", step " + std::to_string(place.step) +
                             ": " + what);
}

inline std::string
CollectiveExecutor::Describe(const CollectiveMessage& message)
{
    return "peer " + std::to_string(message.peer) + ", step " + std::to_string(message.step) +
           ", block " + std::to_string(message.firstBlock) + " and " +
           std::to_string(message.blocks) + " in all" + (message.reduces ? ", reduces" : "");
}

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_EXECUTOR_H */
