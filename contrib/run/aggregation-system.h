/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_SYSTEM_H
#define AGGREGATION_SYSTEM_H

#include "option-section.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/// Reads what in-network aggregation has whatever its jobs are: slots, windows, gradients.
class AggregationSystem : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    static constexpr uint32_t MOST_WORKERS = 32; //!< bits of the bitmap

    /// Refuse fabrics in which switches do not add up.
    void RefuseFabrics() const;

    /// @return the system, and the slots of a switch
    AggregationSpec ReadSlots();

    /// Read the windows of workers.  @param [in,out] spec with its jobs
    /// @param sizes the option that says how much they send  @param jobs the option of the jobs
    void ReadWindow(AggregationSpec& spec, const std::string& sizes, const std::string& jobs);

    /// Read what parameter servers bring with them, or refuse it.
    /// @param [in,out] spec with its servers
    void ReadServers(AggregationSpec& spec);

    /// Read what gradients are.
    void ReadGradients(AggregationSpec& spec);

  private:
    /// @return the slots of a switch, unless --slots says so  @param spec with its algorithm
    static int64_t FindSlots(const AggregationSpec& spec);

    /// Refuse jobs with more fragments than there are sequence numbers.  @param spec all jobs
    /// @param sizes the option that says how much they send
    void CheckSizes(const AggregationSpec& spec, const std::string& sizes) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_SYSTEM_H */
