/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ECMP_BALANCER_H
#define ECMP_BALANCER_H

#include "switch-balancer.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Equal-cost multipath (RFC 2992): the next hop is a hash of the 5-tuple. Each switch mixes a
 * random salt of its own into the hash, so that the choices of two tiers are independent.
 */
class EcmpBalancer : public SwitchBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EcmpBalancer();

    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;
    bool HashesOnly() const override;
    bool KeepsPaths() const override;
    TypeId GetHostBalancer() const override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * Mix a hash and a salt so that each bit of both changes each bit of the result: the finalizer
     * of MurmurHash3, 64 bits.
     *
     * @param hash the hash of a flow
     * @param salt the salt of a switch
     * @return the mixed hash
     */
    static uint32_t Mix(uint32_t hash, uint32_t salt);

  protected:
    void DoInitialize() override;

    /// @return a member of a group, by a hash that is mixed with the salt of this switch
    uint32_t PickByHash(uint32_t hash, const EgressGroup& group) const
    {
        return static_cast<uint64_t>(Mix(hash, m_salt)) * group.members.size() >> 32;
    }

    /// @return the salt of this switch
    uint32_t GetSalt() const
    {
        return m_salt;
    }

  private:
    Ptr<UniformRandomVariable> m_random; //!< where the salt comes from
    uint32_t m_salt{0};                  //!< the salt of this switch
};

} // namespace aifabric
} // namespace ns3

#endif /* ECMP_BALANCER_H */
