/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_REPORT_H
#define COLLECTIVE_REPORT_H

#include "ns3/collective-run.h"
#include "ns3/compute-bound.h"
#include "ns3/lower-bound.h"

#include <cstddef>
#include <cstdint>
#include <functional>
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
 * What became of the collectives of a run: the tables collectives.csv and steps.csv, and a part of
 * run.json.
 */
class CollectiveReport
{
  public:
    /// How an algorithm or a protocol is called.
    using NameOfPolicy = std::function<std::string(TypeId policy)>;

    /**
     * @param records what became of the collectives, in the order in which they began
     * @param times of the iteration
     * @param parameters what is known of links, frames and NICs
     * @param planes ports of a NIC
     * @param name how algorithms and protocols are called
     */
    CollectiveReport(std::vector<CollectiveRecord> records,
                     const IterationTimes& times,
                     const BoundParameters& parameters,
                     uint16_t planes,
                     NameOfPolicy name);

    /// @return what became of the collectives, whether they are finished or not
    const std::vector<CollectiveRecord>& GetRecords() const
    {
        return m_records;
    }

    /// @return whether all of its ranks were done  @param record a collective
    static bool IsFinished(const CollectiveRecord& record);

    /// @return bus bandwidth in Gb/s (BusFactor)  @param record a collective that is finished
    static double GetBusBandwidth(const CollectiveRecord& record);

    /**
     * Add the numbers to run.json.
     *
     * @param json the object that is to hold them
     */
    void AddResults(nlohmann::ordered_json& json) const;

    /// Print how the iteration divides, and what the collectives reached: a line each, if there is
    /// something to say.
    void Print(std::ostream& os) const;

    /**
     * Write the table of collectives that are finished.
     *
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    void WriteCollectives(const std::string& path) const;

    /**
     * Write the table of their steps.
     *
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    void WriteSteps(const std::string& path) const;

  private:
    /// Sums over the collectives that are finished.
    struct Sums
    {
        std::size_t count{0}; //!< how many they are
        double ps{0};         //!< how long they took
        double boundPs{0};    //!< of GetBoundPs()
        double longestPs{0};  //!< the longest time
        double bandwidth{0};  //!< bus bandwidths in Gb/s
    };

    /// @return the sums
    Sums AddUp() const;

    /// @return what the busiest NIC takes for its data at line rate, in ps  @param record a
    /// collective
    double GetBoundPs(const CollectiveRecord& record) const;

    std::vector<CollectiveRecord> m_records; //!< in the order in which they began
    IterationTimes m_times;                  //!< of the iteration
    BoundParameters m_parameters;            //!< of links, frames and NICs
    uint16_t m_planes;                       //!< ports of a NIC
    NameOfPolicy m_name;                     //!< how algorithms and protocols are called
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_REPORT_H */
