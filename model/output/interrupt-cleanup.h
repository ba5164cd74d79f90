/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERRUPT_CLEANUP_H
#define INTERRUPT_CLEANUP_H

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <deque>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Files and folders that must not stay if the program is ended by SIGINT, SIGTERM, SIGHUP, SIGPIPE
 * (the reader of stdout or stderr has ended) or SIGXCPU (`ulimit -t`): they are removed, and the
 * program exits with status 128 + the signal's number. A signal that is ignored, as nohup does it,
 * stays ignored. SIGXFSZ (`ulimit -f`) is ignored, so that the file cannot be written. There may be
 * one at a time. Neither ns-3 nor std::filesystem can remove files in a signal handler, where only
 * async-signal-safe calls are allowed.
 */
class InterruptCleanup
{
  public:
    /// Holds the signals back as long as it lives.
    class Hold
    {
      public:
        Hold();
        ~Hold();

        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

      private:
        sigset_t m_before; //!< what was held back before
    };

    /// From now on, the signals remove what was added.
    InterruptCleanup();

    /// From now on, they do what they did before.
    ~InterruptCleanup();

    InterruptCleanup(const InterruptCleanup&) = delete;
    InterruptCleanup& operator=(const InterruptCleanup&) = delete;

    /**
     * Add what is to be removed: before what was added earlier, so a folder before its files.
     *
     * @param path a file, or a folder that is removed if it is empty by then
     */
    void Add(const std::string& path);

    /// Remove all that was added, now. Needs neither memory nor file descriptors.
    void Remove();

    /// Remove nothing any more.
    void Clear();

  private:
    /// The signals that end a run.
    static constexpr std::array<int, 5> SIGNALS = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};

    /// Something to be removed.
    struct Entry
    {
        std::string path; //!< what
        Entry* earlier;   //!< what was added before, or nullptr
    };

    /// Remove entries.  @param last the one that was added last
    static void RemoveFrom(const Entry* last);

    /// Remove all and exit.  @param number the signal's number
    static void Handle(int number);

    static std::atomic<const Entry*> g_last; //!< what was added last, for the signals

    std::deque<Entry> m_entries;                           //!< in the order of addition
    std::array<struct sigaction, SIGNALS.size()> m_before; //!< what the signals did before
    struct sigaction m_sizeBefore;                         //!< what SIGXFSZ did before
};

} // namespace aifabric
} // namespace ns3

#endif /* INTERRUPT_CLEANUP_H */
