/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/chakra-reader.h"
#include "ns3/chakra-trace.h"
#include "ns3/workload-check.h"

#include <filesystem>
#include <unistd.h>

#ifdef AI_FABRIC_PROTOBUF
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#endif

#ifdef AI_FABRIC_PROTOBUF

namespace
{

using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;
using Kind = WorkloadNode::Kind;

/// Writes a protobuf message, field by field.
struct MessageWriter
{
    /// Write a number.  @return this
    MessageWriter& Number(uint32_t field, uint64_t value)
    {
        Write([=](CodedOutputStream& out) {
            out.WriteTag(field << 3);
            out.WriteVarint64(value);
        });
        return *this;
    }

    /// Write 4 or 8 bytes.  @param isLong whether 8  @return this
    MessageWriter& Fixed(uint32_t field, uint64_t value, bool isLong)
    {
        Write([=](CodedOutputStream& out) {
            out.WriteTag(field << 3 | (isLong ? 1 : 5));
            isLong ? out.WriteLittleEndian64(value)
                   : out.WriteLittleEndian32(static_cast<uint32_t>(value));
        });
        return *this;
    }

    /// Write a text or message.  @return this
    MessageWriter& Text(uint32_t field, const std::string& value)
    {
        Write([&](CodedOutputStream& out) {
            out.WriteTag(field << 3 | 2);
            out.WriteVarint32(static_cast<uint32_t>(value.size()));
            out.WriteString(value);
        });
        return *this;
    }

    /// Write numbers into one field.  @return this
    MessageWriter& Packed(uint32_t field, const std::vector<uint64_t>& values)
    {
        MessageWriter packed;
        packed.Write([&](CodedOutputStream& out) {
            for (const uint64_t value : values)
            {
                out.WriteVarint64(value);
            }
        });
        return Text(field, packed.Bytes());
    }

    /// @return the message
    const std::string& Bytes() const
    {
        return m_bytes;
    }

    /// @return the message behind its length
    std::string Delimited() const
    {
        MessageWriter whole;
        whole.Write([this](CodedOutputStream& out) {
            out.WriteVarint32(static_cast<uint32_t>(m_bytes.size()));
            out.WriteString(m_bytes);
        });
        return whole.m_bytes;
    }

    /// Write something.  @tparam F what writes  @param write it
    template <typename F>
    void Write(F write)
    {
        StringOutputStream stream(&m_bytes);
        CodedOutputStream out(&stream);
        write(out);
    }

    std::string m_bytes; //!< what was written
};

/// @return metadata of a trace
std::string
Metadata(const std::string& version = "0.0.4")
{
    return MessageWriter().Text(1, version).Delimited();
}

MessageWriter
Node(uint64_t id,
     const std::string& name,
     ChakraNode::Type type,
     const std::vector<uint64_t>& after = {})
{
    MessageWriter node;
    node.Number(1, id).Text(2, name).Number(3, type);
    if (!after.empty())
    {
        node.Packed(5, after);
    }
    return node;
}

/// @return an attribute with a number, as an int64
std::string
Int64(const std::string& name, int64_t value)
{
    return MessageWriter().Text(1, name).Number(7, static_cast<uint64_t>(value)).Bytes();
}

std::string
TextAttribute(const std::string& name, const std::string& value)
{
    return MessageWriter().Text(1, name).Text(29, value).Bytes();
}

MessageWriter
Collective(uint64_t id, int64_t type, int64_t bytes, const std::vector<uint64_t>& after = {})
{
    auto node = Node(id, "sum", ChakraNode::COLLECTIVE, after);
    node.Text(10, Int64("comm_type", type)).Text(10, Int64("comm_size", bytes));
    return node;
}

/// @return a message  @param type SEND or RECEIVE
MessageWriter
Message(uint64_t id, ChakraNode::Type type, int64_t peer, const std::vector<uint64_t>& after = {})
{
    const bool isSend = type == ChakraNode::SEND;
    auto node = Node(id, isSend ? "send" : "receive", type, after);
    node.Text(10, Int64(isSend ? "comm_dst" : "comm_src", peer)).Text(10, Int64("comm_size", 4096));
    node.Text(10, Int64("comm_tag", 7));
    return node;
}

std::string
TraceOf(const std::vector<MessageWriter>& nodes)
{
    std::string trace = Metadata();
    for (const auto& node : nodes)
    {
        trace += node.Delimited();
    }
    return trace;
}

/// @return an attribute that says whether the processor does a node
std::string
OnProcessor(bool does)
{
    return MessageWriter().Text(1, "is_cpu_op").Number(27, does ? 1 : 0).Bytes();
}

/// Traces of ranks in a folder of their own.
struct ChakraReader : testing::Test
{
    /// Make the folder.
    void SetUp() override
    {
        m_folder = testing::TempDir() + "ai-fabric-chakra-" + std::to_string(getpid()) + "-" +
                   testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }

    /// Remove it.
    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /// Write traces.  @param traces them, by rank
    void Write(const std::vector<std::string>& traces) const
    {
        for (std::size_t rank = 0; rank < traces.size(); ++rank)
        {
            std::ofstream(m_folder + "/t." + std::to_string(rank) + ".et", std::ios::binary)
                << traces[rank];
        }
    }

    /// @return the workload of what was written
    TrainingWorkload Read(uint32_t hosts = 4, const ChakraOptions& options = {}) const
    {
        return ReadChakraTraces(m_folder + "/t", hosts, options).training;
    }

    /// @return what is left out of what was written, for 4 hosts
    std::vector<std::string> Notes(const ChakraOptions& options = {}) const
    {
        return ReadChakraTraces(m_folder + "/t", 4, options).notes;
    }

    /// @return what is wrong, without the folder
    std::string Error(uint32_t hosts = 4, const ChakraOptions& options = {}) const
    {
        std::string text = RefusalOf([&] { Read(hosts, options); });
        for (auto at = text.find(m_folder + "/"); at != std::string::npos;
             at = text.find(m_folder + "/"))
        {
            text.erase(at, m_folder.size() + 1);
        }
        return text;
    }

    /// @return what is wrong with a trace of rank 0, where rank 1 does nothing
    std::string ErrorOf(const std::vector<MessageWriter>& nodes,
                        const ChakraOptions& options = {}) const
    {
        Write({TraceOf(nodes), Metadata()});
        return Error(4, options);
    }

    std::string m_folder; //!< where the traces are
};

} // namespace

TEST_F(ChakraReader, ReadsAllThatIsSimulated)
{
    std::string same = Metadata("1.0.0");
    auto compute = Node(3, "matmul", ChakraNode::COMPUTE).Number(7, 250);
    same += Collective(9, 0, 1 << 20, {3}).Delimited(); // not in order of ids
    same += compute.Delimited();
    same +=
        Node(10, "load", ChakraNode::MEMORY_LOAD, {3, 9}).Number(7, 4).Number(4, 99).Delimited();
    same += Collective(11, 2, 1000, {10}).Delimited();
    same += Collective(12, 7, 4000, {11}).Delimited();
    same += Collective(13, 6, 4000, {12}).Delimited();
    same += Collective(14, 5, 4000, {13}).Delimited();
    same += Collective(15, 9, 0, {14}).Delimited();
    same += Node(16, "", ChakraNode::METADATA).Delimited();
    same += Node(17, "launch", ChakraNode::COLLECTIVE)
                .Number(7, 3)
                .Text(10, OnProcessor(true))
                .Delimited();
    const auto send = Message(20, ChakraNode::SEND, 1, {15}).Delimited();
    const auto receive = Message(20, ChakraNode::RECEIVE, 0, {15}).Delimited();
    Write({same + send, same + receive, same, same});
    const auto workload = Read(6);
    EXPECT_EQ(workload.programOf, (std::vector<uint32_t>{0, 1, 2, 3, UINT32_MAX, UINT32_MAX}));
    ASSERT_EQ(workload.communicators.size(), 1U);
    EXPECT_EQ(workload.communicators[0].hosts, (std::vector<uint32_t>{0, 1, 2, 3}));
    const auto& program = workload.programs[0];
    ASSERT_EQ(program.size(), 11U);
    EXPECT_EQ(program[0].name, "matmul");
    EXPECT_EQ(program[0].kind, Kind::COMPUTE);
    EXPECT_EQ(program[0].durationPs, 250'000'000);
    EXPECT_EQ(program[1].collective, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(program[1].bytes, 1U << 20);
    EXPECT_EQ(program[1].dependencies, std::vector<uint32_t>{0});
    EXPECT_EQ(program[2].durationPs, 4'000'000);
    EXPECT_EQ(program[2].dependencies, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(program[3].collective, CollectiveKind::ALL_GATHER);
    EXPECT_EQ(program[3].bytes, 4000U);
    EXPECT_EQ(program[4].collective, CollectiveKind::REDUCE_SCATTER);
    EXPECT_EQ(program[4].bytes, 4000U);
    EXPECT_EQ(program[5].collective, CollectiveKind::ALL_TO_ALL);
    EXPECT_EQ(program[6].collective, CollectiveKind::BROADCAST);
    EXPECT_EQ(program[7].collective, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(program[7].bytes, 4U);
    EXPECT_EQ(program[8].name, "16");
    EXPECT_EQ(program[9].kind, Kind::COMPUTE);
    EXPECT_EQ(program[9].durationPs, 3'000'000);
    EXPECT_EQ(program[10].kind, Kind::SEND);
    EXPECT_EQ(program[10].peer, 1U);
    EXPECT_EQ(program[10].bytes, 4096U);
    EXPECT_EQ(program[10].tag, 7U);
    EXPECT_EQ(workload.programs[1][10].kind, Kind::RECEIVE);
    EXPECT_EQ(workload.programs[1][10].peer, 0U);
}

TEST_F(ChakraReader, ReadsCollectivesWithARoot)
{
    const auto trace =
        TraceOf({Collective(0, 1, 100), Collective(1, 3, 100), Collective(2, 4, 100)});
    Write({trace, trace});
    const auto nodes = Read().programs[0];
    EXPECT_EQ(nodes[0].collective, CollectiveKind::REDUCE);
    EXPECT_EQ(nodes[0].bytes, 100U);
    EXPECT_EQ(nodes[1].collective, CollectiveKind::GATHER);
    EXPECT_EQ(nodes[1].bytes, 200U); // of both ranks together
    EXPECT_EQ(nodes[2].collective, CollectiveKind::SCATTER);
    EXPECT_EQ(nodes[2].bytes, 100U);
}

TEST_F(ChakraReader, KnowsTheTypesOfCollectives)
{
    const std::vector<CollectiveKind> kinds = {CollectiveKind::ALL_REDUCE,
                                               CollectiveKind::REDUCE,
                                               CollectiveKind::ALL_GATHER,
                                               CollectiveKind::GATHER,
                                               CollectiveKind::SCATTER,
                                               CollectiveKind::BROADCAST,
                                               CollectiveKind::ALL_TO_ALL,
                                               CollectiveKind::REDUCE_SCATTER,
                                               CollectiveKind::REDUCE_SCATTER};
    for (std::size_t type = 0; type < kinds.size(); ++type)
    {
        const auto trace = TraceOf({Collective(0, static_cast<int64_t>(type), 100)});
        Write({trace, trace});
        EXPECT_EQ(Read().programs[0][0].collective, kinds[type]) << type;
    }
}

/// With is_cpu_op, a node is a launch only if nothing says what it communicates.
TEST_F(ChakraReader, TellsLaunchesFromCommunication)
{
    const auto error = [this](ChakraNode::Type type, const std::string& attribute) {
        auto node = Node(1, "a", type).Text(10, OnProcessor(true));
        return ErrorOf({attribute.empty() ? node : node.Text(10, Int64(attribute, 1))});
    };
    const std::string refused = "t.0.et: node 1 'a': has no attribute ";
    EXPECT_EQ(error(ChakraNode::COLLECTIVE, ""), "");
    EXPECT_EQ(error(ChakraNode::SEND, ""), "");
    EXPECT_EQ(error(ChakraNode::COLLECTIVE, "comm_size"), refused + "comm_type (0..9)");
    EXPECT_EQ(error(ChakraNode::COLLECTIVE, "comm_type"), refused + "comm_size (0..1099511627776)");
    EXPECT_EQ(error(ChakraNode::SEND, "comm_dst"), refused + "comm_size (0..1099511627776)");
    EXPECT_EQ(error(ChakraNode::RECEIVE, "comm_src"), refused + "comm_size (0..1099511627776)");
}

/// A whole number may be written in many ways, and what is not known is skipped.
TEST_F(ChakraReader, ReadsAnyWholeNumber)
{
    const auto with = [](MessageWriter value) {
        auto node = Node(0, "x", ChakraNode::COLLECTIVE);
        node.Text(10, Int64("comm_type", 0)).Text(10, value.Bytes());
        node.Text(8, "\x0a\x02[]").Text(99, "new").Number(98, 1).Fixed(97, 1, true);
        node.Text(10, MessageWriter().Text(1, "other").Fixed(3, 0, true).Bytes());
        node.Text(10, MessageWriter().Text(1, "another").Fixed(5, 0, false).Bytes());
        node.Text(10, MessageWriter().Text(1, "list").Text(10, "\x0a\x01\x05").Bytes());
        return Metadata() + node.Delimited();
    };
    const auto name = MessageWriter().Text(1, "comm_size").Text(2, "documented");
    for (const uint32_t field : {7, 9, 11, 13, 15, 17, 19, 21, 23, 25})
    {
        auto value = name;
        const bool isZigZag = field == 15 || field == 17;
        field < 19 ? value.Number(field, isZigZag ? 128 : 64)
                   : value.Fixed(field, 64, field == 21 || field == 25);
        Write({with(value), with(value)});
        EXPECT_EQ(Read().programs[0][0].bytes, 64U) << field;
    }
    constexpr uint64_t DOUBLE_64 = 0x4050'0000'0000'0000;
    constexpr uint64_t DOUBLE_64_5 = 0x4050'2000'0000'0000;
    constexpr uint64_t FLOAT_64 = 0x4280'0000;
    auto real = name;
    auto small = name;
    auto text = name;
    real.Fixed(3, DOUBLE_64, true);
    small.Fixed(5, FLOAT_64, false);
    text.Text(29, "64");
    for (const auto& value : {real, small, text})
    {
        Write({with(value), with(value)});
        EXPECT_EQ(Read().programs[0][0].bytes, 64U);
    }
    auto half = name;
    auto words = name;
    half.Fixed(3, DOUBLE_64_5, true);
    words.Text(29, "64 bytes");
    for (const auto& value : {half, words})
    {
        Write({with(value), with(value)});
        EXPECT_EQ(
            Error(),
            "t.0.et: message 0 after the metadata: attribute 'comm_size' is not a whole number");
    }
}

TEST_F(ChakraReader, ReadsGroups)
{
    const auto trace = [](const std::string& group) {
        return TraceOf({Collective(0, 2, 10).Text(10, TextAttribute("pg_name", group))});
    };
    Write({trace("0"), trace("0"), trace("0"), trace("0")});
    EXPECT_EQ(Read().programs[0][0].communicator, 0U);
    Write({trace("all"), trace("all")});
    std::filesystem::remove(m_folder + "/t.2.et");
    std::filesystem::remove(m_folder + "/t.3.et");
    EXPECT_EQ(Read().programs[0][0].communicator, 0U);
    Write({trace("a"), trace("b"), trace("a"), trace("b")});
    ChakraOptions options;
    options.groups = {{"a", {0, 2}}, {"b", {1, 3}}, {"unused", {2, 3}}};
    const auto workload = Read(4, options);
    EXPECT_EQ(workload.programs[0][0].communicator, 1U);
    EXPECT_EQ(workload.programs[3][0].communicator, 2U);
    EXPECT_EQ(workload.programs[3][0].bytes, 20U);
    ASSERT_EQ(workload.communicators.size(), 3U);
    EXPECT_EQ(workload.communicators[2].hosts, (std::vector<uint32_t>{1, 3}));
    EXPECT_EQ(Error(),
              "t.0.et: node 0 'sum': pg_name 'a' is no group (there is only the one of all ranks; "
              "--chakraGroups names others)");
    options.groups = {{"a", {0, 2}}, {"b", {1, 4}}};
    EXPECT_EQ(Error(4, options), "group 'b' has rank 4, and there are traces of ranks 0..3");
    options.groups = {{"a", {0, 2}}, {"b", {1, 3}}, {"unused", {7}}};
    EXPECT_EQ(Error(4, options), "group 'unused' has rank 7, and there are traces of ranks 0..3");
    options.groups = {{"a", {0, 2, 0}}, {"c", {1}}};
    EXPECT_EQ(Error(4, options), "group 'a' has rank 0 twice");
    options.groups = {{"a", {1, 2}}, {"b", {1}}};
    EXPECT_EQ(Error(4, options), "t.0.et: node 0 'sum': pg_name 'a' is a group without this rank");
}

/// A number names a group as well as a text does, and so does comm_group.
TEST_F(ChakraReader, ReadsOtherNamesOfGroups)
{
    const auto name = MessageWriter().Text(1, "comm_group").Number(7, 5).Bytes();
    const auto trace = TraceOf({Collective(0, 0, 10).Text(10, name)});
    Write({trace, trace});
    ChakraOptions options;
    options.groups = {{"5", {1, 0}}};
    EXPECT_EQ(Read(2, options).communicators[1].hosts, (std::vector<uint32_t>{1, 0}));
}

TEST_F(ChakraReader, ReadsWordsAndNegativeNumbers)
{
    const auto unitOf = [this](const std::string& isCpuOp) {
        auto node = Node(0, "n", ChakraNode::COMPUTE);
        Write({TraceOf({node.Text(10, TextAttribute("is_cpu_op", isCpuOp))})});
        return Read().programs[0][0].unit;
    };
    using Unit = WorkloadNode::Unit;
    for (const char* const word : {"True", "true", "1"})
    {
        EXPECT_EQ(unitOf(word), Unit::PROCESSOR);
    }
    for (const char* const word : {"False", "false", "0"})
    {
        EXPECT_EQ(unitOf(word), Unit::COMPUTE);
    }
    constexpr uint32_t MINUS_64 = 0xFFFF'FFC0;
    const auto size = MessageWriter().Text(1, "comm_size").Fixed(23, MINUS_64, false).Bytes();
    auto node = Node(1, "x", ChakraNode::COLLECTIVE).Text(10, Int64("comm_type", 0));
    EXPECT_EQ(ErrorOf({node.Text(10, size)}),
              "t.0.et: node 1 'x': comm_size is -64 (0..1099511627776)");
}

TEST_F(ChakraReader, CutsLongNames)
{
    Write({TraceOf({Node(0, std::string(100, 'n'), ChakraNode::COMPUTE)})});
    EXPECT_EQ(Read().programs[0][0].name, std::string(80, 'n'));
}

/// Groups of the same ranks are different communicators.
TEST_F(ChakraReader, TellsGroupsOfTheSameRanksApart)
{
    const auto of = [](uint64_t id, const std::string& group) {
        return Collective(id, 0, 10).Text(10, TextAttribute("pg_name", group));
    };
    const auto trace = TraceOf({of(0, "a"), of(1, "b"), of(2, "a")});
    Write({trace, trace});
    ChakraOptions options;
    options.groups = {{"a", {0, 1}}, {"b", {0, 1}}};
    const auto nodes = Read(2, options).programs[0];
    EXPECT_NE(nodes[0].communicator, nodes[1].communicator);
    EXPECT_EQ(nodes[0].communicator, nodes[2].communicator);
}

/// Of two attributes that mean the same, one goes first.
TEST_F(ChakraReader, PrefersNamesAndSizesOfCommunication)
{
    auto node = Collective(0, 0, 10).Text(10, Int64("tensor_size", 99));
    node.Text(10, TextAttribute("pg_name", "5")).Text(10, TextAttribute("comm_group", "6"));
    const auto trace = TraceOf({node});
    Write({trace, trace});
    ChakraOptions options;
    options.groups = {{"5", {1, 0}}, {"6", {0, 1}}};
    const auto workload = Read(2, options);
    EXPECT_EQ(workload.communicators[1].name, "5");
    EXPECT_EQ(workload.programs[0][0].bytes, 10U);
}

/// PyTorch's groups stand in the inputs of a node; a name may mean other ranks in another trace.
TEST_F(ChakraReader, ReadsGroupsOfMetadata)
{
    const auto trace = [](const std::string& groups) {
        auto metadata = Node(0, "## process_group:init ##", ChakraNode::METADATA);
        metadata.Text(8, MessageWriter().Text(1, groups).Bytes());
        return TraceOf({metadata, Collective(1, 0, 10).Text(10, TextAttribute("pg_name", "7"))});
    };
    const std::string low = R"(['[{"pg_name": "7", "group_size": 2, "ranks": [0, 1]}]'])";
    const std::string high = R"(['[{\"pg_name\": \"7\", \"ranks\": [2,3]}]'])";
    const std::string blanks(10'000, ' '); // such lists are long
    Write({trace(blanks + low), trace(low), trace(high), trace(high)});
    const auto workload = Read();
    ASSERT_EQ(workload.communicators.size(), 3U);
    EXPECT_EQ(workload.communicators[1].hosts, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(workload.communicators[2].hosts, (std::vector<uint32_t>{2, 3}));
    EXPECT_EQ(workload.programs[2][1].communicator, 2U);
    ChakraOptions options;
    options.groups = {{"7", {3, 2, 1, 0}}}; // goes before what the traces say
    EXPECT_EQ(Read(4, options).communicators.size(), 2U);
    EXPECT_EQ(Read(4, options).communicators[1].hosts, (std::vector<uint32_t>{3, 2, 1, 0}));
    const std::string all = R"([{"pg_name": "7", "ranks": []}])";
    Write({trace(all), trace(all), trace(all), trace(all)});
    EXPECT_EQ(Read().communicators[1].hosts.size(), 4U);
    Write({trace("['[{\"pg_name\": ']"), trace(all), trace(all), trace(all)});
    EXPECT_EQ(Error().substr(0, 49), "t.0.et: node 1 'sum': pg_name '7' is no group (th");
}

/// What is alone in its group has nobody to wait for.
TEST_F(ChakraReader, CountsCollectivesOfOneRank)
{
    const auto trace = TraceOf({Collective(0, 0, 10).Text(10, TextAttribute("pg_name", "me"))});
    Write({trace, Metadata()});
    ChakraOptions options;
    options.groups = {{"me", {0}}};
    EXPECT_EQ(Read(2, options).programs[0][0].kind, Kind::COMPUTE);
    EXPECT_EQ(Notes(options),
              std::vector<std::string>{"1 collectives of groups of one rank take no time"});
}

/// An expert without tokens sends nothing: its part ends when it begins. A message of 0 bytes is
/// one: its receiver waits for its sender.
TEST_F(ChakraReader, CountsWhatHasNoBytes)
{
    const auto message = [](uint64_t id, ChakraNode::Type type) {
        auto node = Node(id, "m", type, {1});
        return node.Text(10, Int64("comm_dst", 1))
            .Text(10, Int64("comm_src", 0))
            .Text(10, Int64("comm_size", 0));
    };
    Write({TraceOf({Collective(1, 2, 0), message(2, ChakraNode::SEND)}),
           TraceOf({Collective(1, 2, 0), message(2, ChakraNode::RECEIVE)})});
    const auto workload = Read();
    for (uint32_t host = 0; host < 2; ++host)
    {
        const auto& program = workload.programs[workload.programOf[host]];
        ASSERT_EQ(program.size(), 2U);
        EXPECT_EQ(program[0].kind, Kind::COMPUTE);
        EXPECT_EQ(program[0].durationPs, 0);
        EXPECT_EQ(program[1].kind, host == 0 ? Kind::SEND : Kind::RECEIVE);
        EXPECT_EQ(program[1].bytes, 0U);
        EXPECT_EQ(program[1].dependencies, std::vector<uint32_t>{0});
    }
    EXPECT_EQ(Notes({}), std::vector<std::string>{"2 collectives of 0 bytes take no time"});
}

/// What a rank has in an all-to-all is its size, in the ratio of its splits, or even; ranks differ.
TEST_F(ChakraReader, ReadsSplitsOfAnAllToAll)
{
    auto texts = Collective(1, 6, 390);
    texts.Text(10, TextAttribute("in_split_size", "[12, 0,27]"));
    auto numbers = Collective(1, 6, 10);
    const std::string list = MessageWriter().Packed(1, {0, 0, 1}).Bytes();
    numbers.Text(10, MessageWriter().Text(1, "in_split_size").Text(10, list).Bytes());
    Write({TraceOf({texts}), TraceOf({numbers}), TraceOf({Collective(1, 6, 7)})});
    const auto workload = Read();
    const WorkloadNode& node = workload.programs[2][0];
    EXPECT_EQ(node.parts->GetBytes(), (std::vector<uint64_t>{120, 0, 270, 0, 0, 10, 2, 2, 3}));
    EXPECT_EQ(node.bytes, 136U); // 407 / 3
    EXPECT_EQ(workload.programs[0][0].parts, node.parts);
    EXPECT_TRUE(Notes().empty());
}

/// A rank without tokens takes part, if others have any for it.
TEST_F(ChakraReader, ARankMayHaveNothingInAnAllToAll)
{
    Write({TraceOf({Collective(1, 6, 0)}), TraceOf({Collective(1, 6, 8)})});
    const auto workload = Read();
    EXPECT_EQ(workload.programs[0][0].kind, Kind::COLLECTIVE);
    EXPECT_EQ(workload.programs[0][0].parts->GetBytes(), (std::vector<uint64_t>{0, 0, 4, 4}));
    Write({TraceOf({Collective(1, 6, 0), Collective(2, 0, 8)}), TraceOf({Collective(2, 0, 8)})});
    EXPECT_EQ(Read().programs[0][0].kind, Kind::COMPUTE) << "as far as the others leave it out";
}

TEST_F(ChakraReader, KeepsPartsOfOneSize)
{
    auto even = Collective(1, 6, 8);
    even.Text(10, TextAttribute("in_split_size", "[]"));
    Write({TraceOf({even}), TraceOf({Collective(1, 6, 8)})});
    EXPECT_EQ(Read().programs[0][0].parts, nullptr);
    EXPECT_EQ(Read().programs[0][0].bytes, 8U);
}

TEST_F(ChakraReader, RefusesWrongSplits)
{
    const auto with = [this](const std::string& splits) {
        return ErrorOf({Collective(1, 6, 8).Text(10, TextAttribute("in_split_size", splits))});
    };
    EXPECT_EQ(with("[1, 2, 3]"),
              "t.0.et: node 1 'sum': in_split_size has 3 numbers, and the group has 2 ranks");
    EXPECT_EQ(with("[4294967295, 0]"),
              "t.0.et: node 1 'sum': the numbers of in_split_size together are too large "
              "(0..4294967294)");
    for (const std::string text : {"", "1, 2", "[1, ]", "[1; 2]", "[-1, 2]", "[,1]"})
    {
        EXPECT_EQ(with(text),
                  "t.0.et: message 0 after the metadata: attribute 'in_split_size' is not a list "
                  "of whole numbers, such as [12, 0, 13]")
            << text;
    }
}

TEST_F(ChakraReader, PlacesRanks)
{
    const auto send = TraceOf({Message(0, ChakraNode::SEND, 1), Collective(1, 0, 10)});
    const auto receive = TraceOf({Message(0, ChakraNode::RECEIVE, 0), Collective(1, 0, 10)});
    Write({send, receive});
    ChakraOptions options;
    options.placement = {3, 1};
    const auto workload = Read(4, options);
    EXPECT_EQ(workload.programOf, (std::vector<uint32_t>{UINT32_MAX, 1, UINT32_MAX, 0}));
    EXPECT_EQ(workload.communicators[0].hosts, (std::vector<uint32_t>{3, 1}));
    EXPECT_EQ(workload.programs[0][0].peer, 1U);
    EXPECT_EQ(workload.programs[1][0].peer, 3U);
    const auto grouped = TraceOf({Collective(1, 0, 10).Text(10, TextAttribute("pg_name", "g"))});
    Write({grouped, grouped});
    options.groups = {{"g", {1, 0}}};
    EXPECT_EQ(Read(4, options).communicators[1].hosts, (std::vector<uint32_t>{1, 3}));
    options.placement = {2};
    EXPECT_EQ(Error(4, options), "t.1.et: the placement is of 1 ranks");
}

/// A device does one kernel a stream at a time, and each group has a stream for its collectives.
TEST_F(ChakraReader, SaysWhatDoesNodes)
{
    const auto stream = [](int64_t number) { return Int64("stream", number); };
    const auto kernel = [](uint64_t id) {
        return Node(id, "k", ChakraNode::COMPUTE).Text(10, OnProcessor(false));
    };
    auto operation = Node(0, "op", ChakraNode::COMPUTE).Text(10, OnProcessor(true));
    auto trace = TraceOf({operation.Text(10, stream(7)), // a thread; there is one processor
                          kernel(1),
                          kernel(2).Text(10, stream(7)),
                          Node(3, "load", ChakraNode::MEMORY_LOAD),
                          Collective(4, 0, 10),
                          Collective(5, 0, 10).Text(10, TextAttribute("pg_name", "g")),
                          Collective(6, 0, 10).Text(10, stream(20)),
                          Node(8, "meta", ChakraNode::METADATA)});
    const auto other = trace + Message(7, ChakraNode::RECEIVE, 0).Delimited();
    trace += Message(7, ChakraNode::SEND, 1).Delimited();
    Write({trace, other});
    ChakraOptions options;
    options.groups = {{"g", {0, 1}}};
    const auto nodes = Read(2, options).programs[0];
    using Unit = WorkloadNode::Unit;
    EXPECT_EQ(nodes[0].unit, Unit::PROCESSOR);
    EXPECT_NE(nodes[0].stream, 7);
    EXPECT_EQ(nodes[1].unit, Unit::COMPUTE);
    EXPECT_EQ(nodes[2].unit, Unit::COMPUTE);
    EXPECT_EQ(nodes[2].stream, 7);
    EXPECT_NE(nodes[1].stream, nodes[2].stream);
    EXPECT_EQ(nodes[3].unit, Unit::MEMORY);
    EXPECT_EQ(nodes[4].unit, Unit::COLLECTIVE);
    EXPECT_NE(nodes[4].stream, nodes[5].stream);
    EXPECT_EQ(nodes[6].stream, 20);
    EXPECT_EQ(nodes[7].unit, Unit::SEND);
    EXPECT_EQ(nodes[8].unit, Unit::NONE);
    EXPECT_EQ(Read(2, options).programs[1][7].unit, Unit::NONE);
    options.hasStreams = false;
    const auto free = Read(2, options).programs[0];
    for (const auto& node : free)
    {
        EXPECT_EQ(node.unit, Unit::NONE);
    }
}

/// The collectives of a stream go in the order of their ids, but after what they depend on.
TEST_F(ChakraReader, OrdersNodesAfterTheirDependencies)
{
    const auto trace =
        TraceOf({Collective(1, 0, 10, {2}), Collective(2, 0, 20), Collective(3, 0, 30)});
    Write({trace, trace});
    const auto nodes = Read().programs[0];
    EXPECT_EQ(nodes[0].bytes, 20U);
    EXPECT_EQ(nodes[1].bytes, 10U);
    EXPECT_EQ(nodes[1].dependencies, std::vector<uint32_t>{0});
    EXPECT_EQ(nodes[2].bytes, 30U);
}

TEST_F(ChakraReader, FollowsControlDependenciesIfAsked)
{
    const auto trace = TraceOf({Node(1, "a", ChakraNode::COMPUTE),
                                Node(2, "b", ChakraNode::COMPUTE, {1}).Number(4, 1).Number(4, 9),
                                Collective(3, 0, 10).Number(4, 2)});
    Write({trace, trace});
    EXPECT_EQ(Read().programs[0][2].dependencies, std::vector<uint32_t>());
    EXPECT_EQ(Notes(),
              std::vector<std::string>{
                  "6 control dependencies are ignored (--chakraControl=follow: waited for)"});
    ChakraOptions options;
    options.followsControl = true;
    EXPECT_EQ(Read(2, options).programs[0][1].dependencies, std::vector<uint32_t>{0});
    EXPECT_EQ(Read(2, options).programs[0][2].dependencies, std::vector<uint32_t>{1});
    EXPECT_EQ(
        Notes(options),
        std::vector<std::string>{"2 control dependencies on nodes that are not there are ignored"});
}

/// How long a node takes that only says what it computes and moves is the longer of the two.
TEST_F(ChakraReader, ComputesDurations)
{
    const auto node = [](int64_t operations, int64_t bytes) {
        auto made = Node(1, "mm", ChakraNode::COMPUTE);
        return made.Text(10, Int64("num_ops", operations)).Text(10, Int64("tensor_size", bytes));
    };
    const std::string refused = "t.0.et: node 1 'mm': has num_ops and no duration: --peakPerf says "
                                "how long it takes";
    EXPECT_EQ(ErrorOf({node(1'000'000, 1000)}), refused);
    ChakraOptions options;
    options.memoryBytesPerSecond = 1e9;
    EXPECT_EQ(ErrorOf({node(1'000'000, 0)}, options), refused);
    EXPECT_EQ(ErrorOf({node(1'000'000, 1000)}, options), refused); // operations take time too
    const auto duration = [&](const MessageWriter& made) {
        Write({TraceOf({made})});
        return Read(2, options).programs[0][0].durationPs;
    };
    options.operationsPerSecond = 1e12;
    EXPECT_EQ(duration(node(1'000'000, 999)), 1'000'000);
    EXPECT_EQ(duration(node(1'000'000, 5000)), 5'000'000);
    EXPECT_EQ(duration(node(1'000'000, 5000).Number(7, 3)), 3'000'000);
    EXPECT_EQ(duration(node(1'000'000, 5000).Text(10, Int64("runtime", 2))), 2'000'000);
    EXPECT_EQ(duration(node(0, 5000)), 0);
    options.operationsPerSecond = 1e-6;
    EXPECT_EQ(ErrorOf({node(1'000'000, 0)}, options),
              "t.0.et: node 1 'mm': takes longer than 1000 s at this --peakPerf and "
              "--memoryBandwidth");
    const auto load = Node(1, "l", ChakraNode::MEMORY_LOAD).Text(10, Int64("tensor_size", 2000));
    const auto store = Node(1, "s", ChakraNode::MEMORY_STORE).Text(10, Int64("tensor_size", 3000));
    EXPECT_EQ(duration(store), 3'000'000);
    options.operationsPerSecond = 1.5e12;
    EXPECT_EQ(duration(node(1, 0)), 1); // two thirds of a picosecond
    EXPECT_EQ(duration(load), 2'000'000);
    EXPECT_EQ(Notes(),
              std::vector<std::string>{
                  "1 memory nodes have a tensor_size and no duration and take no time "
                  "(--memoryBandwidth: they do)"});
}

/// A message in a group of two needs no name of the other rank.
TEST_F(ChakraReader, FindsTheOtherRankOfAPair)
{
    const auto trace = [](ChakraNode::Type type) {
        auto node = Node(1, "p2p", type).Text(10, TextAttribute("pg_name", "5"));
        return TraceOf({node.Text(10, Int64("tensor_size", 4096))});
    };
    Write({Metadata(), trace(ChakraNode::SEND), trace(ChakraNode::RECEIVE)});
    ChakraOptions options;
    options.groups = {{"5", {1, 2}}};
    const auto workload = Read(3, options);
    EXPECT_EQ(workload.programs[1][0].kind, Kind::SEND);
    EXPECT_EQ(workload.programs[1][0].peer, 2U);
    EXPECT_EQ(workload.programs[1][0].bytes, 4096U);
    EXPECT_EQ(workload.programs[2][0].peer, 1U);
    options.groups = {{"5", {0, 1, 2}}};
    EXPECT_EQ(Error(3, options),
              "t.1.et: node 1 'p2p': has no attribute comm_dst, and its group has 3 ranks: only "
              "that of 2 says which is meant");
}

TEST_F(ChakraReader, NamesMissingFiles)
{
    EXPECT_EQ(Error(), "t.0.et: there is no such file");
    Write({Metadata(), Metadata(), Metadata()});
    EXPECT_EQ(Error(), "");
    EXPECT_EQ(Error(2), "t.2.et: there is no host for this rank (0..1)");
    std::filesystem::remove(m_folder + "/t.1.et");
    EXPECT_EQ(Error(), "t.1.et: is missing, and t.2.et is there");
    std::filesystem::create_directory(m_folder + "/t.1.et");
    EXPECT_EQ(Error(), "t.1.et: cannot be read");
}

TEST_F(ChakraReader, NamesTheFileAndTheNode)
{
    EXPECT_EQ(ErrorOf({Node(1, "a", ChakraNode::COMPUTE, {2})}),
              "t.0.et: node 1 'a': depends on node 2, which is not there");
    EXPECT_EQ(
        ErrorOf({Node(1, "a", ChakraNode::COMPUTE, {2}), Node(2, "b", ChakraNode::COMPUTE, {1})}),
        "t.0.et: 2 nodes depend on each other in a circle: node 1 'a', node 2 'b'");
    EXPECT_EQ(ErrorOf({Node(1, "a", ChakraNode::COMPUTE, {1})}),
              "t.0.et: 1 nodes depend on each other in a circle: node 1 'a'");
    EXPECT_EQ(ErrorOf({Node(1, "a", ChakraNode::COMPUTE), Node(1, "b", ChakraNode::COMPUTE)}),
              "t.0.et: node 1 'b': another node has the same id");
    EXPECT_EQ(ErrorOf({Node(1, "a", static_cast<ChakraNode::Type>(11))}),
              "t.0.et: node 1 'a': type 11 is not known (0..10)");
    EXPECT_EQ(ErrorOf({Node(1, "a", ChakraNode::COMPUTE).Number(7, 1'000'000'001)}),
              "t.0.et: node 1 'a': its duration is 1000000001 us (0..1000000000)");
    EXPECT_EQ(ErrorOf({Node(1, "a", ChakraNode::COLLECTIVE)}),
              "t.0.et: node 1 'a': has no attribute comm_type (0..9)");
    EXPECT_EQ(
        ErrorOf(
            {Node(1, "a", ChakraNode::COMPUTE), Node(2, "b", ChakraNode::COMPUTE).Number(4, 1)}),
        "t.0.et: node 2 'b': the trace has only control dependencies, that is, who called whom; "
        "what is followed are data dependencies, which Chakra's converter adds "
        "(--chakraControl=follow follows both)");
    EXPECT_EQ(ErrorOf({Collective(1, 10, 8)}), "t.0.et: node 1 'sum': comm_type is 10 (0..9)");
    EXPECT_EQ(ErrorOf({Collective(1, 0, -8)}),
              "t.0.et: node 1 'sum': comm_size is -8 (0..1099511627776)");
    EXPECT_EQ(ErrorOf({Collective(1, 2, int64_t{1} << 40)}),
              "t.0.et: node 1 'sum': comm_size is 1099511627776 (0..549755813888)");
    EXPECT_EQ(ErrorOf({Message(1, ChakraNode::SEND, 0)}),
              "t.0.et: node 1 'send': comm_dst is this rank itself");
    EXPECT_EQ(ErrorOf({Message(1, ChakraNode::SEND, 2)}),
              "t.0.et: node 1 'send': comm_dst is 2 (0..1)");
    EXPECT_EQ(ErrorOf({Message(1, ChakraNode::SEND, 1).Text(10, Int64("comm_src", 1))}),
              "t.0.et: node 1 'send': comm_src is 1 (0..0)");
    const auto dimensions = MessageWriter().Text(1, "involved_dim");
    const auto bools = [&dimensions](const std::vector<uint64_t>& values) {
        auto attribute = dimensions;
        return attribute.Text(28, MessageWriter().Packed(1, values).Bytes()).Bytes();
    };
    EXPECT_EQ(
        ErrorOf({Collective(1, 0, 8).Text(10, bools({1, 0}))}),
        "t.0.et: node 1 'sum': involved_dim leaves out a dimension, and fabrics have none here: "
        "name a group by pg_name");
    auto unpacked = dimensions;
    unpacked.Text(28, MessageWriter().Number(1, 1).Number(1, 0).Bytes());
    EXPECT_NE(ErrorOf({Collective(1, 0, 8).Text(10, unpacked.Bytes())}).find("involved_dim"),
              std::string::npos);
    const std::string whole = "t.*.et: communicator 'all': host 0 issues 1 collectives and host 1 "
                              "issues 0";
    EXPECT_EQ(ErrorOf({Collective(1, 0, 8).Text(10, bools({1, 1}))}), whole);
    EXPECT_EQ(ErrorOf({Message(1, ChakraNode::SEND, 1)}),
              "t.*.et: messages from host 0 to host 1 with tag 7: 1 are sent and 0 received; "
              "host 0, node 0 'send' has no partner");
}

TEST_F(ChakraReader, RefusesWhatIsNoTrace)
{
    const auto error = [this](const std::string& bytes) {
        Write({bytes});
        return Error();
    };
    EXPECT_EQ(error(""), "t.0.et: is empty");
    EXPECT_EQ(error("\x1f\x8b\x08"), "t.0.et: is compressed by gzip; gunzip it first");
    for (const char* const json : {"{\"id\": 1}", "{\n  \"version\": \"0.0.4\"\n}", "[\n {}]"})
    {
        EXPECT_EQ(error(json),
                  "t.0.et: is JSON, and a protobuf trace is expected: the file that "
                  "chakra_jsonizer was given, or what chakra_converter makes of PyTorch's trace");
    }
    const std::string likeJson = Metadata("0.0.4" + std::string(116, ' '));
    ASSERT_EQ(likeJson.substr(0, 2), "{\n"); // the length, and the tag of the version
    EXPECT_EQ(error(likeJson), "");
    EXPECT_EQ(error(Metadata("0.0.2")),
              "t.0.et: metadata: version '0.0.2' is not known (0.0.4 and 1.x are)");
    EXPECT_EQ(error(std::string(1, '\0')), ""); // metadata may say nothing
    EXPECT_EQ(error(std::string(1, '\0') + Node(1, "a", ChakraNode::COMPUTE).Delimited()), "");
    EXPECT_EQ(error("this is a text\n").substr(0, 63),
              "t.0.et: metadata: is cut off or no message of Chakra (byte 1)");
    const std::string whole = Metadata() + Node(1, "a", ChakraNode::COMPUTE).Delimited();
    EXPECT_EQ(error(whole.substr(0, whole.size() - 1)),
              "t.0.et: message 0 after the metadata: is cut off or no message of Chakra (byte 9)");
    EXPECT_EQ(error(Metadata() + MessageWriter().Text(1, "id").Delimited()),
              "t.0.et: message 0 after the metadata: is cut off or no message of Chakra (byte 10)");
}

/// Whatever the bytes are, they give a workload that can run or a message of one line.
TEST_F(ChakraReader, AnyBytesAreReadOrRefusedInOneLine)
{
    std::string trace = Metadata();
    trace += Node(1, "compute", ChakraNode::COMPUTE).Number(7, 10).Delimited();
    trace += Collective(2, 0, 64, {1}).Text(10, TextAttribute("pg_name", "0")).Delimited();
    trace += Node(3, "more", ChakraNode::MEMORY_STORE, {1, 2}).Text(8, "\x0a\x02[]").Delimited();
    trace += Node(4, "last", ChakraNode::COMPUTE, {3}).Number(4, 2).Fixed(97, 5, true).Delimited();
    ASSERT_EQ(ParseChakraTrace(trace, "t").size(), 4U);
    EXPECT_EQ(ParseChakraTrace(trace, "t")[2].inputs, ""); // only those of metadata are kept
    Write({trace, trace});
    ASSERT_EQ(Error(), "");
    std::mt19937 random(3);
    uint32_t refused = 0;
    constexpr uint32_t RUNS = 500;
    for (uint32_t run = 0; run < RUNS; ++run)
    {
        std::string bytes = trace;
        for (auto changes = random() % 4; changes > 0; --changes)
        {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        bytes.resize(random() % 3 == 0 ? random() % bytes.size() : bytes.size());
        Write({bytes});
        const std::string error = Error();
        refused += error.empty() ? 0 : 1;
        for (const char c : error)
        {
            ASSERT_TRUE(c >= ' ' && c <= '~') << error;
        }
    }
    EXPECT_GT(refused, RUNS / 4);
    EXPECT_LT(refused, RUNS);
    for (uint32_t run = 0; run < 20 * RUNS; ++run)
    {
        std::string bytes = run % 2 == 0 ? "" : Metadata();
        for (auto length = random() % 100; length > 0; --length)
        {
            bytes += static_cast<char>(random());
        }
        RefusalOf([&] { ParseChakraTrace(bytes, "t"); });
    }
}

#else

TEST(ChakraReader, SaysThatProtobufIsMissing)
{
    EXPECT_EQ(RefusalOf([] { ParseChakraTrace("", "t.0.et"); }),
              "t.0.et: cannot be read, because this program was built without protobuf (Debian "
              "package libprotobuf-dev)");
}

#endif
