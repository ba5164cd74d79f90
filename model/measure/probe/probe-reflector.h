/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROBE_REFLECTOR_H
#define PROBE_REFLECTOR_H

#include "ns3/ingress-stage.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Lets probes of a FabricProber turn around at a switch of tier 1, as their source route says: a
 * probe goes on to its sender. All other frames pass.
 */
class ProbeReflector : public IngressStage
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ProbeReflector();

    /// @param number number of the endpoints of probes, the same at all NICs
    explicit ProbeReflector(uint32_t number);

    void Install(FabricSwitch& fabricSwitch) override;
    bool Passes(const Ptr<FabricFrame>& frame, int64_t now) override;

  private:
    uint32_t m_number{0}; //!< of the endpoints of probes
};

} // namespace aifabric
} // namespace ns3

#endif /* PROBE_REFLECTOR_H */
