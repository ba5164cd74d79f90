/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/parallel-section.h"
#include "ns3/training-file.h"

#ifdef AI_FABRIC_TOMLPLUSPLUS

namespace
{

constexpr uint32_t HOSTS = 64;

ParallelPlan
Read(const std::string& text)
{
    const TomlValue file = ParseToml(text, "t.toml");
    return ReadParallelPlan(TomlSection(file, "t.toml", "the file"), HOSTS);
}

/// @return what is wrong with a text, empty if nothing is
std::string
ErrorOf(const std::string& text)
{
    return RefusalOf([&] { ReadTrainingWorkload(text, "t.toml", HOSTS); });
}

/// @return a text  @param keys of [parallelism], on line 2  @param layer keys of a layer, on line 4
std::string
Text(const std::string& keys, const std::string& layer = "repeat = 8")
{
    return "[parallelism]\n" + keys + "\n[model]\nlayers = [{ " + layer + " }]\n";
}

} // namespace

TEST(ParallelSection, HasDefaults)
{
    const ParallelPlan plan = Read(Text("", "forward = \"3us\""));
    EXPECT_EQ(plan.layout.SizeOf(ParallelDimension::TENSOR), 1U);
    EXPECT_EQ(plan.layout.SizeOf(ParallelDimension::PIPELINE), 1U);
    EXPECT_EQ(plan.layout.SizeOf(ParallelDimension::EXPERT), 1U);
    EXPECT_EQ(plan.layout.SizeOf(ParallelDimension::DATA), HOSTS);
    EXPECT_EQ(plan.schedule, PipelineSchedule::ONE_F_ONE_B);
    EXPECT_EQ(plan.microbatches, 1U);
    EXPECT_EQ(plan.chunks, 1U);
    EXPECT_FALSE(plan.isSequenceParallel || plan.isOptimizerSharded || plan.barrier);
    ASSERT_EQ(plan.layers.size(), 1U);
    EXPECT_EQ(plan.layers[0].name, "layer");
    EXPECT_EQ(plan.layers[0].backwardPs, 6'000'000); // twice as many operations as forward
}

TEST(ParallelSection, ReadsAllKeys)
{
    const ParallelPlan plan =
        Read("title = \"T\"\nbarrier = true\n" +
             Text("tp = 2\npp = 4\ndp = 8\nep = 4\norder = [\"pp\", \"tp\", \"dp\"]\n"
                  "microbatches = 12\nschedule = \"interleaved\"\nvirtualStages = 3\n"
                  "sequenceParallel = true\ngradients = \"reduce-scatter\"",
                  "name = \"moe\", repeat = 12, forward = \"1us\", backward = \"5us\", tensor = 1,"
                  "experts = 8, skew = \"hot:3\", parameters = 3, expertParameters = 4") +
             "activations = \"1kB\"\noptimizer = \"7us\"\n");
    EXPECT_EQ(plan.layout.HostAt({1, 2, 3}), 2U + 1 * 4 + 3 * 8);
    EXPECT_EQ(plan.layout.SizeOf(ParallelDimension::EXPERT_DATA), 2U);
    EXPECT_EQ(plan.schedule, PipelineSchedule::INTERLEAVED);
    EXPECT_EQ(plan.microbatches, 12U);
    EXPECT_EQ(plan.chunks, 3U);
    EXPECT_TRUE(plan.isSequenceParallel && plan.isOptimizerSharded && plan.barrier);
    EXPECT_EQ(plan.activationBytes, 1000U);
    EXPECT_EQ(plan.optimizerPs, 7'000'000);
    ASSERT_EQ(plan.layers.size(), 12U);
    const ModelLayer& layer = plan.layers[11];
    EXPECT_EQ(layer.name, "moe");
    EXPECT_EQ(layer.forwardPs, 1'000'000);
    EXPECT_EQ(layer.backwardPs, 5'000'000);
    EXPECT_EQ(layer.tensorBytes, 1U);
    EXPECT_EQ(layer.parameterBytes, 3U);
    EXPECT_EQ(layer.expertParameterBytes, 4U);
    EXPECT_EQ(layer.dispatch->GetBytes()[4], 6U);
    EXPECT_EQ(layer.combine->GetBytes()[1], 6U);
    EXPECT_EQ(layer.dispatch, plan.layers[0].dispatch); // measured once
}

TEST(ParallelSection, NamesWhatDoesNotFit)
{
    EXPECT_EQ(ErrorOf(Text("tp = 8\npp = 8\ndp = \"rest\"")), "");
    EXPECT_EQ(ErrorOf(Text("tp = 5\npp = 8")),
              "t.toml:1: tp = 5 times pp = 8 does not divide the 64 hosts");
    EXPECT_EQ(ErrorOf(Text("tp = 5\npp = 8\ndp = 1")), "");
    EXPECT_EQ(ErrorOf(Text("tp = 5\npp = 8\ndp = 2")),
              "t.toml:1: tp = 5 times pp = 8 times dp = 2 is more than the 64 hosts");
    EXPECT_EQ(ErrorOf(Text("tp = 65")), "t.toml:2: tp: is not a whole number of 1..64");
    EXPECT_EQ(ErrorOf(Text("dp = \"all\"")), "t.toml:2: dp: is not a number or \"rest\"");
    EXPECT_EQ(ErrorOf(Text("dp = 0")), "t.toml:2: dp: is not a whole number of 1..64");
    EXPECT_EQ(ErrorOf(Text("dp = 8\nep = 3")), "t.toml:3: ep: 3 does not divide dp = 8");
    EXPECT_EQ(ErrorOf(Text("pp = 4", "repeat = 6")),
              "t.toml:3: 6 layers are not a multiple of pp = 4");
    EXPECT_EQ(ErrorOf(Text("pp = 4\nschedule = \"interleaved\"\nmicrobatches = 4", "repeat = 12")),
              "t.toml:5: 12 layers are not a multiple of pp = 4 times virtualStages = 2");
    EXPECT_EQ(ErrorOf(Text("pp = 4\nschedule = \"interleaved\"\nmicrobatches = 6")),
              "t.toml:1: interleaved needs microbatches of a multiple of pp = 4");
    EXPECT_EQ(ErrorOf(Text("schedule = \"interleaved\"")),
              "t.toml:2: schedule: interleaved needs pp of 2 or more");
    EXPECT_EQ(ErrorOf(Text("virtualStages = 2")),
              "t.toml:2: virtualStages: needs schedule = \"interleaved\"");
}

TEST(ParallelSection, NamesLineAndWhatIsAllowed)
{
    EXPECT_EQ(ErrorOf("[parallelism]\n"), "t.toml:1: [parallelism] and [model] need each other");
    EXPECT_EQ(ErrorOf("[model]\n"), ErrorOf("[parallelism]\n"));
    EXPECT_EQ(ErrorOf("parallelism = 1\n[model]\n"), "t.toml:1: parallelism: is not a table");
    EXPECT_EQ(ErrorOf("[parallelism]\n[model]\n"),
              "t.toml:2: 0 layers are not a multiple of pp = 1");
    EXPECT_EQ(
        ErrorOf("skipBelowRanks = true\n" + Text("")),
        "t.toml:1: 'skipBelowRanks' is not a key of a file with [parallelism]; keys are title, "
        "barrier, parallelism, model");
    EXPECT_EQ(
        ErrorOf(Text("tpp = 1")),
        "t.toml:2: 'tpp' is not a key of [parallelism] (did you mean 'tp'?); keys are tp, pp, "
        "dp, ep, order, microbatches, schedule, virtualStages, sequenceParallel, gradients");
    EXPECT_EQ(
        ErrorOf(Text("", "bytes = 1")),
        "t.toml:4: 'bytes' is not a key of a layer; keys are name, repeat, forward, backward, "
        "tensor, experts, skew, parameters, expertParameters");
    EXPECT_EQ(ErrorOf(Text("schedule = \"1b1f\"")),
              "t.toml:2: schedule: '1b1f' is none (did you mean '1f1b'?); there are gpipe, 1f1b, "
              "interleaved, forward");
    EXPECT_EQ(ErrorOf(Text("gradients = \"all\"")),
              "t.toml:2: gradients: 'all' is none; there are all-reduce, reduce-scatter");
    for (const std::string order : {"[]",
                                    "[\"tp\", \"dp\"]",
                                    "[\"tp\", \"dp\", \"tp\"]",
                                    "[\"tp\", \"dp\", \"pp\", \"pp\"]",
                                    "[\"tp\", \"dp\", \"ep\"]"})
    {
        EXPECT_EQ(ErrorOf(Text("order = " + order)),
                  "t.toml:2: order: is not tp, dp and pp, neighbours first, such as [\"tp\", "
                  "\"dp\", \"pp\"]")
            << order;
    }
    EXPECT_EQ(ErrorOf(Text("ep = 2", "experts = 1, skew = \"hit:3\"")),
              "t.toml:4: skew: is not hot:FACTOR (0..1e6) or zipf:EXPONENT (0..100)");
    EXPECT_EQ(ErrorOf(Text("", "repeat = 10001")),
              "t.toml:4: repeat: is not a whole number of 1..10000");
    EXPECT_EQ(ErrorOf(Text("", "repeat = 10000 }, { name = \"x\"")),
              "t.toml:4: more than 10000 layers");
    EXPECT_EQ(
        ErrorOf(Text("microbatches = 1000000")),
        "t.toml:1: too many steps: 1000000 microbatches through 8 layers on 64 hosts (at most "
        "16777216 steps)");
}

/// Any text gives a workload that can run, or a message of one line.
TEST(ParallelSection, AnyTextIsReadOrRefusedInOneLine)
{
    const std::string file =
        Text("tp = 2\npp = 2\ndp = 8\nep = 4\norder = [\"tp\", \"pp\", \"dp\"]\nmicrobatches = 4\n"
             "schedule = \"1f1b\"\ngradients = \"all-reduce\"",
             "name = \"a\", repeat = 4, forward = \"1us\", tensor = 7, experts = \"1kB\", skew = "
             "\"zipf:1\", parameters = 9") +
        "activations = 3\noptimizer = \"1us\"\n";
    ASSERT_EQ(ErrorOf(file), "");
    const std::string alphabet = std::string("0123456789abe=\"[]{},.-_ \n\t\x01\xff#'") + '\0';
    std::mt19937 random(5);
    uint32_t refused = 0;
    constexpr uint32_t TEXTS = 1000;
    for (uint32_t i = 0; i < TEXTS; ++i)
    {
        std::string text = file;
        for (auto changes = 1 + random() % 3; changes > 0; --changes)
        {
            text[random() % text.size()] = alphabet[random() % alphabet.size()];
        }
        const std::string error = ErrorOf(text);
        refused += error.empty() ? 0 : 1;
        for (const char c : error)
        {
            ASSERT_TRUE(c >= ' ' && c <= '~') << error;
        }
    }
    EXPECT_GT(refused, TEXTS / 5);
    EXPECT_LT(refused, TEXTS);
}

#endif
