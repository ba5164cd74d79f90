/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-pcap-helper.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/fabric-net-device.h"
#include "ns3/function-callback.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/simulator.h"
#include "ns3/window-simulator.h"

namespace ns3
{
namespace aifabric
{

void
FabricPcapHelper::EnablePcapInternal(std::string prefix,
                                     Ptr<NetDevice> device,
                                     bool,
                                     bool explicitFilename)
{
    constexpr uint32_t ETHERNET = 1; // LINKTYPE_ETHERNET
    if (!DynamicCast<FabricNetDevice>(device))
    {
        return; // as in ns-3's helpers: a node may have devices of other kinds
    }
    WindowSimulator::RequireOneThread("FabricPcapHelper");
    PcapHelper helper;
    const std::string name =
        explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
    Ptr<PcapFileWrapper> file = CreateObject<PcapFileWrapper>();
    file->SetAttribute("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out);
    file->Init(ETHERNET);
    NS_ABORT_MSG_IF(file->Fail(), "FabricPcapHelper: " << name << " cannot be written");
    device->TraceConnectWithoutContext(
        "PromiscSniffer",
        FunctionCallback<void, Ptr<const Packet>>(
            [file](Ptr<const Packet> frame) { file->Write(Simulator::Now(), frame); }));
}

} // namespace aifabric
} // namespace ns3
