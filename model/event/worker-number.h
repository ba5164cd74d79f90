/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKER_NUMBER_H
#define WORKER_NUMBER_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The number of the thread that runs, among those that share a run (WindowTeam). What each thread
 * has for itself is kept by this number, so that a call need not carry it; ns-3 has no argument for
 * it in Simulator::Now() or in a callback.
 */
class WorkerNumber
{
  public:
    static constexpr uint32_t MOST = 64; //!< threads of a run

    /// @return the number of this thread; 0 if it is the only one
    static uint32_t Get()
    {
        return m_number;
    }

    /// @param number of this thread, less than MOST
    static void Set(uint32_t number)
    {
        m_number = number;
    }

  private:
    [[gnu::tls_model("initial-exec")]] static inline thread_local uint32_t m_number{0}; //!< its own
};

} // namespace aifabric
} // namespace ns3

#endif /* WORKER_NUMBER_H */
