/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"

#include "ns3/flow-list.h"
#include "ns3/message-text.h"
#include "ns3/rank-transport.h"
#include "ns3/time-units.h"

#include <filesystem>
#include <system_error>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* BACKGROUND_POISSON = "poisson";
constexpr const char* BACKGROUND_CHECKPOINT = "checkpoint";

/// @return whether a text is a kind of background
bool
IsBackgroundKind(const std::string& text)
{
    return text == BACKGROUND_POISSON || text == BACKGROUND_CHECKPOINT;
}

const OptionWhen ONLY_POISSON = Only("background", BACKGROUND_POISSON);
const OptionWhen ONLY_CHECKPOINT = Only("background", BACKGROUND_CHECKPOINT);
const OptionWhen ONLY_MADE = {
    "only with --background=poisson or checkpoint, and not with a file of "
    "--backgroundCdf",
    [](const FabricScenario& scenario) {
        return IsBackgroundKind(scenario.options.at("background")) &&
               scenario.options.at("backgroundCdf") == NONE;
    }};

} // namespace

/// The options of traffic beside that which a run is about.
// clang-format off
const OptionGroup BACKGROUND_ROWS = {"Background traffic", {
    {"background", NONE, FileOr(IsBackgroundKind),
     "flows beside the traffic, for which the run does not wait: a file with the columns of the "
     "file of flows, poisson (messages that arrive at random at each host, each for a random "
     "other host), or checkpoint (in each period all other hosts send to a few servers)"},
    {"backgroundCdf", NONE, Plain("file"),
     "background poisson: file with the distribution of message lengths, whose first line is "
     "bytes,probability (none: all have one length)", {}, ONLY_POISSON},
    {"backgroundLoad", AUTO,
     Number("a decimal number above 0 and at most 1",
            [](double load) { return load > 0 && load <= 1; },
            0.2),
     "background poisson: payload of the messages that start per second, as a share of the line "
     "rate of the hosts (above 0, at most 1; auto: 0.2)", {}, ONLY_POISSON},
    {"backgroundSize", AUTO, Bytes(1),
     "background: bytes of each message (auto: 64KiB; checkpoint: 1MiB)", {}, ONLY_MADE},
    {"backgroundServers", AUTO, Whole(1, 0, 1),
     "background checkpoint: the last so many hosts, to which the others send in turn (auto: 1)",
     {}, ONLY_CHECKPOINT},
    {"backgroundPeriod", AUTO, Duration(1),
     "background checkpoint: time from one period to the next; the first begins at 0 (auto: twice "
     "the time that the servers need at line rate)",
     {}, ONLY_CHECKPOINT},
}};

// clang-format on

namespace
{

/// Reads the traffic beside that which a run is about.
class BackgroundOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Read it.
    void ReadBackground()
    {
        const std::string option = "background";
        const std::string kind = m_table.Get(option);
        RefuseUnmeant({"backgroundCdf", "backgroundLoad", "backgroundServers", "backgroundPeriod"});
        RefuseUnmeant({"backgroundSize"});
        if (IsNone(option))
        {
            return;
        }
        RefuseIf(m_scenario.receiverSlots > 0,
                 option,
                 "none with --receiverAdmission, whose slots the flows would share");
        RefuseIf(RankTransport::GetRanks() > 1, option, "none with several --ranks");
        kind == BACKGROUND_POISSON      ? ReadPoisson()
        : kind == BACKGROUND_CHECKPOINT ? ReadCheckpoints()
                                        : ReadList();
    }

    /// Refuse what the background does not go with, once that is known.
    void CheckBackground() const
    {
        if (m_scenario.background.kind != BackgroundSpec::Kind::NONE)
        {
            RefuseIf(m_scenario.job.EndsIterations(),
                     "onFailure",
                     "continue or stop with --background, whose queue pairs an aborted iteration "
                     "does not abort");
        }
    }

  private:
    void ReadList()
    {
        const std::string option = "background";
        const std::string path = m_table.Get(option);
        std::error_code ignored;
        RefuseIf(!std::filesystem::exists(path, ignored),
                 option,
                 "there is no such file; poisson, checkpoint, a file, or none" +
                     Hint(path, {BACKGROUND_POISSON, BACKGROUND_CHECKPOINT}));
        BackgroundSpec& spec = m_scenario.background;
        spec.kind = BackgroundSpec::Kind::LIST;
        spec.flows = ReadFile(option, [this, &path]() {
            return ReadFlowCsvFile(path, m_scenario.graph->HostCount());
        });
        for (Flow& flow : spec.flows)
        {
            flow.isBackground = true;
        }
    }

    void ReadPoisson()
    {
        constexpr double HEADERS = 82;    // bytes of a message of one packet, with what is between
        constexpr double MOST_LOAD = 1.1; // of long messages, whose headers are a few percent
        BackgroundSpec& spec = m_scenario.background;
        spec.kind = BackgroundSpec::Kind::POISSON;
        const bool isEven = IsNone("backgroundCdf");
        const double bytes = isEven ? ReadSize(65536) : 0;
        const auto read = [this]() {
            return ReadSizeDistributionFile(m_table.Get("backgroundCdf"));
        };
        spec.sizes = isEven ? SizeDistribution({{bytes, 1}}) : ReadFile("backgroundCdf", read);
        const double rate = static_cast<double>(m_scenario.rate) * m_scenario.graph->Planes();
        const double load = Read("backgroundLoad");
        const double mean = spec.sizes->GetMean();
        RefuseIf(
            load * (mean + HEADERS) > MOST_LOAD * mean,
            "backgroundLoad",
            "less for messages that short: with headers, the hosts' links would be overloaded");
        spec.meanGapPs = mean * BIT_PS_PER_BYTE / (load * rate);
    }

    void ReadCheckpoints()
    {
        constexpr double LONGEST_PERIOD_PS = 1e15; // as a given one
        BackgroundSpec& spec = m_scenario.background;
        spec.kind = BackgroundSpec::Kind::CHECKPOINT;
        spec.bytes = ReadSize(1048576);
        const int64_t hosts = m_scenario.graph->HostCount();
        spec.servers = Read("backgroundServers", Whole(1, hosts - 1, 1));
        const uint64_t clients = (hosts - 1) / spec.servers; // of the busiest server
        const double bytes = 2.0 * static_cast<double>(clients) * static_cast<double>(spec.bytes);
        const double usualPs =
            bytes * static_cast<double>(PsPerByte(m_scenario.rate)) / m_scenario.graph->Planes();
        RefuseIf(m_table.Get("backgroundPeriod") == AUTO && usualPs > LONGEST_PERIOD_PS,
                 "backgroundSize",
                 "less than a server receives in 500 s, or with --backgroundPeriod");
        spec.periodPs = Read("backgroundPeriod", static_cast<int64_t>(usualPs));
        RefuseIf(static_cast<double>(spec.periodPs) <
                     usualPs / (2.0 * static_cast<double>(clients)),
                 "backgroundPeriod",
                 "no less than a host takes to send --backgroundSize at its line rate");
    }

    /// @return bytes of a message  @param usual what "auto" stands for
    uint64_t ReadSize(uint64_t usual)
    {
        const uint64_t size = Read("backgroundSize", usual);
        RefuseIf(size > MAX_FLOW_BYTES,
                 "backgroundSize",
                 "at most " + std::to_string(MAX_FLOW_BYTES) + " bytes");
        return size;
    }
};

} // namespace

void
ReadBackground(const OptionTable& table, FabricScenario& scenario)
{
    BackgroundOptions(table, scenario).ReadBackground();
}

void
CheckBackground(const OptionTable& table, FabricScenario& scenario)
{
    BackgroundOptions(table, scenario).CheckBackground();
}

} // namespace aifabric
} // namespace ns3
