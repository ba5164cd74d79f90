/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/goal-binary.h"
#include "ns3/goal-text.h"
#include "ns3/workload-check.h"

#include <map>
#include <sstream>
#include <utility>

namespace
{

using Kind = WorkloadNode::Kind;
using Read = void (*)(std::istream&, const std::string&, GoalSchedule&);

/// @return what a schedule says  @param read its reader
GoalWorkload
ReadBy(Read read, const std::string& bytes, uint32_t hosts, std::vector<uint32_t> placement = {})
{
    std::istringstream input(bytes);
    GoalSchedule schedule(hosts, std::move(placement));
    read(input, "s", schedule);
    return schedule.Finish();
}

/// @return what a text says
GoalWorkload
ReadText(const std::string& text, uint32_t hosts = 4, std::vector<uint32_t> placement = {})
{
    return ReadBy(&ReadGoalText, text, hosts, std::move(placement));
}

/// @return a schedule of two ranks, the first of which does something  @param what from line 3 on
std::string
RankOf(const std::string& what)
{
    return "num_ranks 2\nrank 0 {\n" + what + "\n}\n";
}

/// Bytes of a binary schedule, the least byte of each number first.
struct Bytes
{
    /// Append a number.  @param size its bytes  @return this
    Bytes& Add(uint64_t number, std::size_t size = 4)
    {
        for (std::size_t i = 0; i < size; ++i)
        {
            text += static_cast<char>(number >> 8 * i & 0xff);
        }
        return *this;
    }

    std::string text; //!< what was appended
};

/// An operation of a binary schedule.
struct Operation
{
    uint64_t type;                 //!< 1: send; 2: receive; 3: calculate
    uint64_t peer;                 //!< the other rank
    uint64_t size;                 //!< bytes or nanoseconds
    uint64_t tag{0};               //!< of a message
    uint64_t cpu{0};               //!< who does it
    uint64_t nic{0};               //!< who sends it
    std::vector<uint32_t> ends{};  //!< who waits for its end
    std::vector<uint32_t> begun{}; //!< who waits for its begin
};

/// @return the schedule of a rank, as txt2bin writes it
std::string
ScheduleOf(const std::vector<Operation>& operations)
{
    std::vector<uint32_t> waiting(operations.size());
    for (const Operation& operation : operations)
    {
        for (const auto* others : {&operation.ends, &operation.begun})
        {
            for (const uint32_t other : *others)
            {
                waiting[other] += 1;
            }
        }
    }
    Bytes roots;
    Bytes body;
    Bytes appendix;
    for (std::size_t i = 0; i < operations.size(); ++i)
    {
        const Operation& what = operations[i];
        if (waiting[i] == 0)
        {
            roots.Add(i);
        }
        body.Add(waiting[i]).Add(what.type, 1).Add(what.peer).Add(what.size, 8).Add(what.tag);
        body.Add(what.cpu, 1).Add(what.nic, 1);
        for (const auto* others : {&what.ends, &what.begun})
        {
            body.Add(others->size()).Add(appendix.text.size() / 4);
            for (const uint32_t other : *others)
            {
                appendix.Add(other);
            }
        }
    }
    Bytes counts;
    counts.Add(operations.size()).Add(roots.text.size() / 4);
    return counts.text + roots.text + body.text + appendix.text;
}

/// @return a binary schedule  @param ranks the schedules of the ranks
std::string
BinaryOf(const std::vector<std::string>& ranks)
{
    Bytes head;
    head.Add(4223, 8).Add(ranks.size()).Add(7, 1).Add(1, 1);
    uint64_t place = 6 + 16 * ranks.size();
    std::string schedules;
    for (const std::string& rank : ranks)
    {
        head.Add(place, 8).Add(place + rank.size(), 8);
        place += rank.size();
        schedules += rank;
    }
    return head.text + schedules;
}

/// Expect two workloads to be the same, but for names.
void
ExpectSame(const TrainingWorkload& a, const TrainingWorkload& b)
{
    ASSERT_EQ(a.programOf, b.programOf);
    ASSERT_EQ(a.programs.size(), b.programs.size());
    for (std::size_t i = 0; i < a.programs.size(); ++i)
    {
        ASSERT_EQ(a.programs[i].size(), b.programs[i].size());
        for (std::size_t j = 0; j < a.programs[i].size(); ++j)
        {
            const WorkloadNode& x = a.programs[i][j];
            const WorkloadNode& y = b.programs[i][j];
            EXPECT_EQ(x.kind, y.kind);
            EXPECT_EQ(x.durationPs, y.durationPs);
            EXPECT_EQ(x.bytes, y.bytes);
            EXPECT_EQ(x.peer, y.peer);
            EXPECT_EQ(x.tag, y.tag);
            EXPECT_EQ(x.unit, y.unit);
            EXPECT_EQ(x.stream, y.stream);
            EXPECT_EQ(x.dependencies, y.dependencies);
            EXPECT_EQ(x.startDependencies, y.startDependencies);
        }
    }
}

const std::string SAMPLE = "num_ranks 3 // ranks\n"
                           "rank 1 {\n"
                           "first: calc 100 cpu 2\n"
                           "send 10b to 0 tag 5 cpu 1 nic 1\n"
                           "/* of the\n"
                           "answer */ l3: recv 2 b from 0\n"
                           "l3 irequires first\n"
                           "}\n"
                           "rank 0 {\r\n"
                           "\ta: recv 10b from 1 tag 5\r\n"
                           "\tb: send 2b to 1\r\n"
                           "\tb requires a\r\n"
                           "}\n";

} // namespace

TEST(GoalText, BecomesAWorkload)
{
    const GoalWorkload read = ReadText(SAMPLE, 4, {3, 1, 0});
    const TrainingWorkload& workload = read.training;
    EXPECT_EQ(read.ranks, 3U);
    EXPECT_EQ(
        read.notes,
        std::vector<std::string>{"1 messages name a nic above 0, and use the one of their host"});
    const uint32_t none = TrainingWorkload::NO_PROGRAM;
    EXPECT_EQ(workload.programOf, (std::vector<uint32_t>{none, 0, none, 1}));
    const WorkloadProgram& one = workload.programs[0];
    ASSERT_EQ(one.size(), 3U);
    EXPECT_EQ(one[0].name, "first");
    EXPECT_EQ(one[0].kind, Kind::COMPUTE);
    EXPECT_EQ(one[0].durationPs, 100'000);
    EXPECT_EQ(one[0].unit, WorkloadNode::Unit::PROCESSOR);
    EXPECT_EQ(one[0].stream, 2);
    EXPECT_EQ(one[1].name, "send");
    EXPECT_EQ(one[1].kind, Kind::SEND);
    EXPECT_EQ(one[1].bytes, 10U);
    EXPECT_EQ(one[1].peer, 3U) << "the host of rank 0";
    EXPECT_EQ(one[1].tag, 5U);
    EXPECT_EQ(one[1].unit, WorkloadNode::Unit::NONE);
    EXPECT_EQ(one[2].kind, Kind::RECEIVE);
    EXPECT_EQ(one[2].startDependencies, std::vector<uint32_t>{0});
    EXPECT_TRUE(one[2].dependencies.empty());
    EXPECT_EQ(workload.programs[1][1].dependencies, std::vector<uint32_t>{0});
}

TEST(GoalText, NeedsNoNewLines)
{
    const std::string line =
        "num_ranks 2 rank 0 { l1: calc 100 l2: send 10b to 1 tag 5 cpu 0 nic 0 "
        "l2 requires l1 } rank 1 { recv 10b from 0 tag 5 }";
    EXPECT_EQ(ReadText(line).training.programs[0][1].tag, 5U);
    const auto words = ReadText(RankOf("calc 1\ncpu: calc 2\ntag: calc 3\ncpu requires tag"));
    EXPECT_EQ(words.training.programs[0][1].name, "cpu");
    EXPECT_EQ(words.training.programs[0][1].dependencies, std::vector<uint32_t>{2});
}

TEST(GoalText, KeepsTheLowerBitsOfATag)
{
    const std::string tag = std::to_string((uint64_t{1} << 32) + 7);
    const auto read = ReadText("num_ranks 2 rank 0 {send 1b to 1 tag " + tag +
                               "}\nrank 1 {recv 1b from 0 tag 7}");
    EXPECT_EQ(read.training.programs[0][0].tag, 7U);
}

TEST(GoalText, RefusesWhatIsWrong)
{
    const std::map<std::string, std::string> rows = {
        {"", "1: the end of the file stands where num_ranks is expected"},
        {"num_rank 2", "1: 'num_rank' stands where num_ranks is expected"},
        {"num_ranks two",
         "1: 'two' stands where the number of ranks (0..18446744073709551615) is expected"},
        {"num_ranks 0", "1: num_ranks 0: there are hosts for 1..4 ranks"},
        {"num_ranks 5", "1: num_ranks 5: there are hosts for 1..4 ranks"},
        {"num_ranks 99999999999999999999",
         "1: '99999999999999999999' stands where the number of ranks (0..18446744073709551615) is "
         "expected"},
        {"num_ranks 2\ncalc 5", "2: 'calc' stands where rank is expected"},
        {"num_ranks 2\nrank 2 {", "2: 2 is no rank (0..1)"},
        {"num_ranks 2\nrank -1 {",
         "2: '-1' stands where the number of a rank (0..18446744073709551615) is expected"},
        {"num_ranks 2\nrank 0\n}", "3: '}' stands where { is expected"},
        {"num_ranks 2\nrank 0 {}\nrank 0 {}", "3: rank 0 is there twice"},
        {"num_ranks 2\nrank 0 {\ncalc 5\n\n", "5: rank 0 has no end (})"},
        {"num_ranks 2\nrank 0 {}\n", ""}, // below
        {RankOf("rank 1 {"), "3: 'rank' stands where calc, send, recv, a label or } is expected"},
        {RankOf("5: calc 1"), "3: '5' stands where calc, send, recv, a label or } is expected"},
        {RankOf("a: sned 5b to 1"), "3: 'sned' stands where calc, send or recv is expected"},
        {RankOf("a calc 5"), "3: 'calc' stands where :, requires or irequires is expected"},
        {RankOf("a: calc 5\na: calc 6"), "4: the label 'a' is there twice"},
        {RankOf("a: calc 5\na requires b"),
         "4: 'b' stands where a label of a line before, in the same rank, is expected"},
        {RankOf("a: calc 5\na irequires 5"),
         "4: '5' stands where a label of a line before, in the same rank, is expected"},
        {RankOf("a: calc 5\na requires a"), "4: an operation waits for itself"},
        {RankOf("calc x"),
         "3: 'x' stands where a number of nanoseconds (0..18446744073709551615) is expected"},
        {RankOf("calc -5"),
         "3: '-5' stands where a number of nanoseconds (0..18446744073709551615) is expected"},
        {RankOf("calc 1000000000001"),
         "3: 1000000000001 ns are no time of a calc (0..1000000000000)"},
        {RankOf("calc 5 cpu -1"),
         "3: '-1' stands where a number of cpu (0..4294967295) is expected"},
        {RankOf("calc 5 cpu 4294967296"),
         "3: '4294967296' stands where a number of cpu (0..4294967295) is expected"},
        {RankOf("calc 5 tag 1"), "3: 'tag' stands where cpu, once is expected"},
        {RankOf("calc 5 cpu 1 cpu 1"), "3: 'cpu' stands where cpu, once is expected"},
        {RankOf("send 5 to 1"), "3: 'to' stands where b is expected"},
        {RankOf("send 5b from 1"), "3: 'from' stands where to is expected"},
        {RankOf("recv 5b to 1"), "3: 'to' stands where from is expected"},
        {RankOf("send 5b to 2"), "3: send to 2: is no rank (0..1)"},
        {RankOf("send 5b to 0"), "3: send to 0: is the rank itself (0..1)"},
        {RankOf("send 5b to -1"), "3: send to -1: any rank is not supported (0..1)"},
        {RankOf("recv 5b from -1"), "3: recv from -1: any rank is not supported (0..1)"},
        {RankOf("recv 5b from 1 tag -1"),
         "3: recv with tag -1: any tag is not supported (0..4294967294)"},
        {RankOf("send 5b to 1 tag 1 tag 1"),
         "3: 'tag' stands where each of tag, cpu and nic once is expected"},
        {RankOf("send 1099511627777b to 1"),
         "3: 1099511627777 are no bytes of a message (0..1099511627776)"},
        {RankOf("send 5b to 1 nic x"),
         "3: 'x' stands where a number of nic (0..4294967295) is expected"},
        {RankOf("calc 5 / 6"), "3: '/' begins no comment (// or /*)"},
        {RankOf("calc 5\n\n/* 6\n"), "5: a comment has no end (*/)"},
        {RankOf("calc 5 \x1b"), "3: '?' stands where calc, send, recv, a label or } is expected"},
        {RankOf(std::string(300, 'a') + ": calc 5"), ""}, // below
    };
    for (const auto& [text, why] : rows)
    {
        const std::string said = RefusalOf([&text = text] { ReadText(text); });
        if (!why.empty())
        {
            EXPECT_EQ(said, "s:" + why) << text;
        }
    }
    EXPECT_EQ(RefusalOf([] { ReadText("num_ranks 2\nrank 0 {}\n"); }), "there is no operation");
    const std::string said = RefusalOf([] { ReadText(RankOf(std::string(300, 'a'))); });
    EXPECT_NE(said.find("is longer than 255 characters"), std::string::npos) << said;
    EXPECT_LT(said.size(), 200U);
}

TEST(GoalText, NamesWhoWaitsForEver)
{
    const auto error = [](const std::string& first, const std::string& second) {
        return RefusalOf(
            [&] { ReadText("num_ranks 2 rank 0 {\n" + first + "}\nrank 1 {" + second + "}"); });
    };
    EXPECT_EQ(error("a: calc 1\nb: calc 2\na requires b\nb requires a\n", ""),
              "2 nodes wait for each other: host 0, node 0 'a'; host 0, node 1 'b'");
    EXPECT_EQ(error("a: recv 5b from 1\nb: send 5b to 1\nb requires a\n",
                    "c: recv 5b from 0 d: send 5b to 0 d requires c"),
              "4 nodes wait for each other: host 0, node 0 'a'; host 1, node 1 'd'; host 1, node 0 "
              "'c'; host 0, node 1 'b'");
    EXPECT_EQ(error("a: recv 5b from 1\nb: send 5b to 1\nb irequires a\n",
                    "c: recv 5b from 0 d: send 5b to 0 d requires c"),
              "");
    EXPECT_EQ(error("a: recv 5b from 1 tag 1\n", "b: send 5b to 0 tag 1 c: send 5b to 0 tag 1"),
              "messages from host 1 to host 0 with tag 1: 2 are sent and 1 received; host 1, node "
              "1 'c' has no partner");
    EXPECT_EQ(error("a: recv 5b from 1 tag 1\n", "b: send 5b to 0 tag 2"),
              "messages from host 1 to host 0 with tag 1: 0 are sent and 1 received; host 0, node "
              "0 'a' has no partner");
    EXPECT_EQ(error("a: recv 5b from 1\n", "b: send 6b to 0"),
              "messages from host 1 to host 0 with tag 0: 6 bytes are sent and 5 received");
}

TEST(GoalBinary, SaysWhatTheTextSays)
{
    const std::vector<std::string> ranks = {
        ScheduleOf({{2, 1, 10, 5, 0, 0, {1}, {}}, {1, 1, 2}}),
        ScheduleOf({{3, 0, 100, 0, 2, 0, {}, {2}}, {1, 0, 10, 5, 1, 1}, {2, 0, 2}}),
        ScheduleOf({})};
    std::istringstream file(BinaryOf(ranks));
    EXPECT_TRUE(IsGoalBinary(file));
    std::istringstream other(SAMPLE);
    EXPECT_FALSE(IsGoalBinary(other));
    const std::string ordered =
        SAMPLE.substr(0, SAMPLE.find("rank 1")) + SAMPLE.substr(SAMPLE.find("rank 0")) +
        SAMPLE.substr(SAMPLE.find("rank 1"), SAMPLE.find("rank 0") - SAMPLE.find("rank 1")) +
        "rank 2 {}";
    ExpectSame(ReadBy(&ReadGoalBinary, file.str(), 4).training, ReadText(ordered).training);
}

TEST(GoalBinary, RefusesWhatIsWrong)
{
    const auto error = [](const std::string& bytes) {
        return RefusalOf([&] { ReadBy(&ReadGoalBinary, bytes, 4); });
    };
    const auto rank = [&error](const Operation& operation) {
        return error(BinaryOf({ScheduleOf({operation}), ScheduleOf({})}));
    };
    EXPECT_EQ(error(Bytes().Add(2342, 8).text),
              "s: LogGOPSim --save-mem has used it up; txt2bin makes another one");
    EXPECT_EQ(error(Bytes().Add(127, 8).text),
              "s: does not begin with 4223, as binary schedules do");
    EXPECT_EQ(error(Bytes().Add(4223, 8).text), "s: ends too early");
    EXPECT_EQ(error(Bytes().Add(4223, 8).Add(9).Add(0, 2).text),
              "s: num_ranks 9: there are hosts for 1..4 ranks");
    EXPECT_EQ(error(Bytes().Add(4223, 8).Add(1).Add(0, 2).text), "s: ends too early");
    EXPECT_EQ(error(Bytes().Add(4223, 8).Add(1).Add(0, 2).Add(22, 8).Add(5, 8).text),
              "s: rank 0: its schedule goes from byte 22 to 5");
    EXPECT_EQ(error(Bytes().Add(4223, 8).Add(1).Add(0, 2).Add(~0ULL, 8).Add(5, 8).text),
              "s: rank 0: its schedule goes from byte 18446744073709551615 to 5");
    EXPECT_EQ(error(Bytes().Add(4223, 8).Add(1).Add(0, 2).Add(1U << 30, 8).Add(1U << 31, 8).text),
              "s: rank 0: ends too early");
    EXPECT_EQ(error(BinaryOf({Bytes().Add(1).Add(0).text})),
              "s: rank 0: 1 operations do not fit into 8 bytes");
    EXPECT_EQ(error(BinaryOf({Bytes().Add(0).Add(1).Add(0).text})),
              "s: rank 0: 0 operations do not fit into 12 bytes");
    EXPECT_EQ(rank({4, 0, 1}), "s: rank 0: operation 0: type 4 is no operation (1..3)");
    EXPECT_EQ(rank({1, 7, 1}), "s: rank 0: operation 0: send to 7: is no rank (0..1)");
    EXPECT_EQ(rank({2, UINT32_MAX, 1}),
              "s: rank 0: operation 0: recv from -1: any rank is not supported (0..1)");
    EXPECT_EQ(rank({2, 1, 1, UINT32_MAX}),
              "s: rank 0: operation 0: recv with tag -1: any tag is not supported (0..4294967294)");
    std::string strange = BinaryOf({ScheduleOf({{3, 0, 1, 0, 0, 0, {0}, {}}})});
    EXPECT_EQ(error(strange), "s: rank 0: operation 0: an operation waits for itself");
    strange[strange.size() - 4] = 9;
    EXPECT_EQ(error(strange),
              "s: rank 0: operation 0: operation 9, which waits for it, is not there");
    strange = BinaryOf({ScheduleOf({{3, 0, 1, 0, 0, 0, {1}, {}}, {3, 0, 1}})});
    strange[strange.size() - 4 - 39 - 16] = 7; // how many wait for the first one
    EXPECT_EQ(error(strange),
              "s: rank 0: operation 0: those that wait for it are not in the appendix");
    strange = BinaryOf({ScheduleOf({{3, 0, 1}})});
    strange[strange.size() - 39] = 2;
    EXPECT_EQ(error(strange), "s: rank 0: operation 0 waits for 2 others, and 0 name it");
}
