/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENTROPY_BALANCER_H
#define ENTROPY_BALANCER_H

#include "ns3/host-balancer.h"
#include "ns3/label-forwarding.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A balancer of the host that names paths by random labels, as the switches hash them. The label is
 * what comes behind PathChoice::FIRST_PORT in the source port. With several planes it says the
 * plane too, so that a label is one path.
 *
 * If switches do not hash the label but use its parts (Forwarding), each path has a label of its
 * own: the uplinks, and above them the plane, as PartLayout has them.
 */
class EntropyBalancer : public HostBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetClosNeed() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    void Connect(uint32_t source,
                 uint32_t destination,
                 std::shared_ptr<const PathView> paths) override;
    std::optional<PathChoice> Choose(const PathRequest& request) override;
    TypeId GetSwitchBalancer() const override;

  protected:
    /// @return whether each path has one label, because switches do not hash the 5-tuple
    bool HasPathLabels() const
    {
        return m_paths > 0;
    }

    /// @return how many labels to use  @param usual if switches hash; else one for each path
    uint32_t CountLabels(uint32_t usual) const
    {
        return HasPathLabels() ? m_paths * m_planes : usual;
    }

    /// @return the same as a power of two: usual, if the number of paths is none
    /// @param usual a power of two
    uint32_t CountLabelsOfPower(uint32_t usual) const;

    /**
     * Turn a number of base round-trip times into a time. It is an error if the NIC does not know
     * the base round-trip time and the number is above 0.
     *
     * @param attribute the name of the attribute that has the number
     * @param rtts the number
     * @return picoseconds, at most 10^18, and at least 1 if the number is above 0
     */
    int64_t GetRtts(const std::string& attribute, double rtts, const FabricFacts& facts) const;

    /// @return the label of the next packet, below ENTROPIES  @param now the time, in picoseconds
    virtual uint16_t NextLabel(int64_t now) = 0;

  private:
    /// Note the paths of a plane.  @param uplinks of the switches on the way up
    void SetUplinks(const std::vector<uint16_t>& uplinks);

    LabelForwarding::Mode m_forwarding{LabelForwarding::FULL_HASH}; //!< how switches use labels
    uint32_t m_paths{0};  //!< paths of a plane that labels name; 0: switches hash
    uint32_t m_planes{1}; //!< the number of planes
};

} // namespace aifabric
} // namespace ns3

#endif /* ENTROPY_BALANCER_H */
