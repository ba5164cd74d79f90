/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_REPORT_H
#define CLUSTER_REPORT_H

#include "collective-report.h"

#include "ns3/cluster-jobs.h"

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What became of each of several jobs that share a fabric: the table jobs.csv, and a part of
 * run.json. A job takes from its arrival, or from when its last host knows the end of the job that
 * it follows if that is later, to its end.
 */
class ClusterReport
{
  public:
    /// When the job of a host began and ended there, in ps.
    struct Times
    {
        std::optional<int64_t> begin; //!< it knew the end of the job that its own follows, if any
        std::optional<int64_t> end;   //!< none if it has not ended
    };

    /// @return when the job of a host began and ended there
    using TimesOf = std::function<Times(uint32_t host)>;

    /**
     * @param jobs the jobs, whose collectives have their names, or such as begin with these and '/'
     * @param report the collectives
     * @param timesOf when jobs began and ended
     */
    ClusterReport(const std::vector<ClusterJob>& jobs,
                  const CollectiveReport& report,
                  const TimesOf& timesOf);

    /// Add a list with an object for each job.  @param json what is to hold it
    void AddResults(nlohmann::ordered_json& json) const;

    /// Write the table of jobs.  @param path the file  @throws std::runtime_error if it cannot be
    /// written
    void Write(const std::string& path) const;

  private:
    /// What became of a job.
    struct Row
    {
        std::string name;            //!< of the job
        std::vector<uint32_t> hosts; //!< by rank
        uint64_t collectives{0};     //!< that ended
        int64_t arrivalPs{0};        //!< as its file says
        int64_t beginPs{0};          //!< when it began
        int64_t endPs{0};            //!< when it ended
        bool hasBegun{false};        //!< whether its hosts know that the job before has ended
        bool isEnded{false};         //!< whether it has ended on all of its hosts
        int64_t busyPs{0};           //!< time of its collectives, one by one
        double bandwidth{0};         //!< the sum of their bus bandwidths

        /// @return the mean of a sum over collectives
        double Mean(double sum) const;
    };

    std::vector<Row> m_rows; //!< by job
};

} // namespace aifabric
} // namespace ns3

#endif /* CLUSTER_REPORT_H */
