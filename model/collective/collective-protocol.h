/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_PROTOCOL_H
#define COLLECTIVE_PROTOCOL_H

#include "rank-nodes.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// What a protocol costs a collective beside the bytes of its data, in picoseconds.
struct ProtocolCost
{
    int64_t basePs{0};    //!< once, before the first step of a rank
    int64_t nodePs{0};    //!< a message within a node
    int64_t networkPs{0}; //!< a message between nodes
    double efficiency{1}; //!< share of the bytes on links that are data
};

/// What the simulated fabrics take of what a protocol costs.
struct ProtocolTravel
{
    int64_t nodePs{0};    //!< of a message without bytes within a node, in picoseconds
    int64_t networkPs{0}; //!< of one between nodes
    double nodeRate{0};   //!< what a GPU sends in its node, in bytes a second; 0: not known
};

/**
 * @ingroup ai-fabric
 *
 * How GPUs hand data to each other: the latency of each message, from the end of the step before
 * until its receiver can use it, and the bytes that flags take on the links. The base class
 * measures nothing and has attributes that subclasses give values: those of NCCL's tuner.
 *
 * The latency of a message contains the way through an idle fabric. Who simulates that way takes
 * it off (ProtocolTravel).
 *
 * A subclass named XyzProtocol is offered as `--protocol=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class CollectiveProtocol : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return what it costs  @param isTree data go up and down trees (CollectiveAlgorithm)
    ProtocolCost CostOf(bool isTree, RankShape shape) const;

    /// @return the latency in a node whose switch adds up and copies, once, in picoseconds
    int64_t GetSwitchPs() const;

    /// @return the share of the links' rate with which a tuner reckons  @param isTree as above
    /// @param bytes size of the collective
    double GetShare(bool isTree, uint64_t bytes) const;

    /// @return the most bus bandwidth with which a tuner reckons, in bytes a second; 0: no limit
    /// @param nodes of the collective
    double GetMostBandwidth(uint32_t nodes) const;

    /// @return by how much a tuner multiplies the latency of a ring all-reduce over several nodes
    double GetRingPlateau() const;

  protected:
    /// Values of the attributes.
    struct Values
    {
        double ringBaseUs{0};    //!< RingBase
        double ringNodeUs{0};    //!< RingNode
        double ringNetworkUs{0}; //!< RingNetwork
        double treeBaseUs{0};    //!< TreeBase
        double treeNodeUs{0};    //!< TreeNode
        double treeNetworkUs{0}; //!< TreeNetwork
        double switchUs{0};      //!< NodeSwitch
        double postUs{0};        //!< Post
        double efficiency{1};    //!< Efficiency
        double ringShare{1};     //!< RingShare
        double ringPlateau{1};   //!< RingPlateau
        double treeShare{1};     //!< TreeShare
        double mostNode{0};      //!< MostNode
        double mostPair{0};      //!< MostPair
        double mostNetwork{0};   //!< MostNetwork
    };

    /// Shares of the rate of trees by size: of less than 128 bytes, 256 bytes, 512 bytes, ...
    using TreeShares = std::array<double, 24>;

    /// @return a type with the attributes  @param type the type of a subclass  @param values of
    /// them
    static TypeId AddValues(TypeId type, const Values& values);

  private:
    /// @return what of its usual rate a tree reaches, by size
    virtual TreeShares GetTreeShares() const;

    /// @return the type with the attributes that are no latencies
    static TypeId AddShares(TypeId type, const Values& values);

    Time m_ringBase;         //!< of a ring, once
    Time m_ringNode;         //!< of a ring, a message within a node
    Time m_ringNetwork;      //!< of a ring, a message between nodes
    Time m_treeBase;         //!< of a tree, once
    Time m_treeNode;         //!< of a tree, a message within a node
    Time m_treeNetwork;      //!< of a tree, a message between nodes
    Time m_switch;           //!< in a node whose switch adds up and copies, once
    Time m_post;             //!< of a ring over several nodes, a message at least
    double m_efficiency{1};  //!< share of the bytes on links that are data
    double m_ringShare{1};   //!< of a link's rate, for the tuner
    double m_treeShare{1};   //!< of a link's rate, for the tuner
    double m_ringPlateau{1}; //!< factor of a ring's latency, for the tuner
    double m_mostNode{0};    //!< bytes a second, one node
    double m_mostPair{0};    //!< bytes a second, two nodes
    double m_mostNetwork{0}; //!< bytes a second, more nodes
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_PROTOCOL_H */
