/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/rank-transport.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr uint32_t SCENARIOS = 28;      //!< random ones; each balancer twice
constexpr uint32_t PLANE_SCENARIOS = 8; //!< random ones with several planes

/// @return what a command prints last
std::string
LastLineOf(const std::string& command)
{
    std::string last;
    std::array<char, 4096> line;
    FILE* pipe = popen(command.c_str(), "r");
    while (pipe && fgets(line.data(), line.size(), pipe))
    {
        last = line.data();
    }
    if (pipe)
    {
        pclose(pipe);
    }
    return last.substr(0, last.find('\n'));
}

/// @return what a file holds, but for lines about what it has cost
std::string
ReadResults(const std::string& path)
{
    std::ifstream file(path);
    std::string text;
    for (std::string line; std::getline(file, line);)
    {
        bool isCost = false;
        for (const char* key : {"\"ranks\"",
                                "\"simulator\"",
                                "\"threads\"",
                                "\"events\"",
                                "\"cpu_s\"",
                                "\"wall_s\"",
                                "\"loop_wall_s\"",
                                "\"peak_rss_bytes\"",
                                "\"packet_hops_per_cpu_s\"",
                                "\"out\""})
        {
            isCost |= line.find(key) != std::string::npos;
        }
        text += isCost ? "" : line + "\n";
    }
    return text;
}

/// A scenario leaves the same files on several ranks as on one.
class EqualOnRanksTestCase : public TestCase
{
  public:
    /// @param hasPods a fat-tree, or else a fabric of several planes
    /// @param given options in a fat-tree, in place of random ones
    EqualOnRanksTestCase(const std::string& program,
                         uint32_t seed,
                         bool hasPods,
                         const std::string& given = "")
        : TestCase((!given.empty() ? "given "
                    : hasPods      ? "scenario "
                                   : "planes ") +
                   std::to_string(seed)),
          m_program(program),
          m_seed(seed),
          m_hasPods(hasPods),
          m_given(given),
          m_random(seed)
    {
    }

  private:
    void DoRun() override
    {
        const std::string options = !m_given.empty()
                                        ? " --k=4 --pcap=pod1-edge-0:0,host-15 " + m_given
                                    : m_hasPods ? MakeOptions()
                                                : MakePlaneOptions();
        const uint32_t ranks = 2 + m_seed % (m_hasPods ? 3 : 2);
        const std::string engine = m_random() % 2 ? "granted" : "null-message";
        const std::string one = CreateTempDirFilename("one-" + std::to_string(m_seed));
        const std::string many = CreateTempDirFilename("many-" + std::to_string(m_seed));
        const std::string count = std::to_string(ranks);
        Call(m_program + options + " --out=" + one);
        Call("mpiexec -n " + count + " " + m_program + options + " --ranks=" + count +
             " --engine=" + engine + " --out=" + many);
        for (const std::string name : {"flows.csv",
                                       "links.csv",
                                       "layers.csv",
                                       "queues.csv",
                                       "events.csv",
                                       "run.json",
                                       m_hasPods ? "pod1-edge-0-0.pcap" : "plane1-leaf-2-3.pcap",
                                       m_hasPods ? "host-15.pcap" : "host-8.pcap"})
        {
            const std::string expected = ReadResults(one + "/" + name);
            NS_TEST_EXPECT_MSG_EQ(expected.empty(), false, name << " is there:" << options);
            NS_TEST_EXPECT_MSG_EQ((ReadResults(many + "/" + name) == expected),
                                  true,
                                  name << " on " << ranks << " ranks, " << engine << ":"
                                       << options);
        }
    }

    /// Run a command, which has to succeed.
    void Call(const std::string& command)
    {
        NS_TEST_EXPECT_MSG_EQ(std::system((command + " > /dev/null").c_str()), 0, command);
    }

    std::string Pick(const std::vector<std::string>& texts)
    {
        return texts[m_random() % texts.size()];
    }

    /// @return the options of a random scenario
    std::string MakeOptions()
    {
        const std::vector<std::string> balancers = {"ecmp",
                                                    "subflow",
                                                    "plb",
                                                    "flowlet",
                                                    "host-random",
                                                    "host-permuted",
                                                    "simple-rr",
                                                    "rr",
                                                    "reps",
                                                    "switch-ar",
                                                    "jsq",
                                                    "rsq",
                                                    "host-dr",
                                                    "ofan",
                                                    "prime",
                                                    "mixed"};
        const std::string balancer = balancers[m_seed % balancers.size()];
        const std::string traffic = Pick({"--size=64KiB",
                                          "--size=128KiB --jitter=0ns",
                                          "--workload=all-to-all --size=8KiB",
                                          "--workload=incast --senders=5 --size=64KiB"});
        const std::string stack = Pick({"",
                                        "--recovery=sack",
                                        "--recovery=strict",
                                        "--recovery=go-back-n",
                                        "--acks=bypass",
                                        "--transport=spray --admission=trimming --buffer=9000",
                                        "--transport=spray --acks=bypass --ip=6",
                                        "--admission=shared",
                                        "--buffer=30000"});
        const std::string faults = Pick({"",
                                         "",
                                         "--failRate=0.05 --convergence=1us",
                                         "--fail=pod0-agg-0:2--core-0:0@2us-5us --convergence=2us",
                                         "--fail=pod1-agg-0:2--core-0:1%0.02@0ns",
                                         "--fail=pod0-agg-1:2--core-2:0*0.5@1us"});
        const std::string samples = m_seed % 2 ? " --rate=200Gb/s --sample=1ns" : "";
        return " --k=4 --balancer=" + balancer + " " + traffic + " " + stack + " " + faults +
               samples + " --pcap=pod1-edge-0:0,host-15 --RngRun=" + std::to_string(m_seed);
    }

    /// @return the options of a random scenario in which much happens at once at hosts
    std::string MakePlaneOptions()
    {
        return " --topology=leaf-spine --leaves=3 --spines=2 --hostsPerLeaf=3 --planes=4 "
               "--workload=all-to-all --size=20000B --jitter=0ns --acks=bypass "
               "--ns3::aifabric::FixedControl::Window=20000 --pcap=plane1-leaf-2:3,host-8 " +
               Pick({"--balancer=host-random", "--balancer=host-permuted"}) +
               " --recovery=go-back-n --RngRun=" + std::to_string(m_seed);
    }

    std::string m_program; //!< ai-fabric-run
    uint32_t m_seed;       //!< of the scenario
    bool m_hasPods;        //!< a fat-tree
    std::string m_given;   //!< its options, if they are not random
    std::mt19937 m_random; //!< decides on it
};

/// What is wrong with a run is one line, whichever ranks notice it.
class OneLineTestCase : public TestCase
{
  public:
    /// @param options of ai-fabric-run, as mpiexec has them: of two ranks, or of each
    /// @param line what the line says after the program's name
    OneLineTestCase(const std::string& what, const std::string& options, const std::string& line)
        : TestCase(what),
          m_options(options),
          m_line(line)
    {
    }

  private:
    void DoRun() override
    {
        const std::string out = std::filesystem::absolute(CreateTempDirFilename("out"));
        const std::string lines = std::filesystem::absolute(CreateTempDirFilename("lines"));
        const std::string command =
            "cd /; OUT=" + out + "; timeout 60 mpiexec " + m_options + " 2>" + lines;
        const std::string status = LastLineOf(command + "; echo $?");
        NS_TEST_EXPECT_MSG_EQ(status, "1", "exit status of " << command);
        const std::string said = LastLineOf("grep -c ^ai-fabric-run: " + lines);
        NS_TEST_EXPECT_MSG_EQ(said, "1", "lines of " << command);
        const std::string expected = "grep -c '^ai-fabric-run: " + m_line + "' " + lines;
        NS_TEST_EXPECT_MSG_EQ(LastLineOf(expected), "1", m_line);
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(out), false, "nothing is left");
    }

    std::string m_options; //!< of mpiexec
    std::string m_line;    //!< what is expected
};

/// A run on several ranks that is interrupted leaves nothing, wherever its ranks write.
class InterruptedRanksTestCase : public TestCase
{
  public:
    explicit InterruptedRanksTestCase(const std::string& program)
        : TestCase("an interrupted run"),
          m_program(program)
    {
    }

  private:
    void DoRun() override
    {
        const std::filesystem::path folder = CreateTempDirFilename("interrupted");
        std::filesystem::create_directories(folder / "scratch");
        const std::string command =
            "TMPDIR=" + (folder / "scratch").string() + " mpiexec -n 2 " + m_program +
            " --k=4 --size=1GB --ranks=2 --out=" + (folder / "out").string() +
            " >/dev/null 2>&1 & sleep 3; find " + folder.string() +
            " -name events.csv.part | wc -l; kill -STOP $!; kill -TERM $(cat "
            "/proc/$!/task/*/children); sleep 1; "
            "kill -CONT $!; wait $!";
        NS_TEST_EXPECT_MSG_EQ(LastLineOf(command), "2", "both ranks were at work");
        const std::string left =
            "find " + folder.string() + " -name 'ai-fabric-*' -o -name '.partial-*' | wc -l";
        NS_TEST_EXPECT_MSG_EQ(LastLineOf(left), "0", "nothing is left in the folders of the ranks");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder / "out"),
                              false,
                              "nor that of the run");
    }

    std::string m_program; //!< ai-fabric-run
};

/// A run has stalled when nothing moves on any rank; while one rank waits and another one works, it
/// has not.
class StallOnRanksTestCase : public TestCase
{
  public:
    explicit StallOnRanksTestCase(const std::string& program)
        : TestCase("ranks stall together"),
          m_program(program)
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("stall");
        std::filesystem::create_directories(folder);
        std::ofstream flows(folder + "/flows.csv");
        flows << "start_ns,source,destination,bytes\n0,15,13,65536\n"; // waits for its leaf
        constexpr int WORKING_US = 150;
        for (int us = 0; us < WORKING_US; ++us)
        {
            flows << us * 1000 << ",0,4,65536\n";
        }
        flows.close();
        const std::string options =
            " --k=4 --recovery=go-back-n --stallTime=50us --convergence=never --flows=" + folder +
            "/flows.csv --ns3::aifabric::RcQueuePair::AckTimeout=20us --fail=";
        const std::string edge =
            "pod3-edge-1:2--pod3-agg-0:1@1ns%,pod3-edge-1:3--pod3-agg-1:1@1ns%";
        const auto call = [&](const std::string& until, const std::string& out, bool isOne) {
            std::string fail = edge;
            for (std::size_t at = fail.find('%'); at != std::string::npos; at = fail.find('%'))
            {
                fail.replace(at, 1, until);
            }
            const std::string command = m_program + options + fail + " --out=" + folder + out;
            return LastLineOf((isOne ? command : "mpiexec -n 2 " + command + " --ranks=2") + " 2>" +
                              folder + out + ".txt >/dev/null; echo $?");
        };
        const std::string count = "grep -c 'stalled after [0-9.]* ns simulated' " + folder;
        NS_TEST_EXPECT_MSG_EQ(call("-100us", "/one", true), "0", "one rank goes on");
        NS_TEST_EXPECT_MSG_EQ(call("-100us", "/two", false), "0", "and so do two");
        NS_TEST_EXPECT_MSG_EQ(
            (ReadResults(folder + "/one/flows.csv") == ReadResults(folder + "/two/flows.csv")),
            true,
            "with the same results");
        NS_TEST_EXPECT_MSG_EQ(call("", "/dead", false), "1", "a leaf is cut off for ever");
        NS_TEST_EXPECT_MSG_EQ(LastLineOf(count + "/dead.txt"), "1", "the rank that waits says so");
    }

    std::string m_program; //!< ai-fabric-run
};

/// Runs on several ranks. They need a tree of ns-3 that was built with MPI and the examples, in
/// whose folder the tests run, as under test.py; elsewhere there is nothing to test.
class RankTestSuite : public TestSuite
{
  public:
    RankTestSuite()
        : TestSuite("ai-fabric-ranks", Type::SYSTEM)
    {
        if (!RankTransport::IsAvailable())
        {
            return;
        }
        for (uint32_t seed = 1; seed <= SCENARIOS; ++seed)
        {
            AddTestCase(new EqualOnRanksTestCase("$AI_FABRIC_RUN", seed, true));
        }
        for (uint32_t seed = 1; seed <= PLANE_SCENARIOS; ++seed)
        {
            AddTestCase(new EqualOnRanksTestCase("$AI_FABRIC_RUN", seed, false));
        }
        uint32_t seed = 0;
        for (const std::string options :
             {"--balancer=host-random --size=64KiB --fail=pod0-agg-0:2--core-0:0%0.2@0ns",
              "--transport=spray --admission=trimming --buffer=9000 --balancer=prime --size=64KiB",
              "--acks=bypass --balancer=host-permuted --workload=all-to-all --size=8KiB"})
        {
            AddTestCase(new EqualOnRanksTestCase("$AI_FABRIC_RUN",
                                                 ++seed,
                                                 true,
                                                 "--forwarding=srv6 " + options));
        }
        for (const std::string options :
             {"--reachability=20us --stallTime=1ms",
              "--steering=split --queuePairs=3",
              "--steering=dqplb --workload=all-to-all",
              "--steering=round-robin --ns3::aifabric::MessageSteering::Renew=true",
              "--steering=ethereal --workload=all-to-all --recovery=sack --fail=cables:1@3us"})
        {
            AddTestCase(new EqualOnRanksTestCase("$AI_FABRIC_RUN",
                                                 ++seed,
                                                 true,
                                                 "--size=64KiB " + options));
        }
        AddTestCase(new InterruptedRanksTestCase("$AI_FABRIC_RUN"));
        AddTestCase(new StallOnRanksTestCase("$AI_FABRIC_RUN"));
        const std::string run = " $AI_FABRIC_RUN --k=4 --ranks=2 --out=$OUT";
        AddTestCase(new OneLineTestCase("an option is wrong", "-n 2" + run + " --k=5", "--k=5: "));
        AddTestCase(new OneLineTestCase("an option is wrong on one rank",
                                        "-n 1" + run + " : -n 1" + run + " --flows=/nowhere",
                                        "--flows=/nowhere: "));
        AddTestCase(new OneLineTestCase(
            "a buffer is too small",
            "-n 2" + run +
                " --admission=shared --ns3::aifabric::SharedBuffer::LosslessClasses=1 --buffer=5kB",
            "--buffer=5000: at least "));
        AddTestCase(new OneLineTestCase("a fatal error",
                                        "-n 2" + run +
                                            " --ns3::aifabric::SharedBuffer::PauseQuanta=1" +
                                            " --admission=shared --buffer=1MB" +
                                            " --ns3::aifabric::SharedBuffer::LosslessClasses=1",
                                        "SharedBuffer::PauseQuanta is 1: "));
        AddTestCase(new OneLineTestCase("a folder cannot be written",
                                        "-n 2 $AI_FABRIC_RUN --k=4 --ranks=2 --out=/proc/self/x",
                                        "--out=/proc/self/x: "));
    }

  private:
    void DoSetup() override
    {
        const std::string program =
            LastLineOf("python3 ./ns3 run ai-fabric-run --no-build --command-template='echo %s'");
        setenv("AI_FABRIC_RUN", program.c_str(), 1);
    }
};

} // namespace

/// Registers the suite.
static RankTestSuite g_rankTestSuite;
