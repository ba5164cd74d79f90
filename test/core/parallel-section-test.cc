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
ReadPlan(const std::string& text)
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
Declare(const std::string& keys, const std::string& layer = "repeat = 8")
{
    return "[parallelism]\n" + keys + "\n[model]\nlayers = [{ " + layer + " }]\n";
}

} // namespace

TEST(ParallelSection, HasDefaults)
{
    const ParallelPlan plan = ReadPlan(Declare("", "forward = \"3us\""));
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
    const ParallelPlan plan = ReadPlan(
        "title = \"T\"\nbarrier = true\n" +
        Declare("tp = 2\npp = 4\ndp = 8\nep = 4\norder = [\"pp\", \"tp\", \"dp\"]\n"
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
    EXPECT_EQ(layer.tokens[0].dispatch->GetBytes()[4], 6U);
    EXPECT_EQ(layer.tokens[0].combine->GetBytes()[1], 6U);
    EXPECT_EQ(layer.tokens[0].dispatch, plan.layers[0].tokens[0].dispatch); // measured once
}

TEST(ParallelSection, DrawsTokensForEachLayerMicrobatchAndGroup)
{
    std::mt19937 random(5);
    const auto uniform = [&random](uint32_t bound) {
        return static_cast<uint32_t>(random() % bound);
    };
    const std::string text =
        Declare("ep = 4\nmicrobatches = 2",
                "repeat = 2, experts = 4000, skew = \"zipf:1\", draw = \"step\", token = 10");
    const TomlValue file = ParseToml(text, "t.toml");
    const auto plan = ReadParallelPlan(TomlSection(file, "t.toml", "the file"), HOSTS, uniform);
    ASSERT_EQ(plan.layers.size(), 2U);
    std::set<std::vector<uint64_t>> different;
    for (const ModelLayer& layer : plan.layers)
    {
        ASSERT_EQ(layer.tokens.size(), 2U * HOSTS / 4); // microbatches and groups
        for (const ExpertParts& parts : layer.tokens)
        {
            different.insert(parts.dispatch->GetBytes());
            EXPECT_EQ(parts.dispatch->Transposed().GetBytes(), parts.combine->GetBytes());
        }
    }
    EXPECT_EQ(different.size(), 4U * HOSTS / 4);
    random.seed(5);
    const TrainingWorkload workload =
        ReadTrainingWorkload(text, "t.toml", HOSTS, {}, nullptr, uniform);
    for (uint32_t host = 0; host < HOSTS; host += 5)
    {
        std::vector<std::shared_ptr<const PartSizes>> parts;
        for (const WorkloadNode& node : workload.programs[workload.programOf[host]])
        {
            if (node.collective == CollectiveKind::ALL_TO_ALL)
            {
                parts.push_back(node.parts);
            }
        }
        // Forward and backward passes of two microbatches through two layers: each sends and
        // returns the same tokens in both directions.
        ASSERT_EQ(parts.size(), 16U);
        const uint32_t group = host / 4;
        std::map<std::vector<uint64_t>, uint32_t> seen;
        for (const auto& one : parts)
        {
            ++seen[one->GetBytes()];
        }
        EXPECT_EQ(seen.size(), 8U);
        for (uint32_t microbatch = 0; microbatch < 2; ++microbatch)
        {
            const ExpertParts& drawn = plan.layers[1].tokens[microbatch * HOSTS / 4 + group];
            EXPECT_EQ(seen[drawn.dispatch->GetBytes()], 2U) << host;
            EXPECT_EQ(seen[drawn.combine->GetBytes()], 2U) << host;
        }
    }
}

TEST(ParallelSection, NamesWhatDoesNotFit)
{
    EXPECT_EQ(ErrorOf(Declare("tp = 8\npp = 8\ndp = \"rest\"")), "");
    EXPECT_EQ(ErrorOf(Declare("tp = 5\npp = 8")),
              "t.toml:1: tp = 5 times pp = 8 does not divide the 64 hosts");
    EXPECT_EQ(ErrorOf(Declare("tp = 5\npp = 8\ndp = 1")), "");
    EXPECT_EQ(ErrorOf(Declare("tp = 5\npp = 8\ndp = 2")),
              "t.toml:1: tp = 5 times pp = 8 times dp = 2 is more than the 64 hosts");
    EXPECT_EQ(ErrorOf(Declare("tp = 65")), "t.toml:2: tp: 65 is not a whole number of 1..64");
    EXPECT_EQ(ErrorOf(Declare("dp = \"all\"")), "t.toml:2: dp: 'all' is not a number or \"rest\"");
    EXPECT_EQ(ErrorOf(Declare("dp = 0")), "t.toml:2: dp: 0 is not a whole number of 1..64");
    EXPECT_EQ(ErrorOf(Declare("dp = 8\nep = 3")), "t.toml:3: ep: 3 does not divide dp = 8");
    EXPECT_EQ(ErrorOf(Declare("pp = 4", "repeat = 6")),
              "t.toml:3: 6 layers are not a multiple of pp = 4");
    EXPECT_EQ(
        ErrorOf(Declare("pp = 4\nschedule = \"interleaved\"\nmicrobatches = 4", "repeat = 12")),
        "t.toml:5: 12 layers are not a multiple of pp = 4 times virtualStages = 2");
    EXPECT_EQ(ErrorOf(Declare("pp = 4\nschedule = \"interleaved\"\nmicrobatches = 6")),
              "t.toml:1: interleaved needs microbatches of a multiple of pp = 4");
    EXPECT_EQ(ErrorOf(Declare("schedule = \"interleaved\"")),
              "t.toml:2: schedule: interleaved needs pp of 2 or more");
    EXPECT_EQ(ErrorOf(Declare("virtualStages = 2")),
              "t.toml:2: virtualStages: needs schedule = \"interleaved\"");
}

TEST(ParallelSection, NamesLineAndWhatIsAllowed)
{
    EXPECT_EQ(ErrorOf("[parallelism]\n"), "t.toml:1: there is no [[phase]] and no [model]");
    EXPECT_EQ(ErrorOf("[model]\n"), "t.toml:1: [model] needs [parallelism]");
    EXPECT_EQ(ErrorOf("parallelism = 1\n[model]\n"), "t.toml:1: parallelism: 1 is not a table");
    EXPECT_EQ(ErrorOf("[parallelism]\n[model]\n"), "t.toml:2: layers: at least one is needed");
    EXPECT_EQ(ErrorOf("skipBelowRanks = true\n" + Declare("")),
              "t.toml:1: 'skipBelowRanks' is not a key of a file with [model]; keys are title, "
              "barrier, parallelism, model");
    EXPECT_EQ(
        ErrorOf(Declare("tpp = 1")),
        "t.toml:2: 'tpp' is not a key of [parallelism] (did you mean 'tp'?); keys are tp, pp, "
        "dp, ep, order, microbatches, schedule, virtualStages, sequenceParallel, gradients");
    EXPECT_EQ(
        ErrorOf(Declare("", "bytes = 1")),
        "t.toml:4: 'bytes' is not a key of a layer; keys are name, repeat, forward, backward, "
        "tensor, experts, skew, draw, token, parameters, expertParameters");
    EXPECT_EQ(ErrorOf(Declare("schedule = \"1b1f\"")),
              "t.toml:2: schedule: '1b1f' is none (did you mean '1f1b'?); there are gpipe, 1f1b, "
              "interleaved, forward");
    EXPECT_EQ(ErrorOf(Declare("gradients = \"all\"")),
              "t.toml:2: gradients: 'all' is none; there are all-reduce, reduce-scatter");
    for (const std::string order : {"[]",
                                    "[\"tp\", \"dp\"]",
                                    "[\"tp\", \"dp\", \"tp\"]",
                                    "[\"tp\", \"dp\", \"pp\", \"pp\"]",
                                    "[\"tp\", \"dp\", \"ep\"]"})
    {
        EXPECT_EQ(ErrorOf(Declare("order = " + order)),
                  "t.toml:2: order: is not tp, dp and pp, neighbours first, such as [\"tp\", "
                  "\"dp\", \"pp\"]")
            << order;
    }
    EXPECT_EQ(ErrorOf(Declare("ep = 2", "experts = 1, skew = \"hit:3\"")),
              "t.toml:4: skew: 'hit:3' is not hot:FACTOR (0..1e6) or zipf:EXPONENT (0..100)");
    EXPECT_EQ(ErrorOf(Declare("ep = 2", "skew = \"hot:3\"")),
              "t.toml:4: skew: needs experts, the bytes that a rank sends them");
    const std::string forward = "schedule = \"forward\"";
    for (const std::string key : {"backward = \"1us\"", "parameters = 1", "expertParameters = 1"})
    {
        EXPECT_EQ(ErrorOf(Declare(forward, key)),
                  "t.toml:4: " + key.substr(0, key.find(' ')) +
                      ": has no effect with schedule = \"forward\"");
    }
    EXPECT_EQ(ErrorOf(Declare(forward + "\ngradients = \"all-reduce\"")),
              "t.toml:3: gradients: has no effect with schedule = \"forward\"");
    EXPECT_EQ(ErrorOf(Declare("", "repeat = 10001")),
              "t.toml:4: repeat: 10001 is not a whole number of 1..10000");
    EXPECT_EQ(ErrorOf(Declare("", "repeat = 10000 }, { name = \"x\"")),
              "t.toml:4: more than 10000 layers");
    EXPECT_EQ(
        ErrorOf(Declare("microbatches = 1000000")),
        "t.toml:1: too many steps: 1000000 microbatches through 8 layers on 64 hosts (at most "
        "16777216 steps)");
}

namespace
{

/// @return a text with phases  @param keys of [parallelism], on line 3  @param steps on line 5
std::string
Phases(const std::string& keys, const std::string& steps)
{
    return "[parallelism]\n\n" + keys + "\n[[phase]]\nsteps = [" + steps + "]\n";
}

} // namespace

/// A step of a dimension is of all its groups, each with a communicator of its own.
TEST(ParallelSection, StepsOfPhasesAreOfDimensions)
{
    const std::string steps =
        "{ name = \"a\", collective = \"all-reduce\", bytes = 64, on = \"tp\" }, "
        "{ compute = \"1us\", on = \"pp\" }, "
        "{ collective = \"all-gather\", bytesPerRank = 2, on = \"edp\", after = [\"a\"] }";
    const auto workload = ReadTrainingWorkload(Phases("tp = 4\npp = 2", steps), "t.toml", HOSTS);
    std::set<uint32_t> communicators;
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        const WorkloadProgram& program = workload.programs[workload.programOf[host]];
        ASSERT_EQ(program.size(), 3U);
        const Communicator& tensor = workload.communicators[program[0].communicator];
        EXPECT_EQ(tensor.name, "tp " + std::to_string(host / 4));
        EXPECT_EQ(tensor.hosts[host % 4], host);
        EXPECT_EQ(program[1].durationPs, 1'000'000);
        EXPECT_EQ(program[2].bytes, 16U);
        EXPECT_EQ(program[2].dependencies, std::vector<uint32_t>{0});
        communicators.insert(program[2].communicator);
    }
    EXPECT_EQ(communicators.size(), 8U);
}

/// In groups of one host, a collective takes no time, and a delay is one of each host.
TEST(ParallelSection, StepsOfDimensionsOfOneRank)
{
    const std::string steps =
        "{ name = \"a\", collective = \"all-reduce\", bytes = 64, on = \"ep\" }, "
        "{ compute = \"1us\", on = \"tp\" }";
    const auto workload = ReadTrainingWorkload(Phases("", steps), "t.toml", HOSTS);
    ASSERT_EQ(workload.programs.size(), 1U);
    const WorkloadProgram& program = workload.programs[0];
    ASSERT_EQ(program.size(), 2U);
    EXPECT_EQ(program[0].kind, WorkloadNode::Kind::COMPUTE);
    EXPECT_EQ(program[0].durationPs, 0);
    EXPECT_EQ(program[1].durationPs, 1'000'000);
}

TEST(ParallelSection, RefusesPhasesThatDoNotFit)
{
    EXPECT_EQ(
        ErrorOf(Phases("tp = 16", "{ compute = \"1us\", on = \"edpp\" }")),
        "t.toml:5: on: there is no communicator 'edpp' (did you mean 'edp'?); there are dp, edp, "
        "ep, pp, tp, all, tp 0, tp 1, tp 2, tp 3, dp 0, dp 1, dp 2, dp 3, dp 4, dp 5, dp 6, dp 7, "
        "dp 8, dp 9, ...");
    EXPECT_EQ(
        ErrorOf(Phases("dp = 4", "{ compute = \"1us\" }")),
        "t.toml:1: phases are of all hosts: tp times pp times dp is 4, and there are 64 hosts");
    EXPECT_EQ(
        ErrorOf(Phases("microbatches = 4", "{ compute = \"1us\" }")),
        "t.toml:3: 'microbatches' is not a key of [parallelism]; keys are tp, pp, dp, ep, order");
    EXPECT_EQ(ErrorOf("communicator = [{ name = \"tp\", hosts = [1] }]\n" +
                      Phases("", "{ compute = \"1us\" }")),
              "t.toml:1: name: there is another communicator 'tp'");
    EXPECT_EQ(ErrorOf(Phases("tp = 4", "{ compute = \"1us\" }") + "[model]\n"),
              "t.toml:4: 'phase' is not a key of a file with [model]; keys are title, barrier, "
              "parallelism, model");
}

/// Any text gives a workload that can run, or a message of one line.
TEST(ParallelSection, AnyTextIsReadOrRefusedInOneLine)
{
    const std::string file =
        Declare(
            "tp = 2\npp = 2\ndp = 8\nep = 4\norder = [\"tp\", \"pp\", \"dp\"]\nmicrobatches = 4\n"
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
