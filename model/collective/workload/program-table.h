/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRAM_TABLE_H
#define PROGRAM_TABLE_H

#include "host-streams.h"
#include "training-workload.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the programs of a workload say before anything runs: what each node waits for, and which
 * collective or message of all it is.
 *
 * The n-th collective that a host does in a communicator is the n-th of that communicator. The n-th
 * SEND of a host to another one with a tag is for the n-th RECEIVE there from it with that tag.
 */
class ProgramTable
{
  public:
    /// What is known of a program.
    struct Program
    {
        explicit Program(const WorkloadProgram& nodes);

        /// For how many nodes each waits, by node: dependencies, and nodes before it in its stream.
        std::vector<uint32_t> waiting;
        std::vector<std::vector<uint32_t>> dependents; //!< nodes that wait for it, by node
        /// Nodes that wait for its begin, by node; empty if no node waits for a begin.
        std::vector<std::vector<uint32_t>> followers;
        StreamTable streams; //!< which stream does which node
        /// Of collectives, their number in the workload; of SENDs, in the program; by node.
        std::vector<uint32_t> numbers;
        /// Of SENDs and RECEIVEs, their place among those that have the other host and the tag in
        /// common; by node.
        std::vector<uint32_t> places;
        std::vector<uint32_t> sends; //!< nodes that are SENDs, by number
    };

    /// @param workload checked (CheckWorkload()); must outlive this
    explicit ProgramTable(const TrainingWorkload& workload);

    /// @return what is known of the program of a host, which has one
    const Program& Of(uint32_t host) const;

    /// @return of each collective, by number, a node that does it
    const std::vector<const WorkloadNode*>& GetCollectives() const;

  private:
    /// A collective of a communicator: which one, and in which place.
    using CollectiveKey = std::pair<uint32_t, uint32_t>;

    /// Number the collectives of a program.  @param nodes the program
    void NumberCollectives(const WorkloadProgram& nodes, Program& program);

    const TrainingWorkload& m_workload;             //!< the workload
    std::vector<Program> m_programs;                //!< by program
    std::map<CollectiveKey, uint32_t> m_numbers;    //!< of collectives
    std::vector<const WorkloadNode*> m_collectives; //!< by number
};

} // namespace aifabric
} // namespace ns3

#endif /* PROGRAM_TABLE_H */
