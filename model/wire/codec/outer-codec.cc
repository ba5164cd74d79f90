/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "outer-codec.h"

#include "header-bytes.h"
#include "srv6-routing-header.h"

#include "ns3/ecn-tunnel.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/ipv6-header.h"

#include <array>
#include <optional>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return an ns-3 address  @param address its bytes
Ipv6Address
ToIpv6(UsidScheme::Address address)
{
    return Ipv6Address(address.data());
}

/// @return the switch with a MAC address (AddressPlan); none: it is that of a host
/// @param address the MAC address
std::optional<uint32_t>
FindSwitch(Mac48Address address)
{
    constexpr uint8_t SWITCH_BIT = 0x80;
    std::array<uint8_t, 6> bytes;
    address.CopyTo(bytes.data());
    if (!(bytes[1] & SWITCH_BIT))
    {
        return std::nullopt;
    }
    return (bytes[1] & ~SWITCH_BIT) << 16 | bytes[2] << 8 | bytes[3];
}

/// @return the segment routing header with the route of a frame
Srv6RoutingHeader
MakeCopy(const UsidScheme::Address& route)
{
    Srv6RoutingHeader copy;
    copy.SetNextHeader(OuterCodec::IPV6_IN_IP);
    copy.SetSegments({route});
    return copy;
}

} // namespace

uint32_t
OuterCodec::GetBytes(const FabricFrame& frame)
{
    const SourceRoutePlan* plan = FabricFramePool::FindPlan(frame);
    return plan ? GetBytes(plan->HasCopy()) : 0;
}

uint16_t
OuterCodec::FindPlane(const SourceRoutePlan& plan, Mac48Address source, Mac48Address destination)
{
    std::optional<uint32_t> id = FindSwitch(source);
    if (!id)
    {
        id = FindSwitch(destination);
    }
    return id ? plan.GetPlane(*id) : 0;
}

Ptr<FabricFrame>
OuterCodec::MakeInner(const FabricFrame& frame)
{
    Ptr<FabricFrame> inner = FabricFramePool::CloneInPool(frame);
    inner->ttl = FabricFrame::FIRST_TTL;
    // BufferAdmission::Trim() leaves the byte that the frame had.
    const bool isTrimmed = frame.flags & FRAME_TRIMMED;
    inner->SetTos(ecntunnel::Inner(isTrimmed ? frame.syndrome : frame.GetTos()));
    return inner;
}

void
OuterCodec::Write(Buffer::Iterator& i, const FabricFrame& frame, uint16_t plane, uint32_t size)
{
    const SourceRoutePlan& plan = *FabricFramePool::FindPlan(frame);
    const UsidScheme& scheme = plan.GetScheme();
    const UsidScheme::List path = plan.FindPath(frame, plane);
    Ipv6Header outer;
    outer.SetTrafficClass(frame.GetTos());
    outer.SetFlowLabel(frame.entropy >> 16);
    outer.SetPayloadLength(size + (plan.HasCopy() ? COPY_BYTES : 0));
    outer.SetNextHeader(plan.HasCopy() ? Srv6RoutingHeader::PROTOCOL : IPV6_IN_IP);
    outer.SetHopLimit(frame.ttl);
    outer.SetSource(ToIpv6(scheme.ToAddress(plan.FindOwn(frame.source, plane))));
    outer.SetDestination(ToIpv6(scheme.ToAddress(path, plan.CountConsumed(frame.GetHops()))));
    WriteHeader(i, outer);
    if (plan.HasCopy())
    {
        WriteHeader(i, MakeCopy(scheme.ToAddress(path)));
    }
}

CodecResult
OuterCodec::Read(Buffer::Iterator start,
                 uint32_t available,
                 const SourceRoutePlan& plan,
                 OuterSummary& outer)
{
    outer.bytes = GetBytes(plan.HasCopy());
    if (available < outer.bytes + IPV6_BYTES)
    {
        return CodecResult::TRUNCATED;
    }
    const auto header = ReadHeader<Ipv6Header>(start);
    uint8_t next = header.GetNextHeader();
    if (plan.HasCopy())
    {
        if (next != Srv6RoutingHeader::PROTOCOL)
        {
            return CodecResult::UNSUPPORTED;
        }
        const auto copy = ReadHeader<Srv6RoutingHeader>(start);
        next = copy.IsValid() && copy.GetSerializedSize() == COPY_BYTES ? copy.GetNextHeader() : 0;
    }
    outer.tos = header.GetTrafficClass();
    outer.ttl = header.GetHopLimit();
    outer.isCut = available < IPV6_BYTES + header.GetPayloadLength();
    header.GetDestination().GetBytes(outer.route.data());
    return next == IPV6_IN_IP ? CodecResult::OK : CodecResult::UNSUPPORTED;
}

CodecResult
OuterCodec::Complete(const OuterSummary& outer, const SourceRoutePlan& plan, FabricFrame& frame)
{
    const UsidScheme& scheme = plan.GetScheme();
    const uint8_t inner = frame.GetTos();
    frame.ttl = outer.ttl;
    frame.SetTos(outer.tos);
    if (frame.payload > 0 && inner >> 2 != outer.tos >> 2) // only trimming changes a DSCP
    {
        frame.syndrome = inner;
    }
    const auto isKnown = ecntunnel::Decapsulate(static_cast<EcnField>(inner & 0x3), frame.GetEcn());
    const auto left = scheme.ToList(outer.route);
    const auto first = left && !left->empty() ? scheme.Read(left->front()) : std::nullopt;
    if (!isKnown || !first)
    {
        return CodecResult::UNSUPPORTED;
    }
    const UsidScheme::List path = plan.FindPath(frame, first->plane);
    const uint32_t consumed = plan.CountConsumed(frame.GetHops());
    const bool isRoute = consumed < path.size() && scheme.ToAddress(path, consumed) == outer.route;
    return isRoute ? CodecResult::OK : CodecResult::UNSUPPORTED;
}

} // namespace aifabric
} // namespace ns3
