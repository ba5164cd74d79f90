/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_REPORT_H
#define JOB_REPORT_H

#include "job-run.h"

#include <nlohmann/json.hpp>
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
 * What came of a job: the table iterations.csv, and a part of run.json. Its goodput is the time
 * that its completed iterations took, over all of its time.
 */
class JobReport
{
  public:
    /// @param spec what was asked for  @param outcome what came of it
    JobReport(const JobSpec& spec, JobOutcome outcome);

    /// Add the numbers to run.json.  @param json the object that is to hold them
    void AddResults(nlohmann::ordered_json& json) const;

    /// Write the table of iterations, one row for each attempt.  @param path the file  @throws
    /// std::runtime_error if it cannot be written
    void WriteIterations(const std::string& path) const;

    /// Print the results, in a line.
    void Print(std::ostream& os) const;

  private:
    JobSpec m_spec;               //!< what was asked for
    JobOutcome m_outcome;         //!< what came of it
    std::vector<int64_t> m_times; //!< what each completed iteration took, in ps, ascending
    int64_t m_usefulPs{0};        //!< what they took together
    int64_t m_waitPs{0};          //!< between attempts
    double m_goodput{0};          //!< useful time over all
};

} // namespace aifabric
} // namespace ns3

#endif /* JOB_REPORT_H */
