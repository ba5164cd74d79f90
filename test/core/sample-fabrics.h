/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SAMPLE_FABRICS_H
#define SAMPLE_FABRICS_H

#include "core-test.h"

#include "ns3/clos-builder.h"

namespace coretest
{

/// @return the fabrics that the properties are checked on, by name
inline std::map<std::string, ns3::aifabric::FabricGraph>
SampleFabrics()
{
    using namespace ns3::aifabric;
    return {
        {"k2", MakeFatTree({2, 1, {}})},
        {"k4", MakeFatTree({4, 1, {}})},
        {"k4Planes2", MakeFatTree({4, 2, {}})},
        {"k4Undersubscribed", MakeFatTree({4, 1, 1})},
        {"k6Oversubscribed", MakeFatTree({6, 1, 7})},
        {"k8", MakeFatTree({8, 1, {}})},
        {"k8Planes2", MakeFatTree({8, 2, {}})},
        {"leafSpine", MakeLeafSpine({8, 4, 16})},
        {"leafSpineBundles", MakeLeafSpine({3, 5, 4, 3})},
        {"leafSpinePlanes4", MakeLeafSpine({4, 2, 8, 2, 4})},
        {"oneLeaf", MakeLeafSpine({1, 1, 5})},
        {"threeTier", MakeThreeTier({8, 4, 4, 16, 16})},
        {"threeTierUneven", MakeThreeTier({3, 5, 2, 8, 4, 2})},
    };
}

} // namespace coretest

#endif /* SAMPLE_FABRICS_H */
