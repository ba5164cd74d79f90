/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROCESS_COST_H
#define PROCESS_COST_H

#include <chrono>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What this process has cost the machine so far.
 */
class ProcessCost
{
  public:
    /// @return user and system time of the whole process, in seconds
    static double GetCpuSeconds();

    /// @return the most memory that the process had resident, in bytes
    static uint64_t GetPeakResidentBytes();

    /// @return the memory that the process may use, of the machine or of its control group, in
    /// bytes
    static uint64_t GetAvailableBytes();

    /**
     * Allow more open files, if the process may have them.
     *
     * @param files how many are needed
     * @return how many the process may have open now
     */
    static uint64_t RaiseOpenFiles(uint64_t files);

    /// @return time since this object was made, in seconds
    double GetWallSeconds() const;

  private:
    std::chrono::steady_clock::time_point m_begin{std::chrono::steady_clock::now()}; //!< its making
};

} // namespace aifabric
} // namespace ns3

#endif /* PROCESS_COST_H */
