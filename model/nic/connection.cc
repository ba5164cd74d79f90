/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection.h"

#include "roce-net-device.h"

#include "ns3/abort.h"

namespace ns3
{
namespace aifabric
{

void
Connection::CheckNumber(int64_t number, uint32_t psn) const
{
    NS_ABORT_MSG_IF(number < 0,
                    "QueuePair: host " << nic->GetHost() << " received PSN " << ToPsn(psn)
                                       << " from host " << peerHost << ", and FirstPsn is "
                                       << firstPsn << "; FirstPsn has to be the same at both ends");
}

} // namespace aifabric
} // namespace ns3
