/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_TABLE_H
#define PAUSE_TABLE_H

#include "ns3/interval-series.h"
#include "ns3/pause-counts.h"
#include "ns3/pause-sums.h"
#include "ns3/port-catalog.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What PFC did in a run, as pfc.csv and as keys of run.json. doc/pfc.rst says what each column
 * means.
 */
class PauseTable
{
  public:
    /// @param counts what was counted; must outlive this
    explicit PauseTable(const PauseCounts& counts)
        : m_counts(counts)
    {
    }

    /// Add the sums to run.json.  @param json the object that is to hold them
    void AddResults(nlohmann::ordered_json& json) const;

    /**
     * Write the table of ports and classes.
     *
     * @param path the file
     * @param catalog the ports
     * @throws std::runtime_error if it cannot be written
     */
    void Write(const std::string& path, const PortCatalog& catalog) const;

    /**
     * Write the pauses over time. A class of a port that was not paused in an interval, and got no
     * PFC frame, has no row.
     *
     * @param path the file
     * @param catalog the ports
     * @param series the pauses
     * @throws std::runtime_error if it cannot be written
     */
    void WriteSeries(const std::string& path,
                     const PortCatalog& catalog,
                     const IntervalSeries<PauseSums>& series) const;

  private:
    const PauseCounts& m_counts; //!< what was counted
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_TABLE_H */
