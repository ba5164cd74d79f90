/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef E_ECMP_BALANCER_H
#define E_ECMP_BALANCER_H

#include "ecmp-balancer.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * ECMP whose hash contains the destination queue pair of the InfiniBand transport header beside the
 * 5-tuple (A. Gangidi et al., "RDMA over Ethernet for Distributed AI Training at Meta Scale",
 * SIGCOMM 2024). The queue pairs of two NICs then take different paths, even if the NIC gives all
 * of them one UDP source port. A queue pair keeps its path as long as the next hops stay the same.
 */
class EEcmpBalancer : public EcmpBalancer
{
  public:
    /// How the fields become a number.
    enum Hash
    {
        MIX,   //!< a 64-bit mixer: each bit of the fields changes each bit of the result
        CRC32, //!< CRC-32 (IEEE 802.3) of the fields, folded to 16 bits by exclusive or
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;

    /**
     * CRC-32 of what a switch hashes, folded to 16 bits: source and destination address, UDP source
     * port and destination queue pair. The other fields of the 5-tuple are the same in all packets.
     * It has a table of its own, because ns3::CRC32Calculate() has no start value and needs the
     * fields in one buffer.
     *
     * @param salt the value that the CRC begins with
     * @return a number below 2^16
     */
    static uint16_t FoldedCrc(const FabricFrame& frame, uint32_t salt);

  protected:
    /// @return the member of a group that the hash chooses
    uint32_t PickByQueuePair(const FabricFrame& frame, const EgressGroup& group) const
    {
        if (m_hash == CRC32)
        {
            return FoldedCrc(frame, GetSalt()) % group.members.size();
        }
        return PickByHash(Mix(frame.flowHash, frame.destinationQp), group);
    }

  private:
    Hash m_hash{MIX}; //!< how the fields become a number
};

} // namespace aifabric
} // namespace ns3

#endif /* E_ECMP_BALANCER_H */
