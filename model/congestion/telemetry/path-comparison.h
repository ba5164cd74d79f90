/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_COMPARISON_H
#define PATH_COMPARISON_H

#include "ns3/path-telemetry.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a control makes of telemetry: it compares a report with the one before, and looks for the
 * port that has the largest of some value.
 */
class PathComparison
{
  public:
    /// The port that has most.
    struct Busiest
    {
        double value{0}; //!< the largest value; 0 if there is none above
        double time{0};  //!< between the two reports of that port, in nanoseconds
    };

    /**
     * Compare a report with the last one, and keep it instead.
     *
     * @param path the report
     * @param sentAt when its packet was sent, in nanoseconds
     * @param measure the value of a port, from its report, the one before, and the time between
     * them in nanoseconds, above 0
     * @return the port with the largest value; none if the last report is of another path or too
     * old (PathTelemetry::Follows)
     */
    template <class Measure>
    std::optional<Busiest> Compare(const PathTelemetry& path, double sentAt, const Measure& measure)
    {
        std::optional<Busiest> busiest;
        if (path.Follows(m_last, sentAt - m_lastSentAt))
        {
            busiest = FindBusiest(path, measure);
        }
        m_last = path;
        m_lastSentAt = sentAt;
        return busiest;
    }

  private:
    /// @return the port with the largest value  @param path the report  @param measure the value
    template <class Measure>
    Busiest FindBusiest(const PathTelemetry& path, const Measure& measure) const
    {
        Busiest busiest;
        for (uint32_t i = 0; i < path.hops; ++i)
        {
            const double time = path.hop[i].GetTimeSince(m_last.hop[i]);
            if (time == 0)
            {
                continue; // the same packet, acknowledged again
            }
            const double value = measure(path.hop[i], m_last.hop[i], time);
            if (value > busiest.value)
            {
                busiest = {value, time};
            }
        }
        return busiest;
    }

    PathTelemetry m_last;   //!< the last report; no hops: none
    double m_lastSentAt{0}; //!< when the packet of that was sent, in nanoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_COMPARISON_H */
