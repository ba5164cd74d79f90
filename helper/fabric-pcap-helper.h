/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_PCAP_HELPER_H
#define FABRIC_PCAP_HELPER_H

#include "ns3/trace-helper.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Captures what NICs and switch ports send and receive: Ethernet frames without FCS, with times in
 * nanoseconds, because a 4 KiB packet at 800 Gb/s takes 42 of them. A capture costs something at
 * its own ports only.
 */
class FabricPcapHelper : public PcapHelperForDevice
{
  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_PCAP_HELPER_H */
