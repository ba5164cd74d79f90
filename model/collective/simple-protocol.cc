/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "simple-protocol.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SimpleProtocol);

TypeId
SimpleProtocol::GetTypeId()
{
    Values values;
    values.ringBaseUs = 8.4;
    values.ringNodeUs = 3.4;
    values.ringNetworkUs = 14.0;
    values.treeBaseUs = 8.4;
    values.treeNodeUs = 4.0;
    values.treeNetworkUs = 14.0;
    values.switchUs = 25.0;
    values.postUs = 3.0;
    values.ringPlateau = 1.4;
    values.treeShare = 0.92;
    static TypeId tid =
        AddValues(TypeId("ns3::aifabric::SimpleProtocol").AddConstructor<SimpleProtocol>(), values);
    return tid;
}

CollectiveProtocol::TreeShares
SimpleProtocol::GetTreeShares() const
{
    return {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5,
            0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9, 0.9};
}

} // namespace aifabric
} // namespace ns3
