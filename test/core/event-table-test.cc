/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/event-table.h"

#include <iterator>
#include <unistd.h>

namespace
{

const std::string HEADER = "time_ns,event,subject,detail\n"; //!< of each table

struct Event
{
    int64_t ps;          //!< when
    std::string event;   //!< what happened
    std::string subject; //!< to whom
    std::string detail;  //!< more about it
};

/// Gives each test a file of its own.
struct EventTableTest : testing::Test
{
    ~EventTableTest() override
    {
        std::remove(m_path.c_str());
    }

    /// @return the text of the file
    std::string GetText() const
    {
        std::ifstream file(m_path);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    /// @return the table of some events  @param events the events, by time
    /// @param latenessPs by less than this they come late
    std::string Write(const std::vector<Event>& events, int64_t latenessPs = 1) const
    {
        EventTable table(m_path, latenessPs);
        for (const Event& event : events)
        {
            table.Write(event.ps, event.event, event.subject, event.detail);
        }
        table.Close();
        return GetText();
    }

    /// @return tables merged into one
    std::string Merge(const std::vector<std::string>& tables) const
    {
        std::vector<std::istringstream> streams;
        std::vector<std::istream*> parts;
        for (const std::string& table : tables)
        {
            streams.emplace_back(table);
        }
        for (std::istringstream& stream : streams)
        {
            parts.push_back(&stream);
        }
        EventTable::Merge(parts, m_path);
        return GetText();
    }

    /// @return why a table is not merged with one that has no rows; empty: it is
    std::string Fault(const std::string& table) const
    {
        return RefusalOf<std::runtime_error>([&] { Merge({HEADER, table}); });
    }

    /// The file.
    const std::string m_path =
        testing::TempDir() + "event-table-test-" + std::to_string(getpid()) + ".csv";
};

/// @return random events, by time, many of them at the same time
std::vector<Event>
AnyEvents(std::mt19937& random)
{
    const std::vector<std::string> names{"pause", "resume", "timeout", "link_down"};
    std::vector<Event> events(random() % 200);
    int64_t ps = 0;
    for (Event& event : events)
    {
        ps += random() % 3 ? 0 : random() % 2'000'000;
        event = {ps,
                 names[random() % names.size()],
                 "leaf-" + std::to_string(random() % 12) + (random() % 2 ? ":1" : "--spine-1:2"),
                 random() % 2 ? "" : "with \"quotes\", and commas " + std::to_string(random() % 3)};
    }
    return events;
}

} // namespace

TEST_F(EventTableTest, RowsOfOneTimeAreInTheOrderOfTheirText)
{
    EXPECT_EQ(Write({{0, "link_down", "leaf-2", ""},
                     {0, "fault_begin", "leaf-2", "cut"},
                     {0, "fault_begin", "leaf-10", "cut"},
                     {999, "pause", "b", "x,y"},
                     {1000, "timeout", "a", ""},
                     {1000, "pause", "c", ""},
                     {1000, "pause", "c", ""},
                     {10'000, "pause", "a", ""}}),
              HEADER + "0.000,fault_begin,leaf-10,cut\n"
                       "0.000,fault_begin,leaf-2,cut\n"
                       "0.000,link_down,leaf-2,\n"
                       "0.999,pause,b,\"x,y\"\n"
                       "1.000,pause,c,\n"
                       "1.000,pause,c,\n"
                       "1.000,timeout,a,\n"
                       "10.000,pause,a,\n");
    EXPECT_EQ(Write({}), HEADER);
}

TEST_F(EventTableTest, WhoWritesFirstDoesNotMatter)
{
    std::mt19937 random(1);
    for (int i = 0; i < 50; ++i)
    {
        std::vector<Event> events = AnyEvents(random);
        const std::string table = Write(events);
        std::shuffle(events.begin(), events.end(), random);
        std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
            return a.ps < b.ps;
        });
        EXPECT_EQ(Write(events), table);
    }
}

TEST_F(EventTableTest, RowsOfAWindowMayComeNodeByNode)
{
    constexpr int64_t WINDOW = 700'000;
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        std::mt19937 random(seed);
        std::vector<Event> events = AnyEvents(random);
        const std::string table = Write(events);
        std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
            return std::tuple(a.ps / WINDOW, a.subject) < std::tuple(b.ps / WINDOW, b.subject);
        });
        EXPECT_EQ(Write(events, WINDOW), table);
    }
}

TEST_F(EventTableTest, OnlyRowsOfTheCurrentTimeWait)
{
    EventTable table(m_path);
    const std::string detail(1000, 'x');
    for (int64_t ps = 1; ps <= 1000; ++ps)
    {
        table.Write(ps, "pause", "leaf-0:1", detail);
    }
    EXPECT_GT(GetText().size(), 900'000U); // all but what the file's buffer holds
}

TEST_F(EventTableTest, PartsMergeIntoTheWhole)
{
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        std::mt19937 random(seed);
        const std::vector<Event> events = AnyEvents(random);
        std::vector<std::vector<Event>> dealt(1 + random() % 6);
        for (const Event& event : events)
        {
            dealt[random() % dealt.size()].push_back(event);
        }
        std::vector<std::string> parts;
        for (const std::vector<Event>& part : dealt)
        {
            parts.push_back(Write(part));
        }
        const std::string whole = Write(events);
        EXPECT_EQ(Merge(parts), whole);
        std::shuffle(parts.begin(), parts.end(), random);
        EXPECT_EQ(Merge(parts), whole);
    }
}

TEST_F(EventTableTest, TimesAreComparedAsNumbers)
{
    EXPECT_EQ(Merge({HEADER + "9.000,pause,a,\n123456789012345.678,pause,a,\n",
                     HEADER + "10.000,pause,a,\n"}),
              HEADER + "9.000,pause,a,\n10.000,pause,a,\n123456789012345.678,pause,a,\n");
}

TEST_F(EventTableTest, OtherTablesAreRefused)
{
    EXPECT_EQ(Fault(HEADER + "1.000,pause,a,\n"), "");
    EXPECT_EQ(Fault(""), "table of events 1, line 1: \"\" is not the header of a table of events");
    EXPECT_NE(Fault("a,b\n").find("is not the header"), std::string::npos);
    EXPECT_EQ(Fault(HEADER + "1.000,pau"), "table of events 1, line 2: \"1.000,pau\" is cut off");
    EXPECT_EQ(Fault(HEADER + "1.000,pause,b,\n1.000,pause,a,\n"),
              "table of events 1, line 3: \"1.000,pause,a,\" follows a row that it should precede");
    EXPECT_NE(Fault(HEADER + "2.000,pause,a,\n1.000,pause,a,\n").find("line 3"), std::string::npos);
    for (const std::string time : {"",
                                   "1",
                                   ".000",
                                   "1.00",
                                   "-1.000",
                                   "1.0x0",
                                   "x.000",
                                   "1e5.000",
                                   "99999999999999999999.000"})
    {
        EXPECT_NE(Fault(HEADER + time + ",pause,a,\n").find("does not begin with a time"),
                  std::string::npos)
            << time;
    }
}

TEST_F(EventTableTest, AFileThatCannotBeWrittenIsAnError)
{
    EXPECT_THROW(EventTable("/nowhere/events.csv"), std::runtime_error);
    std::istringstream part(HEADER);
    EXPECT_THROW(EventTable::Merge({&part}, "/nowhere/events.csv"), std::runtime_error);
}
