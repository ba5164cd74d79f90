/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_BUFFER_H
#define PORT_BUFFER_H

#include "queue-limit.h"

#include "ns3/buffer-admission.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A buffer divided statically: each port has a share of its own, and drops what does not fit.
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
    /// A frame finds no room: it is dropped, or the last one of its queue instead.
    [[gnu::noinline]] AdmissionVerdict Overflow(const FabricFrame& frame,
                                                FabricTransmitter& egress,
                                                int64_t now);

    QueueLimit m_portBytes; //!< a port's share
};

} // namespace aifabric
} // namespace ns3

#endif /* PORT_BUFFER_H */
