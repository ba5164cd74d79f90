/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_NODE_H
#define WINDOW_NODE_H

#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class WindowWorker;

/**
 * @ingroup ai-fabric
 *
 * What a WindowSimulator does not know of a node: what comes to it from other nodes without an
 * event, and what it sends to them.
 *
 * What nodes of another worker send waits until all have ended the window. Then each node takes it
 * over (TakeOver()), before any of them runs on. So no node reads what another thread writes.
 */
class WindowNode : public SimpleRefCount<WindowNode>
{
  public:
    static constexpr uint64_t NEVER = UINT64_MAX; //!< no time step

    virtual ~WindowNode() = default;

    /**
     * Get ready for windows: called before the first one, and again when the node's links or
     * workers of nodes have changed.
     *
     * @return the least time from a change at another node until this one may notice it, in time
     * steps, or NEVER
     */
    virtual uint64_t Prepare() = 0;

    /// @return numbers of the nodes that send to it
    virtual std::vector<uint32_t> GetNeighbours() const = 0;

    /// Run() will be called soon: prefetch what it will touch.  @param step 0, then 1: what one
    /// step prefetches has come when the next one reads it
    virtual void Prefetch(uint32_t step) const = 0;

    /// A node of another worker has sent something.  @param place what WindowWorker::Notify() got
    virtual void TakeOver(uint32_t place) = 0;

    /**
     * Run all that happens at the node before the end of the window, in the order of time: what
     * comes from other nodes, WindowWorker::Advance() in between, and last
     * WindowWorker::RunEvents(). Then hand over what the node has sent by then.
     *
     * @param worker who runs it
     * @param end the end of the window, in time steps
     * @return the next time at which the node has something to do, events aside; or NEVER
     */
    virtual uint64_t Run(WindowWorker& worker, uint64_t end) = 0;

    /// @return the number of the worker that runs it
    uint32_t GetWorker() const
    {
        return m_worker;
    }

    /// @param worker the number of the worker that runs it from now on
    void SetWorker(uint32_t worker)
    {
        m_worker = worker;
    }

  private:
    uint32_t m_worker{0}; //!< number of the worker
};

} // namespace aifabric
} // namespace ns3

#endif /* WINDOW_NODE_H */
