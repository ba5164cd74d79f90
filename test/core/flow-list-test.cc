/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/flow-list.h"

namespace
{

constexpr uint32_t HOSTS = 16; //!< hosts that the flow files are read for
const std::string HEADER = "start_ns,source,destination,bytes\n"; //!< first line of a flow file

/// @return a source of randomness
UniformInteger
Uniform(uint32_t seed)
{
    return [random = std::mt19937(seed)](uint32_t bound) mutable {
        return std::uniform_int_distribution<uint32_t>(0, bound - 1)(random);
    };
}

std::vector<Flow>
Read(const std::string& text)
{
    std::istringstream input(text);
    return ReadFlowCsv(input, "flows.csv", HOSTS);
}

/// @return what() of the exception that reading a text throws, "" if none
std::string
ErrorOf(const std::string& text)
{
    return RefusalOf([&] { Read(text); });
}

} // namespace

/// Each host sends once and receives once, never to itself.
TEST(FlowList, PermutationHasNoFixedPoint)
{
    for (uint32_t hosts : {2U, 3U, 4U, 128U, 1024U})
    {
        for (uint32_t seed = 0; seed < 20; ++seed)
        {
            auto flows = RandomPermutation(hosts, 1000, Uniform(seed));
            std::set<uint32_t> receivers;
            ASSERT_EQ(flows.size(), hosts);
            for (uint32_t i = 0; i < hosts; ++i)
            {
                ASSERT_EQ(flows[i].source, i);
                ASSERT_NE(flows[i].destination, i);
                ASSERT_LT(flows[i].destination, hosts);
                ASSERT_EQ(flows[i].bytes, 1000U);
                ASSERT_EQ(flows[i].startPs, 0);
                ASSERT_TRUE(receivers.insert(flows[i].destination).second);
            }
        }
    }
}

/// The nine permutations of four hosts without fixed points come equally often.
TEST(FlowList, PermutationsAreEquallyLikely)
{
    constexpr uint32_t DRAWS = 9000;
    auto uniform = Uniform(3);
    std::map<std::vector<uint32_t>, uint32_t> counts;
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        std::vector<uint32_t> destinations;
        for (const auto& flow : RandomPermutation(4, 1, uniform))
        {
            destinations.push_back(flow.destination);
        }
        ++counts[destinations];
    }
    ASSERT_EQ(counts.size(), 9U);
    for (const auto& [destinations, count] : counts)
    {
        EXPECT_NEAR(count, DRAWS / 9, 150); // five standard deviations
    }
}

TEST(FlowList, SameRandomnessSameFlows)
{
    auto one = RandomPermutation(64, 1, Uniform(5));
    auto two = RandomPermutation(64, 1, Uniform(5));
    for (uint32_t i = 0; i < one.size(); ++i)
    {
        EXPECT_EQ(one[i].destination, two[i].destination);
    }
}

/// A source of randomness that never moves anything must not hang the program.
TEST(FlowList, BrokenRandomnessEnds)
{
    EXPECT_THROW(RandomPermutation(4, 1, [](uint32_t bound) { return bound - 1; }),
                 std::logic_error);
}

/// Every ordered pair once; each host goes round once, and hosts begin at different distances.
TEST(FlowList, AllToAllIsACyclicShiftOfItsOwnAtEachHost)
{
    constexpr uint32_t N = 32;
    auto flows = AllToAll(N, 4096, Uniform(1));
    ASSERT_EQ(flows.size(), N * (N - 1));
    std::set<uint32_t> firstDistances;
    for (uint32_t source = 0; source < N; ++source)
    {
        std::set<uint32_t> destinations;
        for (uint32_t i = 0; i < N - 1; ++i)
        {
            const auto& flow = flows[source * (N - 1) + i];
            ASSERT_EQ(flow.source, source);
            ASSERT_NE(flow.destination, source);
            ASSERT_TRUE(destinations.insert(flow.destination).second);
        }
        firstDistances.insert((flows[source * (N - 1)].destination + N - source) % N);
    }
    EXPECT_GT(firstDistances.size(), 10U);
}

TEST(FlowList, IncastDrawsDistinctSenders)
{
    std::set<uint32_t> seen;
    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        std::set<uint32_t> senders;
        for (const auto& flow : Incast(16, 5, 3, 10, Uniform(seed)))
        {
            ASSERT_EQ(flow.destination, 3U);
            ASSERT_NE(flow.source, 3U);
            ASSERT_LT(flow.source, 16U);
            ASSERT_TRUE(senders.insert(flow.source).second);
            seen.insert(flow.source);
        }
        ASSERT_EQ(senders.size(), 5U);
    }
    EXPECT_EQ(seen.size(), 15U);
    EXPECT_EQ(Incast(16, 15, 15, 10, Uniform(1)).size(), 15U);
}

TEST(FlowList, TrafficNeedsEnoughHosts)
{
    EXPECT_THROW(RandomPermutation(1, 1, Uniform(1)), std::invalid_argument);
    EXPECT_THROW(AllToAll(0, 1, Uniform(1)), std::invalid_argument);
    EXPECT_THROW(Incast(8, 8, 0, 1, Uniform(1)), std::invalid_argument);
    EXPECT_THROW(Incast(8, 0, 0, 1, Uniform(1)), std::invalid_argument);
    EXPECT_THROW(Incast(8, 2, 8, 1, Uniform(1)), std::invalid_argument);
}

TEST(FlowList, ReadsFlows)
{
    auto flows = Read(HEADER + "0,1,2,4096\n12.5,15,0,1\n1000000000000,3,4,1099511627776\n");
    ASSERT_EQ(flows.size(), 3U);
    EXPECT_EQ(flows[0].source, 1U);
    EXPECT_EQ(flows[0].destination, 2U);
    EXPECT_EQ(flows[0].bytes, 4096U);
    EXPECT_EQ(flows[1].startPs, 12500);
    EXPECT_EQ(flows[2].startPs, 1'000'000'000'000'000);
    EXPECT_EQ(flows[2].bytes, MAX_FLOW_BYTES);
}

/// The names of the columns say what they are; those of a run's flows.csv are known.
TEST(FlowList, ReadsColumnsByName)
{
    const auto flows = Read("flow,bytes,received_ns,destination,source,start_ns,links\n"
                            "0,4096,,2,1,12.5,x\n1,0,7,15,0,0,2\n");
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[0].startPs, 12500);
    EXPECT_EQ(flows[0].source, 1U);
    EXPECT_EQ(flows[0].destination, 2U);
    EXPECT_EQ(flows[0].bytes, 4096U);
    EXPECT_EQ(flows[1].bytes, 0U);
    EXPECT_EQ(ErrorOf("bytes,destination,source,start_ns\n1,99,0,0\n"),
              "flows.csv:2: column destination: '99' is not a host (0..15)");
}

TEST(FlowList, ToleratesCommentsBlanksAndCarriageReturns)
{
    auto flows = Read("\xef\xbb\xbf# a comment\r\n\r\n start_ns , source,destination,bytes\r\n"
                      "  # another, with, four, fields\r\n\t\r\n0.041, 1 ,\t2, 3\r\n4,5,6,7");
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[0].startPs, 41);
    EXPECT_EQ(flows[1].bytes, 7U);
}

TEST(FlowList, NamesLineColumnValueAndWhatIsAllowed)
{
    EXPECT_EQ(ErrorOf(HEADER + "0,1,2,3\n0,1,99,3\n"),
              "flows.csv:3: column destination: '99' is not a host (0..15)");
    EXPECT_EQ(ErrorOf(HEADER + "0,16,2,3\n"),
              "flows.csv:2: column source: '16' is not a host (0..15)");
    EXPECT_EQ(ErrorOf(HEADER + "\n# x\n0,-1,2,3\n"),
              "flows.csv:4: column source: '-1' is not a host (0..15)");
    EXPECT_EQ(ErrorOf(HEADER + "0,4,4,3\n"),
              "flows.csv:2: column destination: '4' is not another host than the source");
    for (const std::string bytes :
         {"-5", "1e", "4096B", "0x10", "", "1099511627777", "99999999999999999999999", "+1", "1.0"})
    {
        EXPECT_EQ(ErrorOf(HEADER + "0,1,2," + bytes + "\n"),
                  "flows.csv:2: column bytes: '" + bytes +
                      "' is not a number of bytes (0..1099511627776)");
    }
    for (const std::string start : {"-1",
                                    "",
                                    ".",
                                    "1.",
                                    ".5",
                                    "1.2345",
                                    "1.-1",
                                    "1.+1",
                                    "nan",
                                    "inf",
                                    "1000000000000.001",
                                    "1000000000001",
                                    "1.2.3",
                                    "1e"})
    {
        EXPECT_EQ(ErrorOf(HEADER + start + ",1,2,3\n"),
                  "flows.csv:2: column start_ns: '" + start +
                      "' is not a time in ns (0..1000000000000, up to 3 decimals)");
    }
}

TEST(FlowList, RefusesOtherShapes)
{
    EXPECT_EQ(ErrorOf(""),
              "flows.csv: is empty (the first line must be start_ns,source,destination,bytes, "
              "perhaps with class,operation)");
    EXPECT_EQ(ErrorOf("\n# only this\n"),
              "flows.csv: is empty (the first line must be start_ns,source,destination,bytes, "
              "perhaps with class,operation)");
    EXPECT_EQ(ErrorOf(HEADER),
              "flows.csv: has no flow (at least one line after "
              "start_ns,source,destination,bytes)");
    const std::string columns =
        "; columns are start_ns, source, destination, bytes, class, operation, flow, "
        "received_ns, completed_ns, duration_ns, ideal_ns, slowdown, links, collective, slice, "
        "step, ordered";
    EXPECT_EQ(ErrorOf("start_ns,sorce,destination,bytes\n"),
              "flows.csv:1: there is no column 'sorce' (did you mean 'source'?)" + columns);
    EXPECT_EQ(ErrorOf("0,1,2,3\n"), "flows.csv:1: there is no column '0'" + columns);
    EXPECT_EQ(ErrorOf("start_ns,source,destination,bytes,color\n"),
              "flows.csv:1: there is no column 'color'" + columns);
    EXPECT_EQ(ErrorOf("start_ns,source,destination\n"),
              "flows.csv:1: column bytes: missing (a first line is "
              "start_ns,source,destination,bytes, perhaps with class,operation)");
    EXPECT_EQ(ErrorOf("start_ns,source,source,destination,bytes\n"),
              "flows.csv:1: column source stands twice");
    EXPECT_EQ(ErrorOf("bytes,links,destination,source,start_ns\n1,2\n"),
              "flows.csv:2: column destination: missing (a line is "
              "bytes,links,destination,source,start_ns)");
    EXPECT_EQ(ErrorOf(HEADER + "0,1,2\n"),
              "flows.csv:2: column bytes: missing (a line is start_ns,source,destination,bytes)");
    EXPECT_EQ(ErrorOf(HEADER + "0,1,2,3,\n"),
              "flows.csv:2: column 5: one too many (a line is start_ns,source,destination,bytes)");
    EXPECT_EQ(ErrorOf(HEADER + "0;1;2;3\n"),
              "flows.csv:2: column source: missing (a line is start_ns,source,destination,bytes)");
}

/// A class is a number or nothing, in a column that need not be there.
TEST(FlowList, ReadsClasses)
{
    const auto flows =
        Read("class,start_ns,source,destination,bytes\n7,0,1,2,3\n,0,1,2,3\n0,0,1,2,3\n");
    EXPECT_EQ(flows[0].trafficClass, 7);
    EXPECT_EQ(flows[1].trafficClass, Flow::USUAL_CLASS);
    EXPECT_EQ(FindClasses(flows), 0x81);
    EXPECT_EQ(FindClasses(Read(HEADER + "0,1,2,3\n")), 0);
    EXPECT_EQ(ErrorOf("start_ns,source,destination,bytes,class\n0,1,2,3,8\n"),
              "flows.csv:2: column class: '8' is not a whole number from 0 to 7");
}

/// An operation is a write, a read or nothing, in a column that need not be there.
TEST(FlowList, ReadsOperations)
{
    const auto flows = Read(
        "operation,start_ns,source,destination,bytes\nread,0,1,2,3\n,0,1,2,3\nwrite,0,1,2,3\n");
    EXPECT_EQ(flows[0].GetStarter(), 2U);
    EXPECT_TRUE(flows[0].isRead && !flows[1].isRead && !flows[2].isRead);
    EXPECT_EQ(flows[1].GetStarter(), 1U);
    EXPECT_TRUE(HasReads(flows));
    EXPECT_FALSE(HasReads(Read(HEADER + "0,1,2,3\n")));
    EXPECT_EQ(ErrorOf("start_ns,source,destination,bytes,operation\n0,1,2,3,READ\n"),
              "flows.csv:2: column operation: 'READ' is not write or read");
}

/// Any bytes give either flows between known hosts or a one-line message of printable characters.
TEST(FlowList, AnyTextIsReadOrRefusedInOneLine)
{
    const std::string alphabet("0123456789,.#-e \r\n\t\x00\x01\xff\"'", 24);
    std::mt19937 random(11);
    for (uint32_t i = 0; i < 20000; ++i)
    {
        std::string text = random() % 4 == 0 ? "" : HEADER;
        for (auto length = random() % 60; length > 0; --length)
        {
            text += alphabet[random() % alphabet.size()];
        }
        try
        {
            for (const auto& flow : Read(text))
            {
                ASSERT_LT(flow.source, HOSTS);
                ASSERT_LT(flow.destination, HOSTS);
                ASSERT_NE(flow.source, flow.destination);
                ASSERT_LE(flow.bytes, MAX_FLOW_BYTES);
                ASSERT_GE(flow.startPs, 0);
            }
        }
        catch (const std::invalid_argument& error)
        {
            for (auto c : std::string(error.what()))
            {
                ASSERT_TRUE(c >= ' ' && c <= '~') << error.what();
            }
        }
    }
    EXPECT_EQ(ErrorOf(HEADER + "0,1,2," + std::string(1000, '7')),
              "flows.csv:2: column bytes: '" + std::string(80, '7') +
                  "...' is not a number of bytes (0..1099511627776)");
}

TEST(FlowList, ReadsFiles)
{
    auto path = testing::TempDir() + "ai-fabric-flow-list-test.csv";
    std::ofstream(path) << HEADER << "0,1,2,3\n";
    EXPECT_EQ(ReadFlowCsvFile(path, HOSTS).size(), 1U);
    std::remove(path.c_str());
    EXPECT_THROW(ReadFlowCsvFile(path, HOSTS), std::invalid_argument);
    EXPECT_THROW(ReadFlowCsvFile(testing::TempDir(), HOSTS), std::invalid_argument);
}
