/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_REPORT_H
#define CLUSTER_REPORT_H

#include "collective-report.h"

#include "ns3/cluster-jobs.h"

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What became of each of several jobs that share a fabric.
 */
class ClusterReport
{
  public:
    /**
     * @param jobs the jobs, whose collectives have their names; must outlive this
     * @param report the collectives; must outlive this
     */
    ClusterReport(const std::vector<ClusterJob>& jobs, const CollectiveReport& report);

    /// Add a list with an object for each job.  @param json what is to hold it
    void AddResults(nlohmann::ordered_json& json) const;

  private:
    const std::vector<ClusterJob>& m_jobs; //!< the jobs
    const CollectiveReport& m_report;      //!< their collectives
};

} // namespace aifabric
} // namespace ns3

#endif /* CLUSTER_REPORT_H */
