/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOS_BUILDER_H
#define CLOS_BUILDER_H

#include "fabric-graph.h"

#include "ns3/address-plan.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/// Most hosts of a fabric.
constexpr int64_t MAX_HOSTS = addressplan::HOST_LIMIT;
/// Most switches of a fabric.
constexpr int64_t MAX_SWITCHES = addressplan::SWITCH_LIMIT;
/// Most ports of a switch.
constexpr int64_t MAX_SWITCH_PORTS = 65535;
/// Most planes of a fabric.
constexpr int64_t MAX_PLANES = 32;
/// Most links of a fabric.
constexpr int64_t MAX_LINKS = int64_t{1} << 24;

/**
 * @ingroup ai-fabric
 *
 * The size of a two-tier leaf-spine fabric. Numbers are signed so that a negative one can be
 * refused by name.
 */
struct LeafSpineConfig
{
    int64_t leaves{0};        //!< leaves a plane
    int64_t spines{0};        //!< spines a plane
    int64_t hostsPerLeaf{0};  //!< hosts below each leaf
    int64_t linksPerSpine{1}; //!< parallel links between a leaf and a spine
    int64_t planes{1};        //!< number of planes
    int64_t hostsPerNic{1};   //!< hosts that share a NIC, below one leaf
};

/**
 * @ingroup ai-fabric
 *
 * The size of a three-tier k-ary fat-tree.
 */
struct FatTreeConfig
{
    int64_t k{0};                        //!< ports of a core switch, which is the number of pods
    int64_t planes{1};                   //!< number of planes
    std::optional<int64_t> hostsPerEdge; //!< hosts below each edge switch; k / 2 if not given
};

/**
 * @ingroup ai-fabric
 *
 * The size of a three-tier Clos network of any shape.
 */
struct ThreeTierConfig
{
    int64_t pods{0};         //!< pods, at least 2
    int64_t leavesPerPod{0}; //!< leaves a pod, in each plane
    int64_t spinesPerPod{0}; //!< switches of tier 1 a pod, in each plane
    int64_t cores{0};        //!< cores a plane, a multiple of spinesPerPod
    int64_t hostsPerLeaf{0}; //!< hosts below each leaf
    int64_t planes{1};       //!< number of planes
};

/**
 * Build a leaf-spine fabric. Each leaf has `hostsPerLeaf` ports down, then `linksPerSpine` ports
 * to each spine in order of the spines; a spine has `linksPerSpine` ports to each leaf in order
 * of the leaves. Over-subscription is hostsPerLeaf : spines * linksPerSpine.
 *
 * Switch ids: plane by plane, the leaves and then the spines. All leaves are of pod 0, spines of
 * none.
 *
 * With `hostsPerNic` above 1, so many hosts each hang at a NIC, which is a switch of tier 0 with
 * one uplink; the leaf, of tier 1, has a port for each NIC and one to each spine, of tier 2. It is
 * the case of MakeThreeTier() with one switch of tier 1 a pod.
 *
 * @param config the size
 * @return the fabric
 * @throws std::invalid_argument with one line that names the parameter, its value and what is
 *         allowed
 */
FabricGraph MakeLeafSpine(const LeafSpineConfig& config);

/**
 * Build a k-ary fat-tree of k pods. With h = k / 2, each pod has h edge and h aggregation
 * switches, and each plane has h * h core switches. Edge e has `hostsPerEdge` ports down and h
 * uplinks, of which the i-th leads to aggregation i of its pod (there port e). Aggregation i has
 * h ports down and h uplinks, of which the j-th leads to core (i, j), with index i * h + j (there
 * the port of the pod's number). It is non-blocking with hostsPerEdge = h and over-subscribed
 * hostsPerEdge : h at the edge otherwise.
 *
 * Switch ids: plane by plane, pod by pod, the edges and then the aggregations, and the cores of
 * the plane at its end.
 *
 * @param config the size
 * @return the fabric
 * @throws std::invalid_argument with one line that names the parameter, its value and what is
 *         allowed
 */
FabricGraph MakeFatTree(const FatTreeConfig& config);

/**
 * Build a three-tier Clos network. Each leaf has a link to each switch of tier 1 of its pod. With
 * c = cores / spinesPerPod, switch x of tier 1 of each pod leads to the cores x c to x c + c - 1,
 * so that the way down from a core is the only one. MakeFatTree() is the case of k pods with
 * leavesPerPod = spinesPerPod = c = k / 2, and ports and ids are in the same order.
 *
 * @param config the size
 * @return the fabric
 * @throws std::invalid_argument with one line that names the parameter, its value and what is
 *         allowed
 */
FabricGraph MakeThreeTier(const ThreeTierConfig& config);

} // namespace aifabric
} // namespace ns3

#endif /* CLOS_BUILDER_H */
