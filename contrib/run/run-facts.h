/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_FACTS_H
#define RUN_FACTS_H

#include "ns3/process-cost.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/// What is known of a run beside what was measured.
struct RunFacts
{
    ProcessCost cost;            //!< of this process, since the run was made
    double rhoMax{1};            //!< what the links can bear, of the line rate
    double rho{1};               //!< what hosts send, of the line rate
    uint64_t convergences{0};    //!< how often routing has converged
    uint64_t updatedSwitches{0}; //!< switches that had to change
    uint64_t events{0};          //!< of the run itself
    double cpuSeconds{0};        //!< of all ranks
    double loopSeconds{0};       //!< on the clock, of the event loop
    bool usesWindows{false};     //!< WindowSimulator ran it, instead of an event list
    uint32_t threads{1};         //!< that ran it
    std::string control;         //!< what the congestion control derived from the fabric
    uint64_t peakBytes{0};       //!< of the rank that needed most
    int64_t endPs{0};            //!< when measuring ended
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_FACTS_H */
