/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAST_OUTSTANDING_H
#define LEAST_OUTSTANDING_H

#include "ns3/uniform-integer.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How version 1 of Ethereal chose paths (arXiv 2407.00550, version 1, the authors' simulator): a
 * new queue pair takes the path on which the NIC has least bytes to send. It knows no destinations.
 *
 * Law: while nothing is sent, the bytes of two paths that were always to choose from differ by the
 * size of the largest queue pair at most. Paths into a leaf may be unequal, so that there is no
 * theorem as there is for EtherealPlanner.
 */
class LeastOutstanding
{
  public:
    /**
     * Choose the path of a queue pair, whose bytes count from now on.
     *
     * @param bytes what it will send, in bytes
     * @param paths labels of the paths to choose from, at least one
     * @param uniform randomness: paths that are equally good are equally likely
     * @return the label of its path
     * @throws std::invalid_argument if there is no path
     */
    uint16_t Choose(uint64_t bytes,
                    const std::vector<uint16_t>& paths,
                    const UniformInteger& uniform);

    /**
     * Bytes are to be sent, or to be sent again, on a path that was not chosen here.
     *
     * @param path label of the path
     */
    void Add(uint16_t path, uint64_t bytes);

    /**
     * Bytes were sent, or will not be.
     *
     * @param path label of the path
     * @throws std::logic_error if there are not so many
     */
    void Remove(uint16_t path, uint64_t bytes);

    /// @return the bytes to be sent on a path  @param path its label
    uint64_t GetUnsent(uint16_t path) const;

  private:
    std::vector<uint64_t> m_unsent; //!< bytes to be sent, by label, as far as labels were used
};

} // namespace aifabric
} // namespace ns3

#endif /* LEAST_OUTSTANDING_H */
