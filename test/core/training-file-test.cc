/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/training-file.h"
#include "ns3/workload-check.h"

#include <iterator>

namespace
{

constexpr uint32_t HOSTS = 16;

TrainingWorkload
Read(const std::string& text, uint32_t hosts = HOSTS)
{
    return MakeWorkload(ReadTrainingText(text, "t.toml", hosts), hosts);
}

/// @return what is wrong with a text, empty if nothing is
std::string
ErrorOf(const std::string& text)
{
    return RefusalOf([&] { Read(text); });
}

/// @return a text with one step, on line 4
std::string
Step(const std::string& step)
{
    return "\n\ncommunicator = [{ name = \"left\", hosts = \"0-3\" }]\nphase = [{ steps = [{" +
           step + "}] }]\n";
}

} // namespace

#ifdef AI_FABRIC_TOMLPLUSPLUS

TEST(TrainingFile, KnowsAlgorithms)
{
    const std::string text = Step("collective = \"all-reduce\", bytes = 1, algorithm = \"rings\"");
    EXPECT_EQ(ReadTrainingText(text, "t.toml", HOSTS).phases[0].steps[0].algorithm, "rings");
    const std::vector<std::string> all{"direct", "rings"};
    EXPECT_EQ(ReadTrainingText(text, "t.toml", HOSTS, all).phases[0].steps[0].algorithm, "rings");
    EXPECT_EQ(
        RefusalOf([&] {
            ReadTrainingText(text, "t.toml", HOSTS, {"direct", "ring"});
        }),
        "t.toml:4: algorithm: 'rings' is none (did you mean 'ring'?); there are direct, ring");
}

namespace
{

using Kind = WorkloadNode::Kind;

/// @return a text with one phase
std::string
Phase(const std::string& steps, const std::string& head = "")
{
    return head + "[[phase]]\nsteps = [\n" + steps + "\n]\n";
}

/// @return a value of TOML as a message names it: not if it is a list
std::string
Shown(const std::string& value)
{
    if (value.front() == '[')
    {
        return "";
    }
    return (value.front() == '"' ? "'" + value.substr(1, value.size() - 2) + "'" : value) + " ";
}

} // namespace

TEST(TrainingFile, ReadsStepsInOrder)
{
    const auto workload = Read(Phase(
        "{ compute = \"1.5us\" },\n{ collective = \"all-reduce\", bytes = \"6MiB\" },\n"
        "{ name = \"x\", collective = \"all-gather\", bytesPerRank = 10, algorithm = \"ring\" },\n"
        "{ collective = \"broadcast\", bytes = 7, root = 15, repeat = 2 },\n",
        "title = \"T\"\nbarrier = true\n"));
    EXPECT_TRUE(workload.barrier);
    ASSERT_EQ(workload.programs.size(), 1U);
    EXPECT_EQ(workload.programOf, std::vector<uint32_t>(HOSTS, 0));
    const auto& program = workload.programs[0];
    ASSERT_EQ(program.size(), 5U);
    EXPECT_EQ(program[0].kind, Kind::COMPUTE);
    EXPECT_EQ(program[0].name, "compute");
    EXPECT_EQ(program[0].durationPs, 1'500'000);
    EXPECT_TRUE(program[0].dependencies.empty());
    EXPECT_EQ(program[1].kind, Kind::COLLECTIVE);
    EXPECT_EQ(program[1].bytes, 6'291'456U);
    EXPECT_EQ(program[1].name, "all-reduce");
    EXPECT_EQ(program[2].collective, CollectiveKind::ALL_GATHER);
    EXPECT_EQ(program[2].bytes, 160U);
    EXPECT_EQ(program[2].algorithm, "ring");
    EXPECT_EQ(program[2].name, "x");
    EXPECT_EQ(program[4].root, 15U);
    for (uint32_t i = 1; i < program.size(); ++i)
    {
        EXPECT_EQ(program[i].dependencies, std::vector<uint32_t>{i - 1});
    }
}

TEST(TrainingFile, ReadsCommunicatorsAndMessages)
{
    const auto workload =
        Read(Phase("{ collective = \"all-reduce\", bytes = 8, on = \"a\" },\n"
                   "{ collective = \"all-to-all\", bytesPerRank = 8, on = \"b\" },\n"
                   "{ from = 3, to = 9, bytes = \"1kB\", repeat = 2 },\n"
                   "{ compute = \"1ns\", on = \"one\" }",
                   "[[communicator]]\nname = \"a\"\nhosts = \"0-2,4\"\n"
                   "[[communicator]]\nname = \"b\"\nhosts = [9, 3]\n"
                   "[[communicator]]\nname = \"one\"\nhosts = [14]\n"));
    ASSERT_EQ(workload.communicators.size(), 4U);
    EXPECT_EQ(workload.communicators[1].hosts, (std::vector<uint32_t>{0, 1, 2, 4}));
    EXPECT_EQ(workload.communicators[2].hosts, (std::vector<uint32_t>{9, 3}));
    EXPECT_EQ(workload.programOf[0], workload.programOf[4]);
    EXPECT_EQ(workload.programOf[5], TrainingWorkload::NO_PROGRAM);
    const auto& three = workload.programs[workload.programOf[3]];
    const auto& nine = workload.programs[workload.programOf[9]];
    ASSERT_EQ(three.size(), 3U);
    EXPECT_EQ(three[0].bytes, 16U);
    EXPECT_EQ(three[1].kind, Kind::SEND);
    EXPECT_EQ(three[1].peer, 9U);
    EXPECT_EQ(three[1].bytes, 1000U);
    EXPECT_EQ(nine[2].kind, Kind::RECEIVE);
    EXPECT_EQ(nine[2].peer, 3U);
    EXPECT_EQ(nine[1].tag, three[1].tag);
    EXPECT_EQ(nine[2].tag, three[2].tag);
    EXPECT_NE(nine[1].tag, nine[2].tag);
    EXPECT_EQ(workload.programs[workload.programOf[14]].size(), 1U);
}

TEST(TrainingFile, AfterWaitsForTheLatestOfEachName)
{
    const auto workload = Read("[[phase]]\nrepeat = 3\nsteps = [\n"
                               "{ name = \"c\", compute = \"1us\", after = [\"c\"] },\n"
                               "{ name = \"r\", collective = \"all-reduce\", bytes = 1, "
                               "after = [\"c\", \"r\"] },\n]\n"
                               "[[phase]]\nsteps = [{ compute = \"1us\", after = [] },\n"
                               "{ compute = \"1us\", after = [\"r\", \"c\"] }]\n");
    const std::vector<std::vector<uint32_t>> expected =
        {{}, {0}, {0}, {1, 2}, {2}, {3, 4}, {}, {4, 5}};
    ASSERT_EQ(workload.programs[0].size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_EQ(workload.programs[0][i].dependencies, expected[i]) << i;
    }
}

TEST(TrainingFile, LeavesOutCollectivesBelowTheNumberOfRanks)
{
    const std::string steps = "{ collective = \"all-reduce\", bytes = 15 },\n"
                              "{ collective = \"all-reduce\", bytes = 16 },\n"
                              "{ collective = \"all-reduce\", bytes = 4, on = \"left\" }";
    const std::string left = "[[communicator]]\nname = \"left\"\nhosts = \"0-3\"\n";
    const auto all = Read(Phase(steps, left));
    const auto skipped = Read(Phase(steps, "skipBelowRanks = true\n" + left));
    EXPECT_EQ(all.programs[0][0].kind, Kind::COLLECTIVE);
    EXPECT_EQ(skipped.programs[0][0].kind, Kind::COMPUTE);
    EXPECT_EQ(skipped.programs[0][0].durationPs, 0);
    EXPECT_EQ(skipped.programs[0][1].kind, Kind::COLLECTIVE);
    EXPECT_EQ(skipped.programs[0][2].kind, Kind::COLLECTIVE);
}

TEST(TrainingFile, NamesLineAndWhatIsAllowed)
{
    EXPECT_EQ(ErrorOf("a = \n").substr(0, 10), "t.toml:1: ");
    EXPECT_EQ(ErrorOf(""), "t.toml:1: there is no [[phase]]");
    EXPECT_EQ(
        ErrorOf("\nbarier = true\n"),
        "t.toml:2: 'barier' is not a key of the file (did you mean 'barrier'?); keys are title, "
        "barrier, skipBelowRanks, communicator, phase, parallelism, model");
    EXPECT_EQ(ErrorOf("barrier = 1"), "t.toml:1: barrier: 1 is not true or false");
    EXPECT_EQ(ErrorOf("phase = 1"), "t.toml:1: phase: 1 is not a list of tables");
    EXPECT_EQ(ErrorOf("phase = [1]"), "t.toml:1: phase: is not a list of tables");
    EXPECT_EQ(ErrorOf("[[phase]]\n"), "t.toml:1: a phase needs steps");
    EXPECT_EQ(ErrorOf("[[phase]]\nrepeat = 0\n"),
              "t.toml:2: repeat: 0 is not a whole number of 1..1000000");
    EXPECT_EQ(
        ErrorOf(Step("bytes = 1")),
        "t.toml:4: a step is one of: compute = \"1ms\"; collective = \"all-reduce\" with bytes; "
        "from and to with bytes");
    EXPECT_EQ(ErrorOf(Step("compute = \"1us\", collective = \"all-reduce\"")),
              ErrorOf(Step("bytes = 1")));
    EXPECT_EQ(
        ErrorOf(Step("compute = 1")),
        "t.toml:4: compute: 1 is not a time with its unit, such as \"1.5ms\" (\"0\"..\"1000s\")");
    EXPECT_EQ(ErrorOf(Step("compute = \"1001s\"")),
              "t.toml:4: compute: '1001s' is not a time with its unit, such as \"1.5ms\" "
              "(\"0\"..\"1000s\")");
    EXPECT_EQ(ErrorOf(Step("compute = \"1us\", bytes = 1")),
              "t.toml:4: bytes: does not go with compute");
    EXPECT_EQ(ErrorOf(Step("collective = \"all-redcue\", bytes = 1")),
              "t.toml:4: collective: 'all-redcue' is none (did you mean 'all-reduce'?); there are "
              "all-reduce, all-gather, reduce-scatter, broadcast, all-to-all, send-receive, "
              "reduce, gather, scatter, sendrecv");
    EXPECT_EQ(ErrorOf(Step("collective = \"all-reduce\"")), "t.toml:4: all-reduce needs bytes");
    EXPECT_EQ(ErrorOf(Step("collective = \"all-gather\", bytes = 1, bytesPerRank = 1")),
              "t.toml:4: all-gather needs bytes, or bytesPerRank, and not both");
    EXPECT_EQ(ErrorOf(Step("collective = \"all-reduce\", bytesPerRank = 1")),
              "t.toml:4: bytesPerRank: does not go with all-reduce");
    EXPECT_EQ(ErrorOf(Step("collective = \"all-reduce\", bytes = 1, root = 0")),
              "t.toml:4: root: does not go with all-reduce");
    EXPECT_EQ(Read(Step("collective = \"send-receive\", bytes = 1, root = 15")).programs[0][0].root,
              15U);
    EXPECT_EQ(ErrorOf(Step("collective = \"broadcast\", bytes = 1, root = 4, on = \"left\"")),
              "t.toml:4: root: 4 is not a whole number of 0..3");
    for (const std::string bytes : {"-1", "1.5", "\"1.5\"", "\"6 MiB\"", "1099511627777", "true"})
    {
        EXPECT_EQ(ErrorOf(Step("collective = \"all-reduce\", bytes = " + bytes)),
                  "t.toml:4: bytes: " + Shown(bytes) +
                      "is not a number of bytes, such as 4096 or \"6MiB\" "
                      "(0..1099511627776)");
    }
    EXPECT_EQ(ErrorOf(Step("collective = \"all-gather\", bytesPerRank = \"1TiB\"")),
              "t.toml:4: bytesPerRank: '1TiB' is not a number of bytes, such as 4096 or \"6MiB\" "
              "(0..68719476736)");
    EXPECT_EQ(ErrorOf(Step("compute = \"1us\", on = \"lift\"")),
              "t.toml:4: on: there is no communicator 'lift' (did you mean 'left'?); there are "
              "all, left");
    EXPECT_EQ(ErrorOf(Step("from = 1, bytes = 1")), "t.toml:4: a message needs from, to and bytes");
    EXPECT_EQ(ErrorOf(Step("from = 1, to = 1, bytes = 1")),
              "t.toml:4: to: 1 is not another host than from");
    EXPECT_EQ(ErrorOf(Step("from = 1, to = 16, bytes = 1")),
              "t.toml:4: to: 16 is not a whole number of 0..15");
    EXPECT_EQ(ErrorOf(Step("compute = \"1us\", after = \"x\"")),
              "t.toml:4: after: 'x' is not a list, such as [\"forward\"]");
}

TEST(TrainingFile, ReadsPartsOfAnAllToAll)
{
    const auto parts = [](const std::string& keys) {
        const auto workload =
            Read(Step("collective = \"all-to-all\", on = \"left\", " + keys)).programs[0];
        EXPECT_EQ(workload.size(), 1U);
        return workload[0];
    };
    const auto list = parts("parts = [\"4kB\", 0, 7, 1]");
    EXPECT_EQ(list.parts->GetBytes()[12], 4000U);
    EXPECT_EQ(list.bytes, 4008U);
    const auto matrix = parts("parts = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 0, 0, 0], [0, 0, 0, 9]]");
    EXPECT_EQ(matrix.parts->GetBytes(),
              (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 9}));
    EXPECT_EQ(matrix.bytes, 10U); // 37 / 4
    const auto hot = parts("bytesPerRank = 10, skew = \"hot:3\"");
    EXPECT_EQ(hot.parts->GetBytes()[3], 10U);
    EXPECT_EQ(hot.parts->GetBytes()[4], 30U);
    EXPECT_EQ(hot.bytes, 60U);
    EXPECT_EQ(parts("parts = [0, 0, 0, 0]").kind, Kind::COMPUTE);
    const auto back = parts("bytesPerRank = 10, skew = \"hot:3\", combine = true");
    EXPECT_EQ(
        back.parts->GetBytes(),
        (std::vector<uint64_t>{30, 30, 30, 30, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10}));
    EXPECT_EQ(back.bytes, 60U);
}

TEST(TrainingFile, RefusesWrongParts)
{
    const auto with = [](const std::string& keys) {
        return ErrorOf(Step("collective = \"all-to-all\", on = \"left\", " + keys));
    };
    const std::string size = "t.toml:4: parts: are not of the 4 ranks: a list of 4 numbers, by "
                             "receiver, or 4 such lists, by sender";
    for (const std::string parts : {"[]", "[1]", "[1, 2, 3, 4, 5]", "[[1, 2, 3, 4], [1, 2, 3, 4]]"})
    {
        EXPECT_EQ(with("parts = " + parts), size) << parts;
    }
    for (const std::string parts : {"1", "[-1, 0, 0, 0]", "[[1, 2], 3]", "[true]", "[[[1]]]"})
    {
        EXPECT_EQ(with("parts = " + parts),
                  "t.toml:4: parts: " + Shown(parts) +
                      "is not a list of numbers of bytes, such as [4096, \"6MiB\"], "
                      "or of such lists (0..274877906944)")
            << parts;
    }
    EXPECT_EQ(with("parts = [1, 2, 3, 4], bytes = 1"), "t.toml:4: bytes: does not go with parts");
    EXPECT_EQ(with("bytes = 1, skew = \"hit:3\""),
              "t.toml:4: skew: 'hit:3' is not hot:FACTOR (0..1e6) or zipf:EXPONENT (0..100)");
    EXPECT_EQ(with("bytes = \"1TiB\", skew = \"hot:9\""),
              "t.toml:4: a rank has more bytes than 1099511627776");
    EXPECT_EQ(with("bytes = 1, combine = true"), "t.toml:4: combine: needs skew or parts");
    EXPECT_EQ(with("bytes = 1, skew = \"hot:3\", combine = 1"),
              "t.toml:4: combine: 1 is not true or false");
    EXPECT_EQ(ErrorOf(Step("collective = \"all-gather\", bytes = 8, skew = \"hot:3\"")),
              "t.toml:4: skew: does not go with all-gather");
}

TEST(TrainingFile, DrawsPartsOfEachRound)
{
    std::mt19937 random(3);
    const auto uniform = [&random](uint32_t bound) {
        return static_cast<uint32_t>(random() % bound);
    };
    const std::string all = "collective = \"all-to-all\", bytesPerRank = 1000, skew = \"zipf:1\", "
                            "draw = \"step\", repeat = 2";
    const std::string text =
        "[parallelism]\nep = 4\n[[phase]]\nrepeat = 3\nsteps = [{ on = \"ep\", " + all +
        ", token = 7 }, { on = \"ep\", " + all + ", combine = true }]\n";
    const std::string fixed =
        "collective = \"all-to-all\", bytesPerRank = 1000, skew = \"zipf:1\", "
        "repeat = 2, combine = true }]\n";
    EXPECT_EQ(RefusalOf([&] {
                  ReadTrainingText(text.substr(0, text.find(", { on")) + ", { on = \"ep\", " +
                                       fixed,
                                   "t.toml",
                                   8,
                                   {},
                                   nullptr,
                                   uniform);
              }),
              "t.toml:5: combine: needs draw = \"step\", as the step before it has whose tokens it "
              "returns");
    const TrainingPlan plan = ReadTrainingText(text, "t.toml", 8, {}, nullptr, uniform);
    ASSERT_EQ(plan.phases[0].steps.size(), 4U); // two groups
    std::set<std::vector<uint64_t>> different;
    for (uint32_t group = 0; group < 2; ++group)
    {
        const TrainingStep& there = plan.phases[0].steps[group];
        const TrainingStep& back = plan.phases[0].steps[2 + group];
        ASSERT_EQ(there.drawn.size(), 6U); // rounds and repetitions
        ASSERT_EQ(back.drawn.size(), 6U);
        for (uint32_t i = 0; i < 6; ++i)
        {
            different.insert(there.drawn[i]->GetBytes());
            EXPECT_EQ(there.drawn[i]->Transposed().GetBytes(), back.drawn[i]->GetBytes());
        }
    }
    EXPECT_EQ(different.size(), 12U);
    const TrainingWorkload workload = MakeWorkload(plan, 8);
    const WorkloadProgram& program = workload.programs[workload.programOf[5]];
    ASSERT_EQ(program.size(), 12U);
    for (uint32_t i = 0; i < program.size(); ++i)
    {
        const uint32_t round = i / 4;
        const TrainingStep& step = plan.phases[0].steps[(i % 4 < 2 ? 0 : 2) + 1];
        EXPECT_EQ(program[i].parts, step.drawn[round * 2 + i % 2]) << i;
        EXPECT_EQ(program[i].bytes, program[i].parts->GetSize());
    }
}

TEST(TrainingFile, RefusesWrongDraws)
{
    const auto uniform = [](uint32_t) { return 0U; };
    const auto with = [&uniform](const std::string& keys) {
        return RefusalOf([&] {
            ReadTrainingText(Step("collective = \"all-to-all\", bytes = 64, " + keys),
                             "t.toml",
                             HOSTS,
                             {},
                             nullptr,
                             uniform);
        });
    };
    EXPECT_EQ(with("skew = \"zipf:1\", draw = \"step\""), "");
    EXPECT_EQ(with("draw = \"step\""), "t.toml:4: draw: needs skew, such as \"zipf:0.5\"");
    EXPECT_EQ(with("skew = \"zipf:1\", draw = \"layer\""),
              "t.toml:4: draw: 'layer' is not \"step\"");
    EXPECT_EQ(with("skew = \"zipf:1\", token = 4"), "t.toml:4: token: needs draw = \"step\"");
    EXPECT_EQ(with("skew = \"zipf:1\", draw = \"step\", token = 0"),
              "t.toml:4: token: 0 is not between 1 and the 64 bytes of a rank");
    EXPECT_EQ(with("skew = \"zipf:1\", draw = \"step\", combine = true"),
              "t.toml:4: combine: needs a step with draw before it in the phase, on the same hosts "
              "and as often repeated, whose tokens no other one returns");
    EXPECT_EQ(with("skew = \"zipf:1\", draw = \"step\", repeat = 1000000"),
              "t.toml:4: draw: more than 100000000 parts are drawn, of all steps together");
    EXPECT_EQ(ErrorOf(Step("collective = \"all-to-all\", bytes = 64, skew = \"zipf:1\", draw = "
                           "\"step\"")),
              "t.toml:4: draw: needs random numbers");
    EXPECT_EQ(ErrorOf(Step("collective = \"all-gather\", bytes = 8, draw = \"step\"")),
              "t.toml:4: draw: does not go with all-gather");
}

TEST(TrainingFile, RefusesCommunicators)
{
    const std::string step = "[[phase]]\nsteps = [{ compute = \"1us\" }]\n";
    const auto with = [&step](const std::string& name, const std::string& hosts) {
        return ErrorOf("[[communicator]]\nname = \"" + name + "\"\nhosts = " + hosts + "\n" + step);
    };
    for (const std::string hosts : {"\"0-16\"",
                                    "\"3-1\"",
                                    "\"\"",
                                    "\"0,\"",
                                    "\"-1\"",
                                    "\"0-\"",
                                    "\"a\"",
                                    "[]",
                                    "[16]",
                                    "[-1]",
                                    "[1.0]",
                                    "1",
                                    "\"0-18446744073709551615\"",
                                    "\"0-15,0-15,0-15\""})
    {
        EXPECT_EQ(with("x", hosts),
                  "t.toml:3: hosts: " + Shown(hosts) +
                      "are not hosts, such as \"all\", \"0-3,7\" or [0, 1] (0..15)")
            << hosts;
    }
    EXPECT_EQ(with("x", "\"0-3,2\""), "t.toml:3: hosts: host 2 is there twice");
    EXPECT_EQ(with("all", "\"0-3\""), "t.toml:2: name: there is another communicator 'all'");
    EXPECT_EQ(with("x", "\"all\""), "");
    EXPECT_EQ(ErrorOf("[[communicator]]\nname = \"x\"\n" + step),
              "t.toml:1: a communicator needs name and hosts");
}

/// Collectives of one rank or of 0 bytes take no time, and keep their places; a message of 0 bytes
/// is a message.
TEST(TrainingFile, WhatSendsNothingTakesNoTime)
{
    const auto workload =
        Read(Phase("{ name = \"a\", collective = \"all-reduce\", bytes = 8, on = \"x\" },\n"
                   "{ collective = \"all-reduce\", bytes = 0, on = \"x\" },\n"
                   "{ collective = \"all-to-all\", bytesPerRank = \"0B\" },\n"
                   "{ from = 1, to = 2, bytes = 0 },\n"
                   "{ from = 1, to = 2, bytes = 7, after = [\"all-to-all\"] }",
                   "[[communicator]]\nname = \"x\"\nhosts = [1]\n"));
    const auto& one = workload.programs[workload.programOf[1]];
    ASSERT_EQ(one.size(), 5U);
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(one[i].kind, Kind::COMPUTE) << i;
        EXPECT_EQ(one[i].durationPs, 0) << i;
    }
    EXPECT_EQ(one[3].kind, Kind::SEND);
    EXPECT_EQ(one[3].bytes, 0U);
    const auto& two = workload.programs[workload.programOf[2]];
    EXPECT_EQ(std::count_if(two.begin(),
                            two.end(),
                            [](const auto& node) { return node.kind == Kind::RECEIVE; }),
              2);
    EXPECT_EQ(one[4].kind, Kind::SEND);
    EXPECT_EQ(one[4].dependencies, std::vector<uint32_t>{2});
    CheckWorkload(workload, HOSTS);
}

TEST(TrainingFile, RefusesAfterWhatDoesNotComeBefore)
{
    EXPECT_EQ(ErrorOf(Phase("{ name = \"a\", compute = \"1us\", after = [\"b\"] },\n"
                            "{ name = \"b\", compute = \"1us\" }")),
              "t.toml:3: after: no step 'b' comes before");
    EXPECT_EQ(ErrorOf(Phase("{ name = \"forward\", compute = \"1us\" },\n"
                            "{ compute = \"1us\", after = [\"foward\"] }")),
              "t.toml:4: after: no step 'foward' comes before (did you mean 'forward'?)");
    const std::string left = "[[communicator]]\nname = \"left\"\nhosts = \"0-3\"\n";
    EXPECT_EQ(ErrorOf(Phase("{ compute = \"1us\" },\n"
                            "{ name = \"a\", compute = \"1us\", on = \"left\" },\n"
                            "{ compute = \"1us\", after = [\"a\"] }",
                            left)),
              "t.toml:8: after: host 4 takes part in none of the steps named");
    const std::string message = "{ from = 4, to = 0, bytes = 1, after = [\"a\"] }";
    EXPECT_EQ(ErrorOf(Phase("{ compute = \"1us\" },\n"
                            "{ name = \"a\", compute = \"1us\", on = \"left\" },\n" +
                                message,
                            left)),
              "t.toml:8: after: host 4 takes part in none of the steps named");
    EXPECT_EQ(ErrorOf(Phase("{ name = \"a\", compute = \"1us\", on = \"left\" },\n"
                            "{ from = 5, to = 4, bytes = 1, after = [\"a\"] }",
                            left)),
              "t.toml:7: after: no host of this step takes part in 'a'");
    EXPECT_EQ(ErrorOf("[[communicator]]\nname = \"left\"\nhosts = \"0-3\"\n"
                      "[[phase]]\nrepeat = 2\nsteps = [\n"
                      "{ name = \"a\", compute = \"1us\", on = \"left\" },\n"
                      "{ compute = \"1us\", after = [\"a\"] }]\n"),
              "t.toml:8: after: host 4 takes part in none of the steps named");
}

/// Each host waits for the named steps that it takes part in: the sender of a message for its
/// computation, the receiver for the message alone; a host that has done nothing waits for nothing.
TEST(TrainingFile, AfterIsOfEachHost)
{
    const std::string one = "[[communicator]]\nname = \"one\"\nhosts = [1]\n";
    const auto workload = Read(Phase("{ name = \"a\", compute = \"1us\", on = \"one\" },\n"
                                     "{ compute = \"1us\", on = \"two\" },\n"
                                     "{ name = \"x\", from = 1, to = 2, bytes = 7, "
                                     "after = [\"a\"] },\n"
                                     "{ compute = \"1us\", after = [\"a\", \"x\"] }",
                                     one + "[[communicator]]\nname = \"two\"\nhosts = [2]\n"));
    const auto dependencies = [&workload](uint32_t host) {
        std::vector<std::vector<uint32_t>> all;
        for (const auto& node : workload.programs[workload.programOf[host]])
        {
            all.push_back(node.dependencies);
        }
        return all;
    };
    using Lists = std::vector<std::vector<uint32_t>>;
    EXPECT_EQ(dependencies(1), (Lists{{}, {0}, {0, 1}}));
    EXPECT_EQ(dependencies(2), (Lists{{}, {}, {1}}));
    EXPECT_EQ(dependencies(3), Lists{{}});
}

/// In the first round of a phase, a name that the host has later in the phase stands for the step
/// before it; one that it never has stands for nothing.
TEST(TrainingFile, AfterOfTheFirstRoundIsOfEachHost)
{
    const auto workload = Read("[[communicator]]\nname = \"one\"\nhosts = [1]\n"
                               "[[phase]]\nsteps = [{ compute = \"1us\" }]\n"
                               "[[phase]]\nrepeat = 2\nsteps = [\n"
                               "{ name = \"x\", from = 1, to = 2, bytes = 7, after = [\"b\"] },\n"
                               "{ name = \"b\", compute = \"1us\", on = \"one\" }]\n");
    const auto& one = workload.programs[workload.programOf[1]];
    const auto& two = workload.programs[workload.programOf[2]];
    ASSERT_EQ(one.size(), 5U);
    EXPECT_EQ(one[1].dependencies, std::vector<uint32_t>{0});
    EXPECT_EQ(one[3].dependencies, std::vector<uint32_t>{2});
    ASSERT_EQ(two.size(), 3U);
    EXPECT_TRUE(two[1].dependencies.empty());
    EXPECT_TRUE(two[2].dependencies.empty());
}

TEST(TrainingFile, RefusesTooManyStepsBeforeTheyAreMade)
{
    EXPECT_EQ(
        ErrorOf(
            "[[phase]]\nrepeat = 1000000\nsteps = [\n{ compute = \"1us\", repeat = 1000000 }]\n"),
        "t.toml:4: too many steps, repeated ones and those of all 16 hosts counted (at most "
        "16777216)");
}

/// Any text gives a workload that can run, or a message of one line.
TEST(TrainingFile, AnyTextIsReadOrRefusedInOneLine)
{
    const std::string file = Phase(
        "{ name = \"a\", compute = \"1us\" },\n{ collective = \"all-gather\", bytesPerRank = 64,"
        " on = \"left\" },\n{ from = 1, to = 2, bytes = \"1kB\", repeat = 2, after = [\"a\"] }",
        "barrier = true\n[[communicator]]\nname = \"left\"\nhosts = \"0-3\"\n");
    ASSERT_EQ(ErrorOf(file), "");
    const std::string alphabet = std::string("0123456789abe=\"[]{},.-_ \n\t\x01\xff#'") + '\0';
    std::mt19937 random(5);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 5000; ++i)
    {
        std::string text = file;
        for (auto changes = 1 + random() % 4; changes > 0; --changes)
        {
            text[random() % text.size()] = alphabet[random() % alphabet.size()];
        }
        text.resize(random() % 4 == 0 ? random() % text.size() : text.size());
        const std::string error = ErrorOf(text);
        refused += error.empty() ? 0 : 1;
        for (const char c : error)
        {
            ASSERT_TRUE(c >= ' ' && c <= '~') << error;
        }
    }
    EXPECT_GT(refused, 1000U);
    EXPECT_LT(refused, 5000U);
}

namespace
{

TrainingWorkload
Scenario(const std::string& name, uint32_t hosts)
{
    return ReadTrainingFile(AI_FABRIC_SOURCE_DIR "/scenarios/" + name, hosts);
}

/// @return least time of all collectives at 400 Gb/s, in ms
double
BoundMs(const TrainingWorkload& workload)
{
    const double ranks = static_cast<double>(workload.communicators[0].hosts.size());
    double bytes = 0;
    for (const auto& node : workload.programs[0])
    {
        const bool isTwice = node.collective == CollectiveKind::ALL_REDUCE;
        bytes += node.kind == Kind::COLLECTIVE
                     ? static_cast<double>(node.bytes) * (ranks - 1) / ranks * (isTwice ? 2 : 1)
                     : 0;
    }
    return bytes * 8 / 400e9 * 1e3;
}

} // namespace

/// Sizes, counts and bounds are those of the specification, section 6.4.
TEST(TrainingFile, Gpt2IsThatOfTheStudy)
{
    for (const auto& [hosts, bound] : std::map<uint32_t, double>{{256, 44.3}, {512, 50.2}})
    {
        const auto workload = Scenario("gpt-2-data-parallel.toml", hosts);
        EXPECT_TRUE(workload.barrier);
        ASSERT_EQ(workload.programs.size(), 1U);
        std::map<std::pair<CollectiveKind, uint64_t>, uint32_t> counts;
        uint32_t delays = 0;
        for (const auto& node : workload.programs[0])
        {
            if (node.kind == Kind::COLLECTIVE)
            {
                ++counts[{node.collective, node.bytes}];
                continue;
            }
            EXPECT_EQ(node.durationPs, node.name == "optimizer flags" ? 0 : 1000);
            delays += node.durationPs > 0 ? 1 : 0;
        }
        const std::map<std::pair<CollectiveKind, uint64_t>, uint32_t> expected = {
            {{CollectiveKind::ALL_GATHER, uint64_t{1'125'888} * hosts}, 1},
            {{CollectiveKind::ALL_REDUCE, 6'291'456}, 50},
            {{CollectiveKind::ALL_REDUCE, 77'194'752}, 1},
            {{CollectiveKind::ALL_REDUCE, 16'384}, 3},
            {{CollectiveKind::ALL_REDUCE, 288'227'328}, 1},
            {{CollectiveKind::REDUCE_SCATTER, 576'454'656}, 1}};
        EXPECT_EQ(counts, expected);
        EXPECT_GT(delays, 50U);
        EXPECT_NEAR(BoundMs(workload), bound, 0.05);
    }
    const auto program = Scenario("gpt-2-data-parallel.toml", 256).programs[0];
    EXPECT_EQ(program.front().name, "gradient norm forward");
    EXPECT_EQ(program.back().name, "gradients");
}

/// While gradients are summed, the next layer is computed.
TEST(TrainingFile, OverlapOverlaps)
{
    const auto workload = Scenario("overlap.toml", 16);
    const auto& program = workload.programs[0];
    ASSERT_EQ(program.size(), 8U + 16U + 1U);
    for (uint32_t layer = 0; layer < 8; ++layer)
    {
        const uint32_t backward = 8 + 2 * layer;
        const uint32_t before = layer == 0 ? 7 : backward - 2;
        EXPECT_EQ(program[backward].dependencies, std::vector<uint32_t>{before});
        EXPECT_EQ(program[backward + 1].dependencies,
                  layer == 0 ? std::vector<uint32_t>{backward}
                             : (std::vector<uint32_t>{backward - 1, backward}));
    }
    EXPECT_EQ(program[24].dependencies, std::vector<uint32_t>{23});
}

/// Those with [parallelism], for any number of hosts that fits.
TEST(TrainingFile, ParallelScenarios)
{
    for (const uint32_t hosts : {64, 512})
    {
        const auto dense = Scenario("dense-3d.toml", hosts);
        EXPECT_EQ(dense.programs.size(), hosts);
        EXPECT_EQ(dense.communicators.size(), 1 + hosts / 8 + 16 + hosts / 2);
        const auto experts = Scenario("experts-4d.toml", hosts);
        EXPECT_EQ(experts.communicators.size(), 1 + hosts / 2 + 4 + hosts / 2 + hosts / 8 + 32);
    }
    const std::string why = RefusalOf([] { Scenario("dense-3d.toml", 24); });
    EXPECT_EQ(why.substr(why.rfind('/')),
              "/dense-3d.toml:8: tp = 8 times pp = 2 does not divide the 24 hosts");
}

TEST(TrainingFile, ReadsFiles)
{
    EXPECT_THROW(Scenario("none.toml", 16), std::invalid_argument);
    EXPECT_THROW(ReadTrainingFile(testing::TempDir(), 16), std::invalid_argument);
}

#else

TEST(TrainingFile, SaysThatTomlplusplusIsMissing)
{
    EXPECT_EQ(
        ErrorOf(Step("compute = \"1us\"")),
        "t.toml: cannot be read, because this program was built without toml++ (Debian package "
        "libtomlplusplus-dev)");
}

#endif
