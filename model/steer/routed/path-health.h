/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_HEALTH_H
#define PATH_HEALTH_H

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What one source remembers of paths that failed it (arXiv 2407.00550, and the authors' simulator):
 * for each leaf and path to it, until when the path is not to be given to new queue pairs.
 *
 * Law: of the paths to choose from, those are excluded at a time t that were marked until a time
 * later than t, unless all were. A mark until the present, or before, excludes nothing.
 */
class PathHealth
{
  public:
    /**
     * A path has failed. Of several marks the one that ends last counts.
     *
     * @param leaf the leaf of the destination
     * @param path label of the path
     * @param untilPs when it may be used again, in picoseconds
     */
    void MarkFailed(uint32_t leaf, uint16_t path, int64_t untilPs);

    /**
     * @param leaf the leaf of the destination
     * @param path label of the path
     * @param nowPs the time, in picoseconds
     * @return whether the path is marked
     */
    bool IsFailed(uint32_t leaf, uint16_t path, int64_t nowPs) const;

    /**
     * @param leaf the leaf of the destination
     * @param paths labels of all paths to it
     * @param nowPs the time, in picoseconds
     * @return those that are not marked, in the same order; all of them if all are
     */
    std::vector<uint16_t> Usable(uint32_t leaf,
                                 const std::vector<uint16_t>& paths,
                                 int64_t nowPs) const;

    /// @return how many paths are marked, over all leaves  @param nowPs the time, in picoseconds
    uint32_t CountFailed(int64_t nowPs) const;

    /// @return how often a path was marked
    uint64_t GetMarks() const;

  private:
    using UntilByPath = std::map<uint16_t, int64_t>; //!< end of the mark, by label

    std::map<uint32_t, UntilByPath> m_until; //!< ends of marks in picoseconds, by leaf
    uint64_t m_marks{0};                     //!< how often a path was marked
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_HEALTH_H */
