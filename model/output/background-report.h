/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BACKGROUND_REPORT_H
#define BACKGROUND_REPORT_H

#include "ns3/flow.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What became of flows for which the run did not wait.
 */
class BackgroundReport
{
  public:
    /// @param flows those that have started, in the order of the table  @param notStarted flows of
    /// a list that start after the run
    BackgroundReport(std::vector<FlowRecord> flows, uint64_t notStarted);

    /// Add the numbers.  @param json the object that is to hold them
    void AddResults(nlohmann::ordered_json& json) const;

    /// Write the table of flows.  @param path the file  @throws std::runtime_error if it cannot be
    /// written
    void Write(const std::string& path) const;

    /// Print the results, in a line.
    void Print(std::ostream& os) const;

  private:
    std::vector<FlowRecord> m_flows; //!< the flows
    uint64_t m_notStarted;           //!< flows that have not started
    std::vector<int64_t> m_times;    //!< of those that are completed, in ps, ascending
    uint64_t m_bytes{0};             //!< of those
};

} // namespace aifabric
} // namespace ns3

#endif /* BACKGROUND_REPORT_H */
