/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/room-agenda.h"

#include <algorithm>
#include <map>
#include <random>

namespace
{

constexpr uint64_t NEVER = WindowNode::NEVER;

/// Deal rooms out to workers, the first ones to the first worker.
std::vector<std::vector<uint32_t>>
Deal(uint32_t rooms, uint32_t workers)
{
    std::vector<std::vector<uint32_t>> shares(workers);
    for (uint32_t room = 0; room < rooms; ++room)
    {
        shares[uint64_t{room} * workers / rooms].push_back(room);
    }
    return shares;
}

/// @return rooms that are due  @param agenda a copy
std::vector<uint32_t>
DueOf(RoomAgenda agenda, uint32_t worker, uint64_t last)
{
    std::vector<uint32_t> due;
    agenda.TakeDue(worker, last, due);
    return due;
}

TEST(RoomAgenda, RoomsHaveNothingToDoAtFirst)
{
    RoomAgenda agenda;
    EXPECT_EQ(agenda.FindFirst(), NEVER);
    agenda.Resize(3);
    EXPECT_EQ(agenda.FindFirst(), NEVER);
    EXPECT_EQ(agenda.GetNext(2), NEVER);
}

TEST(RoomAgenda, TimesOfRoomsOutliveNewShares)
{
    RoomAgenda agenda;
    agenda.Resize(10);
    agenda.Lower(9, 7);
    agenda.SetShares({{9, 0}, {1, 2, 3, 4, 5, 6, 7}}); // 8 is no room any more
    EXPECT_EQ(agenda.FindFirst(), 7);
    EXPECT_EQ(DueOf(agenda, 0, 7), std::vector<uint32_t>{9});
    EXPECT_EQ(DueOf(agenda, 1, 7), std::vector<uint32_t>{});
    agenda.Resize(12);
    agenda.Lower(11, 3);
    EXPECT_EQ(agenda.FindFirst(), 3);
}

/// Rooms that have something to do at random times, and what a look at all of them says.
class RandomAgenda : public testing::TestWithParam<std::pair<uint32_t, uint32_t>>
{
  protected:
    void SetUp() override
    {
        std::tie(m_rooms, m_workers) = GetParam();
        m_agenda.Resize(m_rooms);
        m_shares = Deal(m_rooms, m_workers);
        m_agenda.SetShares(m_shares);
        m_next.assign(m_rooms, NEVER);
    }

    uint64_t Draw(uint64_t below)
    {
        return std::uniform_int_distribution<uint64_t>(0, below - 1)(m_random);
    }

    void LowerSome()
    {
        for (uint64_t i = Draw(m_rooms); i > 0; --i)
        {
            const uint32_t room = Draw(m_rooms);
            const uint64_t ts = m_now + Draw(100);
            m_agenda.Lower(room, ts);
            m_next[room] = std::min(m_next[room], ts);
        }
    }

    /// Run a worker's rooms through a window.
    void Run(uint32_t worker, uint64_t last)
    {
        std::vector<uint32_t> expected;
        std::copy_if(m_shares[worker].begin(),
                     m_shares[worker].end(),
                     std::back_inserter(expected),
                     [&](uint32_t room) { return m_next[room] <= last; });
        std::vector<uint32_t> due;
        m_agenda.TakeDue(worker, last, due);
        ASSERT_EQ(due, expected);
        for (const uint32_t room : due)
        {
            const uint32_t other = m_shares[worker][Draw(m_shares[worker].size())];
            m_agenda.Lower(other, last + 50); // maybe due, too
            m_next[other] = std::min(m_next[other], last + 50);
            m_next[room] = Draw(2) == 0 ? NEVER : last + 1 + Draw(300);
            m_agenda.Set(room, m_next[room]);
        }
    }

    uint32_t m_rooms;
    uint32_t m_workers;
    RoomAgenda m_agenda;
    std::vector<std::vector<uint32_t>> m_shares;
    std::vector<uint64_t> m_next;
    uint64_t m_now{0};
    std::mt19937 m_random{1};
};

TEST_P(RandomAgenda, EqualsALookAtAllRooms)
{
    for (int window = 0; window < 200; ++window)
    {
        LowerSome();
        ASSERT_EQ(m_agenda.FindFirst(), *std::min_element(m_next.begin(), m_next.end()));
        m_now += Draw(40);
        for (uint32_t worker = 0; worker < m_workers; ++worker)
        {
            Run(worker, m_now);
        }
        ++m_now;
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes,
                         RandomAgenda,
                         testing::Values(std::pair(1U, 1U),
                                         std::pair(64U, 1U),
                                         std::pair(65U, 2U),
                                         std::pair(4097U, 1U),
                                         std::pair(9000U, 3U)));

} // namespace
