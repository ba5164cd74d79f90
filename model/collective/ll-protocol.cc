/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ll-protocol.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(LlProtocol);

TypeId
LlProtocol::GetTypeId()
{
    Values values;
    values.ringBaseUs = 6.6;
    values.ringNodeUs = 0.6;
    values.ringNetworkUs = 2.7;
    values.treeBaseUs = 6.8;
    values.treeNodeUs = 0.6;
    values.treeNetworkUs = 5.0;
    values.postUs = 1.0;
    values.efficiency = 0.5;
    values.ringShare = 0.5;
    values.treeShare = 0.92 / 3.8;
    values.mostNode = 141e9;
    values.mostPair = 39e9;
    values.mostNetwork = 20.4e9;
    static TypeId tid =
        AddValues(TypeId("ns3::aifabric::LlProtocol").AddConstructor<LlProtocol>(), values);
    return tid;
}

CollectiveProtocol::TreeShares
LlProtocol::GetTreeShares() const
{
    return {1,   1,   1,   1,   0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5,
            0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,   1,   1,   1,   1};
}

} // namespace aifabric
} // namespace ns3
