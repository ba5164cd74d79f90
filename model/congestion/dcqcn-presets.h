/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCQCN_PRESETS_H
#define DCQCN_PRESETS_H

#include "dcqcn-rate.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Sets of constants of DCQCN that papers, simulators and NICs use.
 */
class DcqcnPresets
{
  public:
    /// Whose constants.
    enum Name : uint8_t
    {
        PAPER,        //!< the paper of 2015, at 40 Gb/s
        HPCC_REPO,    //!< published runs of the simulator of HPCC, its scheme dcqcn
        HPCC_PAPER,   //!< the same, its scheme dcqcn-paper
        HPCC_DEFAULT, //!< default attributes of that simulator
        CONWEAVE,     //!< the simulator of ConWeave
        NVIDIA_DOC,   //!< defaults that NVIDIA documents
        CONNECTX_3,   //!< defaults of ConnectX-3
        NVIDIA_LIKE,  //!< the values of ConWeave at 100 Gb/s, scaled to the rate of the port
    };

    /// @return the constants of a preset
    /// @param lineRate rate of the port, in bit/s: some presets scale increases by it
    static DcqcnRate::Parameters Get(Name name, double lineRate);

    /// @return the least time between two CNPs with a preset, in picoseconds
    static int64_t GetCnpGap(Name name);
};

} // namespace aifabric
} // namespace ns3

#endif /* DCQCN_PRESETS_H */
