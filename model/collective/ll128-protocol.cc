/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ll128-protocol.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(Ll128Protocol);

TypeId
Ll128Protocol::GetTypeId()
{
    Values values;
    values.ringBaseUs = 14.0;
    values.ringNodeUs = 1.9;
    values.ringNetworkUs = 4.0;
    values.treeBaseUs = 14.0;
    values.treeNodeUs = 1.25;
    values.treeNetworkUs = 8.5;
    values.postUs = 1.0;
    values.efficiency = 120.0 / 128;
    values.ringShare = 0.92;
    values.treeShare = 0.92 * 120 / 128;
    static TypeId tid =
        AddValues(TypeId("ns3::aifabric::Ll128Protocol").AddConstructor<Ll128Protocol>(), values);
    return tid;
}

CollectiveProtocol::TreeShares
Ll128Protocol::GetTreeShares() const
{
    return {1,   1,   1,   1,   1,   0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6,
            0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1,   1,   1};
}

} // namespace aifabric
} // namespace ns3
