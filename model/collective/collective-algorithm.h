/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_ALGORITHM_H
#define COLLECTIVE_ALGORITHM_H

#include "collective-kind.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Blocks that follow one another.
struct BlockRange
{
    uint64_t firstBlock; //!< the first of them
    uint64_t blocks;     //!< how many there are, at least 1
};

/// One message of a collective, as one of its two ranks sees it.
struct CollectiveMessage
{
    uint32_t peer;        //!< the other rank
    uint32_t step;        //!< the step of the receiving rank that waits for it
    uint64_t firstBlock;  //!< the first of the blocks that it carries
    uint64_t blocks;      //!< how many there are, at least 1, all of the same lane
    bool reduces;         //!< the receiver adds it to what it has; otherwise it replaces that
    uint16_t switched{0}; //!< ranks of a node whose data its switch adds up or copies; 0: none
};

/// What one rank does at a time.
struct CollectiveStep
{
    std::vector<CollectiveMessage> sends;    //!< sent when the step begins, in this order
    std::vector<CollectiveMessage> receives; //!< the step ends when all of them have come
};

/**
 * @ingroup ai-fabric
 *
 * Who sends what to whom in a collective, and when: a program of steps for each rank. Ranks are
 * numbered from 0 within the collective.
 *
 * The data are divided evenly into *lanes*, and a lane evenly into *blocks*: messages name ranges
 * of blocks. Lanes are independent of each other, and a rank works on all of them at the same time.
 * What all blocks of all lanes stand for is BlockBytes().
 *
 * In each lane a rank begins step 0 when it starts. When a step begins, the rank sends all messages
 * of the step; the data are those at that moment. The step ends when all messages that it receives
 * have come; then they take effect, and the next step begins. Messages for later steps may come
 * early; they take effect when their step ends. A rank that has ended its last step in all lanes
 * is done; it may have no step at all. A step that only receives, followed by one that only sends,
 * is how a rank waits before it sends.
 *
 * For each message of `sends` there is exactly one in the `receives` of the peer, in the step that
 * the message names, with the same blocks and the same `reduces`.
 *
 * An algorithm computes each step when it is asked for and remembers none, so that it serves any
 * number of ranks.
 *
 * A subclass named XyzAlgorithm is offered as `--algorithm=xyz` as soon as it is registered with
 * ns-3's type system; nothing else needs to know it.
 */
class CollectiveAlgorithm : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return whether it can do a kind of collective
    virtual bool Supports(CollectiveKind kind) const = 0;

    /**
     * Say which collective the other methods are about. It may be changed at any time.
     *
     * @param kind the kind, one that it supports
     * @param ranks number of ranks, at least 1
     * @param root the rank that a collective with a root begins or ends with (HasRoot())
     * @param nodes by rank: numbers that are the same for ranks of one node; empty if no ranks
     * share a node
     * @throws std::invalid_argument with one line that says what is given and what is allowed
     */
    void Prepare(CollectiveKind kind,
                 uint32_t ranks,
                 uint32_t root,
                 const std::vector<uint32_t>& nodes = {});

    /// @return the kind of the collective
    CollectiveKind GetKind() const;

    /// @return number of ranks
    uint32_t GetRanks() const;

    /// @return the rank that a collective with a root begins or ends with
    uint32_t GetRoot() const;

    /// @return the node of each rank, by rank; empty if no ranks share a node
    const std::vector<uint32_t>& GetNodes() const;

    /// @return whether a rank hands on what it gets and waits for all of a lane before that, so
    /// that chunks make the collective faster. Unless overridden, it does not
    virtual bool IsChunked() const;

    /// @return the largest number of chunks that makes it faster, if IsChunked(). Unless
    /// overridden, there is none
    virtual uint32_t GetMostChunks() const;

    /// @return whether data go up and down trees, for which protocols have latencies of their own
    /// (CollectiveProtocol). Unless overridden, they do not
    virtual bool IsTree() const;

    /// @return whether the switches of nodes add up and copy, for which protocols have latencies of
    /// their own. Unless overridden, they do not
    virtual bool UsesNodeSwitch() const;

    /// @return lanes whose first messages a rank has on the way at most: it begins a lane when the
    /// first message of that so many lanes before has arrived. 0: any number, unless overridden.
    /// If there is a number, each rank sends in each lane
    virtual uint32_t GetWindow() const;

    /// Say how many chunks there are, in place of the attribute Chunks.  @param chunks at least 1
    virtual void SetChunks(uint32_t chunks);

    /// @return independent parts of the data, at least 1. Unless overridden, the attribute Chunks
    virtual uint32_t CountLanes() const;

    /**
     * @return blocks of a lane, at least 1. With ALL_TO_ALL there are N * N: block i * N + j is
     * what rank i has for rank j. With SENDRECV there are N, one of each rank
     */
    virtual uint64_t CountBlocks() const = 0;

    /**
     * @return the blocks of each lane that the rank begins with in ALL_GATHER, GATHER and SENDRECV,
     * and that it ends with in REDUCE_SCATTER and SCATTER. Unless overridden, the block with the
     * number of the rank
     */
    virtual BlockRange GetHome(uint32_t rank) const;

    /// @return steps of a rank in a lane
    virtual uint32_t CountSteps(uint32_t rank, uint32_t lane) const = 0;

    /**
     * @param step a step that it has there
     * @return what it does
     */
    virtual CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const = 0;

  private:
    /// The collective is another from now on.
    virtual void DoPrepare();

    /// @return the names of the kinds that it supports, separated by commas
    std::string ListSupported() const;

    CollectiveKind m_kind{CollectiveKind::ALL_REDUCE}; //!< the kind of the collective
    uint32_t m_ranks{1};                               //!< number of ranks
    uint32_t m_root{0};                                //!< the rank that it begins with
    std::vector<uint32_t> m_nodes;                     //!< of the ranks, or empty
    uint32_t m_chunks{1};                              //!< parts of the data that are alike
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_ALGORITHM_H */
