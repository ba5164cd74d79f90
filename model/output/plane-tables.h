/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_TABLES_H
#define PLANE_TABLES_H

#include "ns3/plane-series.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Writes the tables of planes over time: bytes that NICs have sent, and the states of entropy
 * values. doc/series.rst says what each column means.
 */
class PlaneTables
{
  public:
    /// @param series what was seen, in all parts of the run; must outlive this
    explicit PlaneTables(const PlaneSeries& series)
        : m_series(series)
    {
    }

    /**
     * Write one row for each interval and plane.
     *
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    void WritePlanes(const std::string& path) const;

    /**
     * Write one row for each interval, host with counts of its own, and plane.
     *
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    void WriteHosts(const std::string& path) const;

    /**
     * Write one row for each change of the state of an entropy value.
     *
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    void WriteChanges(const std::string& path) const;

  private:
    const PlaneSeries& m_series; //!< what was seen
};

} // namespace aifabric
} // namespace ns3

#endif /* PLANE_TABLES_H */
