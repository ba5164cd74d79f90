/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_TEAM_H
#define WINDOW_TEAM_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Threads that do their parts of a work at the same time, and wait for each other. A part takes
 * microseconds, so who waits asks again and again, and gives way to other programs.
 */
class WindowTeam
{
  public:
    /// What each thread does.  @see WorkerNumber
    using Part = std::function<void(uint32_t worker)>;

    /// @param size how many threads, the caller's included
    explicit WindowTeam(uint32_t size);
    ~WindowTeam();

    WindowTeam(const WindowTeam&) = delete;
    WindowTeam& operator=(const WindowTeam&) = delete;

    /// Have each thread do its part, the caller too.  @param part returns on all threads before
    /// this returns
    void Run(const Part& part);

  private:
    /// What a thread does.  @param worker its number
    void Work(uint32_t worker);
    /// Start a round.  @param part of it; nullptr: the threads end
    void Begin(const Part* part);

    const Part* m_part{nullptr};        //!< of the present round
    std::atomic<uint32_t> m_round{0};   //!< rounds begun
    std::atomic<uint32_t> m_left{0};    //!< threads that have not ended it
    std::vector<std::thread> m_threads; //!< all but the caller
};

} // namespace aifabric
} // namespace ns3

#endif /* WINDOW_TEAM_H */
