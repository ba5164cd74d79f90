/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_BUFFER_H
#define PORT_BUFFER_H

#include "buffer-admission.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A buffer divided statically: each port has a share of its own, and refuses what does not fit.
 */
class PortBuffer : public BufferAdmission
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    AdmissionVerdict Admit(const FabricFrame& frame,
                           FabricTransmitter& egress,
                           int64_t now) override;
    uint32_t GetPortBytes() const override;
    void SetLeastFactor(double least) override;

  private:
    /// Admit a frame, or not, where some port has no room for it.
    /// @param bytes bytes that wait at its port, with the frame  @param egress its port
    /// @return what becomes of it
    [[gnu::noinline]] AdmissionVerdict AdmitAboveLeast(uint32_t bytes,
                                                       const FabricTransmitter& egress) const;

    /// @param bytes a port's share in bytes
    void SetPortBytes(uint32_t bytes);

    uint32_t m_portBytes{0};  //!< a port's share in bytes
    double m_leastFactor{1};  //!< the least fraction of it that a port has
    uint32_t m_leastBytes{0}; //!< the least share in bytes
};

} // namespace aifabric
} // namespace ns3

#endif /* PORT_BUFFER_H */
