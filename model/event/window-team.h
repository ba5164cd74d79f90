/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_TEAM_H
#define WINDOW_TEAM_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
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
 * microseconds to milliseconds, so who waits asks again and again before it sleeps. Who waits for
 * much longer than a part takes, as where other programs take the processors, sleeps soon in its
 * next waits.
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
    /// One of the threads.
    class Member
    {
      public:
        /// Do a part.
        void Do(const Part& part, uint32_t worker);

        /// Wait until something holds that another one changes.  @param holds whether it does
        template <typename Condition>
        void WaitUntil(Condition holds, WindowTeam& team);

      private:
        using Clock = std::chrono::steady_clock;

        Clock::duration m_took{0}; //!< its last part
        uint32_t m_hurried{0};     //!< in how many waits it sleeps soon
    };

    /// What a thread does.  @param worker its number
    void Work(uint32_t worker);
    /// Wake those that sleep: something has changed.
    void Wake();
    /// Start a round.  @param part of it; nullptr: the threads end
    void Begin(const Part* part);

    Member m_caller;                    //!< the thread that made the others
    const Part* m_part{nullptr};        //!< of the present round
    std::atomic<uint32_t> m_round{0};   //!< rounds begun
    std::atomic<uint32_t> m_left{0};    //!< threads that have not ended it
    std::mutex m_mutex;                 //!< held between a question and the sleep
    std::condition_variable m_changed;  //!< a round has begun, or all have ended it
    std::vector<std::thread> m_threads; //!< all but the caller
};

} // namespace aifabric
} // namespace ns3

#endif /* WINDOW_TEAM_H */
