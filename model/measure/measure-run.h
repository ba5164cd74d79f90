/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MEASURE_RUN_H
#define MEASURE_RUN_H

#include "port-catalog.h"

#include "ns3/fabric-switch.h"
#include "ns3/message-service.h"
#include "ns3/roce-net-device.h"
#include "ns3/run-measures.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Measure a run, or a part of it, as it is now: to be called when the simulation has stopped and
 * before the fabric is disposed of. Ports are brought up to now (PortCatalog::CatchUp()).
 *
 * @param catalog the ports
 * @param service the flows
 * @return what they have counted
 */
RunMeasures MeasureRun(const PortCatalog& catalog,
                       const std::vector<Ptr<FabricSwitch>>& switches,
                       const std::vector<Ptr<RoceNetDevice>>& nics,
                       const MessageService& service);

} // namespace aifabric
} // namespace ns3

#endif /* MEASURE_RUN_H */
