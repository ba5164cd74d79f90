/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ALPHA_BETA_COST_H
#define ALPHA_BETA_COST_H

#include "ns3/collective-algorithm.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// How long a collective takes if each rank sends one message at a time and receives one at a time,
/// and a message of b bytes keeps both ranks busy for alpha + b * beta. All ranks start at 0. Of
/// all messages, the one that can start first does; of those, the one that is waited for in the
/// earliest step, and then the one that has waited longest.
class AlphaBetaCost
{
  public:
    /// @param algorithm the algorithm, prepared  @param alpha the time of a message without bytes
    /// @param beta the time of a byte
    AlphaBetaCost(const CollectiveAlgorithm& algorithm, double alpha, double beta)
        : m_algorithm(algorithm),
          m_alpha(alpha),
          m_beta(beta)
    {
    }

    /// @return when the last step of all ends  @param size size of the collective, in bytes
    double Run(double size);

  private:
    /// A rank in one lane.
    struct Place
    {
        uint32_t step{0};                   //!< the step that it is in
        std::size_t awaited{0};             //!< messages that the step waits for
        double since{0};                    //!< when the step began
        std::map<uint32_t, uint32_t> count; //!< messages that have come, by step
        std::map<uint32_t, double> last;    //!< when the last of them has come, by step
    };

    /// A message that waits for its two ranks.
    struct Waiting
    {
        double ready;    //!< when its step began
        uint32_t from;   //!< the sender
        uint32_t to;     //!< the receiver
        uint32_t lane;   //!< the lane
        uint32_t step;   //!< of the receiver
        double duration; //!< how long it takes
    };

    /// Begin the step that a place is in.
    void Begin(uint32_t rank, uint32_t lane);

    /// End the steps of a place for which all has come.
    void Proceed(uint32_t rank, uint32_t lane);

    /// @return when a message can start
    double StartOf(const Waiting& message) const
    {
        return std::max({message.ready, m_sends[message.from], m_receives[message.to]});
    }

    /// @return what the first message has less of
    std::tuple<double, uint32_t, double> OrderOf(const Waiting& message) const
    {
        return {StartOf(message), message.step, message.ready};
    }

    const CollectiveAlgorithm& m_algorithm;   //!< the algorithm
    double m_alpha;                           //!< time of a message without bytes
    double m_beta;                            //!< time of a byte
    double m_blockBytes{0};                   //!< bytes of a block
    double m_end{0};                          //!< when the last step so far ended
    std::vector<double> m_sends;              //!< until when a rank sends
    std::vector<double> m_receives;           //!< until when a rank receives
    std::vector<std::vector<Place>> m_places; //!< by lane and rank
    std::vector<Waiting> m_waiting;           //!< in the order of their steps
};

inline double
AlphaBetaCost::Run(double size)
{
    const uint32_t ranks = m_algorithm.GetRanks();
    const uint32_t lanes = m_algorithm.CountLanes();
    m_blockBytes =
        size * BlockBytes(m_algorithm.GetKind(), ranks, 1) / lanes / m_algorithm.CountBlocks();
    m_end = 0;
    m_sends.assign(ranks, 0);
    m_receives.assign(ranks, 0);
    m_places.assign(lanes, std::vector<Place>(ranks));
    for (uint32_t lane = 0; lane < lanes; ++lane)
    {
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            Begin(rank, lane);
            Proceed(rank, lane);
        }
    }
    while (!m_waiting.empty())
    {
        const auto next = std::min_element(
            m_waiting.begin(),
            m_waiting.end(),
            [this](const Waiting& a, const Waiting& b) { return OrderOf(a) < OrderOf(b); });
        const Waiting message = *next;
        m_waiting.erase(next);
        const double end = StartOf(message) + message.duration;
        m_sends[message.from] = end;
        m_receives[message.to] = end;
        Place& place = m_places[message.lane][message.to];
        ++place.count[message.step];
        place.last[message.step] = end;
        Proceed(message.to, message.lane);
    }
    return m_end;
}

inline void
AlphaBetaCost::Begin(uint32_t rank, uint32_t lane)
{
    Place& place = m_places[lane][rank];
    m_end = std::max(m_end, place.since);
    if (place.step == m_algorithm.CountSteps(rank, lane))
    {
        return;
    }
    const CollectiveStep step = m_algorithm.GetStep(rank, lane, place.step);
    place.awaited = step.receives.size();
    for (const CollectiveMessage& message : step.sends)
    {
        const double duration = m_alpha + message.blocks * m_blockBytes * m_beta;
        m_waiting.push_back({place.since, rank, message.peer, lane, message.step, duration});
    }
}

inline void
AlphaBetaCost::Proceed(uint32_t rank, uint32_t lane)
{
    Place& place = m_places[lane][rank];
    while (place.step < m_algorithm.CountSteps(rank, lane) &&
           place.count[place.step] == place.awaited)
    {
        place.since = std::max(place.since, place.last[place.step]);
        ++place.step;
        Begin(rank, lane);
    }
}

} // namespace aifabric
} // namespace ns3

#endif /* ALPHA_BETA_COST_H */
