/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_PROBER_H
#define PATH_PROBER_H

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * When to probe paths that have lost packets, and when to trust them again: after enough answers in
 * a row (MRC: arXiv 2605.04333, section 2.1; the numbers are not published, so all are parameters).
 * A path that was trusted again and is lost again soon needs twice as many answers, so a link that
 * flaps stays out of use. Times are in any one unit.
 *
 * A probe that is not answered by the time of the next one has failed. The interval doubles while
 * probes fail, and is the first one again after an answer.
 */
class PathProber
{
  public:
    /// No time at all.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// The parameters.
    struct Parameters
    {
        int64_t firstInterval{1};   //!< until the first probe, and between answered ones
        int64_t mostInterval{1};    //!< the longest one
        uint32_t answers{3};        //!< in a row that are needed
        uint32_t mostAnswers{64};   //!< the most that are needed after relapses
        int64_t relapseInterval{0}; //!< a loss so soon after its return is a relapse
    };

    /// A path loses packets: probe it.
    void Start(uint32_t path, int64_t now, const Parameters& parameters);

    /// Probe it no more.
    void Stop(uint32_t path);

    /// It has lost nothing: probe it no more.  @param start the time of Start()
    /// @return whether it was probed since then
    bool Cancel(uint32_t path, int64_t start);

    /// @return when the next probe is due; NEVER: none is
    int64_t GetDue() const;

    /// @return a path to be probed now; none: no probe is due
    std::optional<uint32_t> Take(int64_t now, const Parameters& parameters);

    /// A probe has come back.
    /// @return whether the path has come back often enough; it is not probed any more then
    bool Answered(uint32_t path, int64_t now, const Parameters& parameters);

    /// @return paths that are being probed
    uint32_t CountPaths() const;

  private:
    /// A path that is being probed, or was not long ago.
    struct Probed
    {
        uint32_t path;     //!< the path
        uint32_t needed;   //!< answers that it needs
        uint32_t answered; //!< answers in a row
        bool isWaiting;    //!< for the answer to a probe
        bool isProbed;     //!< false: it has come back
        int64_t due;       //!< when it is to be probed next; or when it came back
        int64_t interval;  //!< until the probe after that
        int64_t start;     //!< when it has lost a packet
    };

    /// @return what is known of a path; nullptr: nothing
    Probed* Find(uint32_t path);

    std::vector<Probed> m_paths; //!< those that are probed, or were not long ago
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_PROBER_H */
