/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_OPTIONS_H
#define COLLECTIVE_OPTIONS_H

#include "option-section.h"

#include "ns3/collective-kind.h"
#include "ns3/flow-list.h"
#include "ns3/training-file.h"
#include "ns3/training-workload.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options of collectives and of training iterations.
 */
class CollectiveOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// Bytes from each rank to each other in an all-to-all, by default.
    static constexpr uint64_t ALL_TO_ALL_SIZE = 65536;

    /// @return whether an option that only collectives have was given another value than its
    /// default
    bool IsAnyChanged() const;

    /// Refuse all of the options that were changed, with traffic that has no collectives.
    void RefuseAll();

    /// Read a collective.
    void ReadCollective(CollectiveKind kind);

    /// Read a training iteration.  @param option the option that names its file
    void ReadTraining(const std::string& option);

    /// @return what the algorithms of a file's steps do, and the usual one if it is given
    AlgorithmCheck MakeAlgorithmCheck();

    /// Read jobs whose all-reduces are messages.  @param jobs the jobs, without their hosts
    void ReadJobs(const std::vector<AggregationJobSpec>& jobs);

    /// @return the hosts of the ranks, by rank
    std::vector<uint32_t> ReadPlacement() const;

  private:
    /// @return whether an option was given another value than its default  @param name the option
    bool IsChanged(const std::string& name) const;

    /// Refuse options of collectives, where they mean nothing.
    void RefuseOnes(const std::set<std::string>& names);

    /// @return who does a collective together  @param placement the hosts of the ranks
    std::vector<Communicator> ReadCommunicators(const std::vector<uint32_t>& placement);

    /// @return the ranks of each communicator
    std::vector<std::vector<uint32_t>> ReadRankGroups(uint32_t ranks) const;

    /// @return draws for placements
    static UniformInteger MakeDraws();

    /// Make the workload of the scenario's jobs.
    void MakeJobs();

    /**
     * Refuse collectives that are too many, before they are made.
     *
     * @param blamed the option that names them
     * @param plan each of them once
     * @param times how often
     */
    void CheckRepeats(const std::string& blamed, const TrainingPlan& plan, uint64_t times);

    /// Refuse jobs that are too long, before their iterations are made.  @param blamed the option
    void CheckIterations(const std::string& blamed, std::vector<ClusterJob> jobs);

    /// @return what jobs do that share the fabric  @param path their file
    TrainingWorkload ReadCluster(const std::string& path);

    /// @return what Chakra traces say  @param prefix how their names begin
    TrainingWorkload ReadChakra(const std::string& prefix);

    /// Read how collectives go.  @param blamed the option that is wrong if they cannot go so
    void ReadAlgorithm(const std::string& blamed);

    /// Read in how many chunks collectives go.
    void ReadChunks();

    /// @return how many bytes a host sends in the time that a packet takes to the farthest one, in
    /// full packets
    uint64_t ChooseChunkBytes() const;

    /// Name the algorithm of those collectives that the usual one does not do.
    /// @return the algorithm of all others
    TypeId ChooseAlgorithms();

    /// @return whether an algorithm can do a collective with the ranks and nodes that it has
    bool CanDo(TypeId algorithm, const WorkloadNode& node) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_OPTIONS_H */
