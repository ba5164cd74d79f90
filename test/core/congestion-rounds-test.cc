/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/congestion-rounds.h"

namespace
{

constexpr int64_t ROUND_TRIP = 10; //!< from sending a packet to its acknowledgement

/// Acknowledgements of packets that are sent one a unit of time.
struct Sender
{
    explicit Sender(const CongestionRounds::Parameters& parameters)
        : m_rounds(parameters)
    {
    }

    /// @return how many of the next acknowledgements change the path
    /// @param marks how many of the first of each ten are marked
    uint32_t Ack(uint32_t count, uint32_t marks, bool idle = false)
    {
        uint32_t changes = 0;
        for (uint32_t i = 0; i < count; ++i, ++m_now)
        {
            const bool marked = (m_now + 9) % 10 < marks;
            if (m_rounds.Acked(marked, m_now - ROUND_TRIP, m_now, idle))
            {
                ++changes;
                changedAt = m_now;
            }
        }
        return changes;
    }

    int64_t changedAt{-1}; //!< when the path was changed last

    CongestionRounds m_rounds; //!< what is tested
    int64_t m_now{0};          //!< the time
};

} // namespace

/// A round is as long as a packet needs that is sent at its begin.
TEST(CongestionRounds, ARoundIsARoundTrip)
{
    Sender sender({0.4, 1, 1, 0});
    EXPECT_EQ(sender.Ack(10, 10), 0U); // the first one begins the round
    EXPECT_EQ(sender.Ack(1, 10), 1U);
    EXPECT_EQ(sender.changedAt, 10);
    EXPECT_EQ(sender.Ack(30, 10), 3U); // one a round trip
    EXPECT_EQ(sender.changedAt, 40);
}

TEST(CongestionRounds, ARoundOfAGivenLength)
{
    Sender sender({0.4, 1, 1, 25});
    EXPECT_EQ(sender.Ack(25, 10), 0U);
    EXPECT_EQ(sender.Ack(1, 10), 1U);
    EXPECT_EQ(sender.Ack(25, 10), 1U);
}

/// The threshold belongs to the congested rounds.
TEST(CongestionRounds, TheThreshold)
{
    Sender below({0.4, 1, 1, 0});
    below.Ack(1, 0); // a first round of one packet more than the others
    EXPECT_EQ(below.Ack(100, 3), 0U);
    Sender at({0.4, 1, 1, 0});
    at.Ack(1, 0);
    EXPECT_EQ(at.Ack(10, 4), 0U); // 4 of 11
    EXPECT_EQ(at.Ack(100, 4), 10U);
}

/// Several rounds in a row have to be congested; one that is not begins the count again.
TEST(CongestionRounds, RoundsInARow)
{
    Sender sender({0.5, 3, 3, 0});
    sender.Ack(1, 0);
    EXPECT_EQ(sender.Ack(20, 10), 0U);
    EXPECT_EQ(sender.Ack(10, 0), 0U);
    EXPECT_EQ(sender.Ack(20, 10), 0U);
    EXPECT_EQ(sender.Ack(10, 10), 1U);
    EXPECT_EQ(sender.Ack(20, 10), 0U);
    EXPECT_EQ(sender.Ack(10, 10), 1U);
}

/// Fewer rounds are enough when nothing is on the way.
TEST(CongestionRounds, AnIdleGapIsPreferred)
{
    Sender sender({0.5, 12, 3, 0});
    sender.Ack(1, 0);
    EXPECT_EQ(sender.Ack(30, 10), 0U);
    EXPECT_EQ(sender.Ack(1, 10, true), 1U);
    Sender busy({0.5, 12, 3, 0});
    busy.Ack(1, 0);
    EXPECT_EQ(busy.Ack(119, 10), 0U);
    EXPECT_EQ(busy.Ack(1, 10), 1U);
}
