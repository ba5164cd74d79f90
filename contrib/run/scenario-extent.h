/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_EXTENT_H
#define SCENARIO_EXTENT_H

#include "option-section.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How large a run is: its messages and packets, and the memory that it needs.
 */
class ScenarioExtent : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Refuse what needs more memory than there is.  @param others what else there is
    /// @param bytes what that needs  @param blamed the option that the line names; "": that of the
    /// size of the fabric
    void RefuseMemory(uint64_t hosts,
                      uint64_t links,
                      const std::string& others = "",
                      double bytes = 0,
                      const std::string& blamed = "") const;

    /// Refuse what does not fit into the machine's memory.
    void CheckMemory() const;

    /// Refuse a number of messages of collectives that does not fit.  @param blamed as above
    void CheckMessages(uint64_t messages, const std::string& blamed) const;

    /// @return how large the run is: a line, and what files say and is left out
    std::string Describe() const;

  private:
    /// Messages of one length that a host sends to one leaf at the same time.
    struct Batch
    {
        uint64_t bytes{0};    //!< length of each message
        uint32_t paths{1};    //!< to the leaf, at most
        uint32_t messages{1}; //!< of the batch
        double count{1};      //!< batches that are alike
    };

    /// What messages are divided into.
    struct Parts
    {
        double pieces{0};     //!< parts that a steering posts
        double queuePairs{0}; //!< that the messages need, at most
        double packets{0};    //!< data packets beyond those of undivided messages
    };

    /// @return all messages; those of collectives have their mean length
    std::vector<Batch> MakeBatches() const;

    /// @return what admission by receivers and the steering divide all messages into, at most
    Parts CountParts() const;

    /// Refuse more parts of a message than there may be.  @param option what divides it
    /// @param bytes length of the message
    void CheckDivision(const std::string& option, uint64_t bytes, uint64_t parts) const;

    /// @return paths from a leaf to another one, at most
    uint32_t CountPaths() const;

    /// @return how large jobs with in-network aggregation are  @param spec the jobs
    std::string DescribeJobs(const AggregationSpec& spec) const;

    /// @return the option of the file that has the messages; "": there is none
    std::string FindFile() const;

    /// @return how many messages there are
    uint64_t CountMessages() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* SCENARIO_EXTENT_H */
