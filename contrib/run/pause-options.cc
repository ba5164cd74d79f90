/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-options.h"

#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/buffer-admission.h"
#include "ns3/pause-monitor.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/shared-buffer.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

namespace
{

const char* const WATCHDOG = "watchdog"; //!< option: what breaks pauses that do not end
const char* const STORM = "pauseStorm";  //!< option: hosts that pause their switch

} // namespace

void
PauseOptions::Declare(OptionTable& table)
{
    table.AddNone(WATCHDOG,
                  "what switches do about a queue that PFC blocks for too long: drop its frames "
                  "(drop), or ignore the pause (forward); none: they wait");
    table.AddNone(STORM,
                  "hosts whose NIC keeps its lossless classes paused, whatever it has room for, "
                  "such as host-3@1ms-5ms or host-3@1ms, separated by commas");
    table.Reserve("ns3::aifabric::PfcWatchdog::Action", WATCHDOG);
    for (const std::string attribute : {"Class", "Start", "Stop"})
    {
        table.Reserve("ns3::aifabric::PauseStorm::" + attribute, STORM);
    }
}

uint8_t
PauseOptions::FindLosslessClasses(TypeId admission)
{
    UintegerValue classes;
    MakePolicy<BufferAdmission>(admission)->GetAttributeFailSafe("LosslessClasses", classes);
    return static_cast<uint8_t>(classes.Get());
}

void
PauseOptions::Read()
{
    m_scenario.losslessClasses = FindLosslessClasses(m_scenario.admission);
    if (m_scenario.losslessClasses == 0)
    {
        const std::string why = "only with --admission=shared and a lossless class "
                                "(--ns3::aifabric::SharedBuffer::LosslessClasses=8)";
        RefuseGiven({WATCHDOG, STORM}, why);
        RefuseAttributes(PauseMonitor::GetTypeId().GetName(), why);
        RefuseAttributes(SharedBuffer::GetTypeId().GetName(),
                         {"ReserveBytes",
                          "IngressAlpha",
                          "ResumeOffset",
                          "HeadroomBytes",
                          "ResponseTime",
                          "PauseQuanta"},
                         why);
    }
    ReadWatchdog();
    if (IsNone(STORM))
    {
        RefuseAttributes(PauseStorm::GetTypeId().GetName(), "only with --pauseStorm");
        return;
    }
    for (const std::string& item : ReadList(STORM))
    {
        ReadStorm(item);
    }
}

void
PauseOptions::ReadWatchdog()
{
    const std::string& value = ReadChoice(WATCHDOG, {"drop", "forward"});
    m_scenario.watchdog = value == NONE ? "" : value;
    if (IsNone(WATCHDOG))
    {
        RefuseAttributes(PfcWatchdog::GetTypeId().GetName(), "only with --watchdog");
    }
}

void
PauseOptions::ReadStorm(const std::string& item)
{
    const uint32_t hosts = m_scenario.graph->HostCount();
    const std::size_t at = item.find('@');
    const std::optional<uint32_t> host = ParseHost(item.substr(0, at), hosts);
    const std::optional<TimeRange> range =
        ParseTimeRange(at == std::string::npos ? "" : item.substr(at + 1));
    OptionError::ThrowIf(!host || !range,
                         STORM,
                         item,
                         "a host from host-0 to host-" + std::to_string(hosts - 1) +
                             ", @, begin, and maybe - and a later end, such as host-0@1ms-5ms");
    for (const auto& storm : m_scenario.storms)
    {
        const bool isApart = (storm.stopPs && *storm.stopPs < range->startPs) ||
                             (range->stopPs && *range->stopPs < storm.startPs);
        OptionError::ThrowIf(storm.host == *host && !isApart,
                             STORM,
                             item,
                             "a begin after the end of the other storm of host-" +
                                 std::to_string(*host));
    }
    m_scenario.storms.push_back({*host, range->startPs, range->stopPs});
}

} // namespace aifabric
} // namespace ns3
