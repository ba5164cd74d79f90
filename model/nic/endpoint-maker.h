/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENDPOINT_MAKER_H
#define ENDPOINT_MAKER_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Makes endpoints at a NIC when the first frame comes for them: others know their numbers before
 * (EndpointTable::ReserveNumbers()).
 */
class EndpointMaker
{
  public:
    virtual ~EndpointMaker() = default;

    /// A frame has come for an endpoint that was not made: add it to the NIC, or do nothing.
    /// @param number its number, one of those that were reserved
    virtual void MakeEndpoint(uint32_t number) = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* ENDPOINT_MAKER_H */
