/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_REPORT_H
#define JOB_REPORT_H

#include "job-run.h"

#include "ns3/csv-writer.h"
#include "ns3/percentile.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What came of a job: the table iterations.csv, and a part of run.json. Its goodput is the time
/// that its completed iterations took, over all of its time.
class JobReport
{
  public:
    /// @param spec what was asked for  @param outcome what came of it
    JobReport(const JobSpec& spec, JobOutcome outcome)
        : m_spec(spec),
          m_outcome(std::move(outcome))
    {
        int64_t before = 0;
        for (const JobAttempt& attempt : m_outcome.attempts)
        {
            m_waitPs += attempt.startPs - before;
            before = attempt.endPs;
            if (attempt.isCompleted)
            {
                m_times.push_back(attempt.endPs - attempt.startPs);
                m_usefulPs += m_times.back();
            }
        }
        std::sort(m_times.begin(), m_times.end());
        m_goodput = m_outcome.endPs > 0
                        ? static_cast<double>(m_usefulPs) / static_cast<double>(m_outcome.endPs)
                        : 1;
    }

    /// Add the numbers to run.json.  @param json the object that is to hold them
    void AddResults(nlohmann::ordered_json& json) const
    {
        const std::size_t restarts = m_outcome.attempts.size() - m_times.size();
        json["iterations"] = m_spec.iterations;
        json["completed_iterations"] = m_times.size();
        json["aborted"] = m_outcome.isAborted;
        json["restarts"] = restarts - m_outcome.isAborted;
        json["queue_pair_failures"] = m_outcome.failedQueuePairs;
        json["job_ns"] = m_outcome.endPs / PS_PER_NS;
        json["useful_ns"] = m_usefulPs / PS_PER_NS;
        json["waiting_ns"] = m_waitPs / PS_PER_NS;
        json["lost_ns"] = (m_outcome.endPs - m_usefulPs - m_waitPs) / PS_PER_NS;
        json["training_goodput"] = m_goodput;
        if (!m_times.empty())
        {
            const auto count = static_cast<double>(m_times.size());
            json["min_iteration_ns"] = m_times.front() / PS_PER_NS;
            json["mean_iteration_ns"] = static_cast<double>(m_usefulPs) / count / PS_PER_NS;
            json["p99_iteration_ns"] = m_times[PlaceOf99(m_times.size())] / PS_PER_NS;
            json["max_iteration_ns"] = m_times.back() / PS_PER_NS;
        }
    }

    /// Write the table of iterations, one row for each attempt.  @param path the file  @throws
    /// std::runtime_error if it cannot be written
    void WriteIterations(const std::string& path) const
    {
        CsvWriter csv(path, {"iteration", "start_ns", "end_ns", "duration_ns", "completed"});
        for (const JobAttempt& attempt : m_outcome.attempts)
        {
            csv.Write(attempt.iteration,
                      FormatNs(attempt.startPs),
                      FormatNs(attempt.endPs),
                      FormatNs(attempt.endPs - attempt.startPs),
                      attempt.isCompleted ? 1 : 0);
        }
        csv.Close();
    }

    /// Print the results, in a line.
    void Print(std::ostream& os) const
    {
        constexpr double PERCENT = 100;
        const std::size_t aborted = m_outcome.attempts.size() - m_times.size();
        os << "job              " << m_times.size() << " of " << m_spec.iterations
           << " iterations, " << aborted << " attempts aborted, goodput " << std::fixed
           << std::setprecision(2) << PERCENT * m_goodput << " %"
           << (m_outcome.isAborted ? "; the job was aborted" : "") << "\n";
    }

  private:
    static constexpr double PS_PER_NS = 1000;

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
