/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "e-ecmp-balancer.h"

#include "ns3/enum-accessor.h"
#include "ns3/enum.h"

#include <array>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EEcmpBalancer);

namespace
{

using CrcTable = std::array<uint32_t, 256>;

/// @return the remainders of all bytes, of the reflected polynomial of IEEE 802.3
constexpr CrcTable
MakeCrcTable()
{
    constexpr uint32_t POLYNOMIAL = 0xEDB88320;
    constexpr uint32_t BITS = 8;
    CrcTable table{};
    for (uint32_t byte = 0; byte < table.size(); ++byte)
    {
        uint32_t rest = byte;
        for (uint32_t bit = 0; bit < BITS; ++bit)
        {
            rest = (rest & 1) != 0 ? rest >> 1 ^ POLYNOMIAL : rest >> 1;
        }
        table[byte] = rest;
    }
    return table;
}

constexpr CrcTable CRC_TABLE = MakeCrcTable();

/// @return a CRC with more bytes  @param crc the CRC so far
/// @param value the bytes, the highest first
uint32_t
Extend(uint32_t crc, uint32_t value, uint32_t bytes)
{
    constexpr uint32_t BITS = 8;
    while (bytes > 0)
    {
        --bytes;
        crc = crc >> BITS ^ CRC_TABLE[(crc ^ value >> BITS * bytes) & 0xFF];
    }
    return crc;
}

} // namespace

TypeId
EEcmpBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EEcmpBalancer")
            .SetParent<EcmpBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<EEcmpBalancer>()
            .AddAttribute("Hash",
                          "The hash of addresses, UDP source port and destination queue pair: Mix, "
                          "a uniform one, or Crc32, CRC-32 folded to 16 bits and taken modulo the "
                          "number of next hops.",
                          EnumValue(MIX),
                          MakeEnumMemberAccessor<Hash>(&EEcmpBalancer::m_hash),
                          MakeEnumChecker(MIX, "Mix", CRC32, "Crc32"));
    return tid;
}

uint32_t
EEcmpBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t)
{
    return PickByQueuePair(frame, group);
}

int
EEcmpBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    return PickByQueuePair(frame, group);
}

uint16_t
EEcmpBalancer::FoldedCrc(const FabricFrame& frame, uint32_t salt)
{
    uint32_t crc = Extend(~salt, frame.source, 4);
    crc = Extend(crc, frame.destination, 4);
    crc = Extend(crc, frame.GetSourcePort(), 2);
    crc = ~Extend(crc, frame.destinationQp, 3);
    return crc >> 16 ^ (crc & 0xFFFF);
}

} // namespace aifabric
} // namespace ns3
