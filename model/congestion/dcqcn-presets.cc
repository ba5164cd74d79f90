/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn-presets.h"

#include "ns3/abort.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// A set of constants, in the units that its sources use.
struct Preset
{
    DcqcnPresets::Name name; //!< its name
    bool isPaper;            //!< the form of the paper
    double cnpGap;           //!< N, in us
    double gain;             //!< g
    double firstAlpha;       //!< alpha at the first CNP
    double alphaPeriod;      //!< Ta, in us
    double decreasePeriod;   //!< between checks for a cut, in us; the paper cuts at each CNP
    double ratePeriod;       //!< Tr, in us
    uint64_t byteCounter;    //!< Bc, in bytes; 0: none
    uint32_t fastSteps;      //!< F
    double additive;         //!< RAI, in Mb/s
    double hyper;            //!< RHAI, in Mb/s; 0: none
    double scale;            //!< the rate of the port for which these two hold, in Gb/s; 0: any
    double leastRate;        //!< Rmin, in Mb/s
};

// A simulator that returns marks in ACKs has no gap between CNPs. It looks at them once a decrease
// period, so that period is its gap.
constexpr Preset PRESETS[] = {
    {DcqcnPresets::PAPER, true, 50, 1.0 / 256, 1, 55, 50, 55, 10000000, 5, 40, 0, 0, 40},
    {DcqcnPresets::HPCC_REPO, false, 4, 1.0 / 256, 1, 1, 4, 300, 0, 1, 5, 50, 25, 1000},
    {DcqcnPresets::HPCC_PAPER, false, 50, 1.0 / 256, 1, 50, 50, 55, 0, 1, 5, 50, 25, 1000},
    {DcqcnPresets::HPCC_DEFAULT, false, 4, 1.0 / 16, 1, 55, 4, 1500, 0, 5, 5, 50, 0, 100},
    {DcqcnPresets::CONWEAVE, false, 4, 1.0 / 256, 1, 1, 4, 300, 0, 1, 10, 25, 25, 100},
    {DcqcnPresets::NVIDIA_DOC,
     false,
     4,
     5.0 / 1024,
     1023.0 / 1024,
     1,
     4,
     300,
     32767,
     1,
     5,
     50,
     0,
     1},
    {DcqcnPresets::CONNECTX_3, false, 50, 1.0 / 64, 0.5, 40, 4, 2000, 500000, 5, 5, 50, 0, 1},
    {DcqcnPresets::NVIDIA_LIKE, false, 4, 1.0 / 256, 1, 1, 4, 300, 0, 1, 40, 100, 100, 100},
};

/// @return a preset
const Preset&
Find(DcqcnPresets::Name name)
{
    for (const Preset& preset : PRESETS)
    {
        if (preset.name == name)
        {
            return preset;
        }
    }
    NS_ABORT_MSG("DcqcnPresets: there is no preset " << static_cast<int>(name));
}

/// @return picoseconds  @param us microseconds
int64_t
ToPs(double us)
{
    constexpr double PS = 1e6;
    return static_cast<int64_t>(us * PS);
}

} // namespace

DcqcnRate::Parameters
DcqcnPresets::Get(Name name, double lineRate)
{
    constexpr double MEGA = 1e6;
    constexpr double GIGA = 1e9;
    const Preset& preset = Find(name);
    const double factor = preset.scale > 0 ? lineRate / (preset.scale * GIGA) : 1;
    DcqcnRate::Parameters parameters;
    parameters.isPaper = preset.isPaper;
    parameters.gain = preset.gain;
    parameters.firstAlpha = preset.firstAlpha;
    parameters.alphaPeriod = ToPs(preset.alphaPeriod);
    parameters.decreasePeriod = ToPs(preset.decreasePeriod);
    parameters.ratePeriod = ToPs(preset.ratePeriod);
    parameters.byteCounter = preset.byteCounter;
    parameters.fastSteps = preset.fastSteps;
    parameters.additive = preset.additive * MEGA * factor;
    parameters.hyper = preset.hyper * MEGA * factor;
    parameters.leastRate = preset.leastRate * MEGA;
    return parameters;
}

int64_t
DcqcnPresets::GetCnpGap(Name name)
{
    return ToPs(Find(name).cnpGap);
}

} // namespace aifabric
} // namespace ns3
