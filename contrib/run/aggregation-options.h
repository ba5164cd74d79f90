/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_OPTIONS_H
#define AGGREGATION_OPTIONS_H

#include "option-section.h"

#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options of in-network aggregation, which is an algorithm of an all-reduce.
 */
class AggregationOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// @return whether the algorithm is one that adds up in switches
    bool IsChosen() const;

    /// @return whether an algorithm adds up in switches  @param algorithm its name for --algorithm
    static bool IsInNetwork(const std::string& algorithm);

    /// Read all jobs.
    void Read();

    /// @return whether --jobs names a file
    bool HasJobFile() const;

    /// @return the jobs of the file of --jobs, without their hosts
    std::vector<AggregationJobSpec> ReadJobFile() const;

    /// Refuse all of the options, with other algorithms, but for a file of jobs.
    void RefuseAll();

    /// @return after how long without a sum a run has stalled, by default, in picoseconds
    /// @param spec all jobs  @param roundTripPs delays of the links there and back, in picoseconds
    static int64_t FindPatiencePs(const AggregationSpec& spec, double roundTripPs);

  private:
    /// Refuse what in-network aggregation has no use for.
    void RefuseOthers();

    /// @return the slots of a switch, unless --slots says so  @param spec with its algorithm
    static int64_t FindSlots(const AggregationSpec& spec);

    /// Read what the gradients are.  @param [in,out] spec all jobs
    void ReadGradients(AggregationSpec& spec) const;

    /// @return the jobs without their hosts
    std::vector<AggregationJobSpec> ReadJobs() const;

    /// @return the jobs of a file  @param path the file
    static std::vector<AggregationJobSpec> ReadJobTable(const std::string& path);

    /// @return packets of the windows of all workers  @param spec all jobs
    static uint64_t CountWindows(const AggregationSpec& spec);

    /// Refuse rates of packets at which nothing comes of a run.  @param spec all jobs
    void CheckRates(const AggregationSpec& spec) const;

    /// @return the time that an iteration of a parameter server may take without a sum, in
    /// picoseconds  @param spec all jobs  @param roundTripPs delays of the links there and back
    static double FindServicePs(const AggregationSpec& spec, double roundTripPs);

    /// @return the hosts of the parameter servers, by job
    /// @param placement the hosts of all jobs, in the order in which they are given away
    std::vector<uint32_t> ReadServers(std::size_t jobs,
                                      const std::vector<uint32_t>& placement) const;

    /// Refuse jobs with more fragments than there are sequence numbers.  @param spec all jobs
    void CheckSizes(const AggregationSpec& spec) const;

    /// Give each job its hosts.  @param [in,out] spec all jobs
    /// @param placement the hosts of all jobs, in the order in which they are given away
    /// @param servers hosts of the parameter servers, by job
    void Place(AggregationSpec& spec,
               const std::vector<uint32_t>& placement,
               const std::vector<uint32_t>& servers) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_OPTIONS_H */
