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

namespace ns3
{
namespace aifabric
{

class MessageSteering;

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
    /// @param bytes what that needs
    void RefuseMemory(uint64_t hosts,
                      uint64_t links,
                      const std::string& others = "",
                      double bytes = 0) const;

    /// Refuse what does not fit into the machine's memory.
    void CheckMemory() const;

    /// Refuse a number of messages of collectives that does not fit.
    void CheckMessages(uint64_t messages) const;

    /// @return how large the run is: a line, and what files say and is left out
    std::string Describe() const;

  private:
    /// @return into how many pieces a steering divides all messages, at most
    uint64_t CountPieces(const MessageSteering& steering) const;

    /// @return paths from a leaf to another one, at most
    uint32_t CountPaths() const;

    /// @return how large jobs with in-network aggregation are  @param spec the jobs
    std::string DescribeJobs(const AggregationSpec& spec) const;

    /// @return how many messages there are
    uint64_t CountMessages() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* SCENARIO_EXTENT_H */
