/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "run-numbers.h"

#include "ns3/queue-samples.h"

#include <cstdint>
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
 * What came of a run: the numbers, and the tables of flows, links, layers and queues. It is made
 * from what was measured (RunMeasures), in one simulation or in several, and looks at no simulation
 * itself. doc/outputs.rst says what each column means.
 */
class RunReport
{
  public:
    using Parts = RunNumbers::Parts;           //!< what a run is about
    using Matrix = RunNumbers::Matrix;         //!< what is known to be the same for all messages
    using FctSummary = RunNumbers::FctSummary; //!< how long messages took
    using Results = RunNumbers::Results;       //!< the numbers of a run

    /**
     * Take stock.
     *
     * @param parts what the run was about
     * @param measures what was measured, in all parts of the run
     * @param parameters what the bounds know of links, frames and NICs
     * @param matrix the traffic, if it is regular
     * @param periodPs the sending period, in ps
     */
    RunReport(const Parts& parts,
              RunMeasures measures,
              const BoundParameters& parameters,
              const Matrix& matrix,
              int64_t periodPs);

    /// @return the numbers
    const Results& GetResults() const;

    /**
     * Add all numbers to run.json.
     *
     * @param json the object that is to hold them
     */
    void AddResults(nlohmann::ordered_json& json) const;

    /**
     * Write the table of flows.
     *
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    void WriteFlows(const std::string& path) const;

    /**
     * Write the table of links, one row for each direction.
     *
     * @param path the file
     * @param hasQueues whether queues were measured; if not, their columns are empty
     * @throws std::runtime_error if it cannot be written
     */
    void WriteLinks(const std::string& path, bool hasQueues = true) const;

    /**
     * Write the table of layers.
     *
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    void WriteLayers(const std::string& path) const;

    /**
     * Write the table of queues over time.
     *
     * @param path the file
     * @param samples what was seen of them, in all parts of the run
     * @throws std::runtime_error if it cannot be written
     */
    void WriteQueues(const std::string& path, const QueueSamples& samples) const;

  private:
    /// Add which message of a collective one is.  @param [out] row where the columns are added
    void AddOrigin(std::size_t message, std::vector<std::string>& row) const;

    /// A number of a layer, with its name.
    struct LayerValue
    {
        const char* name; //!< as in run.json and layers.csv
        double value;     //!< the number
    };

    /// Add the lower bounds.  @param json the object that is to hold them
    void AddBounds(nlohmann::ordered_json& json) const;

    /// Add how long messages took.  @param json the object that is to hold it
    void AddFlowTimes(nlohmann::ordered_json& json) const;

    /// @return bytes that NICs have sent, those of the plane with the most divided by those of the
    /// plane with the least; none: a plane has none
    std::optional<double> GetPlaneRatio() const;

    /// @return how many times what the busiest NIC has to send a layer's busiest link carried
    double GetOverload(const RunNumbers::LayerTotals& layer) const;

    /// @return all numbers of a layer  @param layer the layer's number
    std::vector<LayerValue> GetValues(uint32_t layer) const;

    /// Add what is known of layers.  @param json the object that is to hold it
    void AddLayers(nlohmann::ordered_json& json) const;

    RunNumbers m_numbers; //!< the numbers
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_REPORT_H */
