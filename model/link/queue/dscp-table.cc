/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dscp-table.h"

#include "ns3/abort.h"
#include "ns3/range-map.h"
#include "ns3/string.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(DscpTable);

namespace
{

/// @return the class selector of each DSCP
std::vector<uint32_t>
ClassSelectors()
{
    std::vector<uint32_t> classes(DscpTable::DSCPS);
    for (uint32_t dscp = 0; dscp < classes.size(); ++dscp)
    {
        classes[dscp] = dscp * DscpTable::CLASSES / DscpTable::DSCPS;
    }
    return classes;
}

} // namespace

TypeId
DscpTable::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::DscpTable")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<DscpTable>()
            .AddAttribute("Classes",
                          "Traffic classes of DSCPs, such as 26:5,48-63:7. A DSCP that is not "
                          "named has the class of its upper three bits.",
                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                          StringValue("0-7:0,8-15:1,16-23:2,24-31:3,32-39:4,40-47:5,48-55:6,"
                                      "56-63:7"),
                          MakeStringAccessor(&DscpTable::SetClasses, &DscpTable::GetClasses),
                          MakeStringChecker());
    return tid;
}

DscpTable::DscpTable()
{
    SetClasses("");
}

bool
DscpTable::IsEqual(const DscpTable& other) const
{
    return m_classes == other.m_classes;
}

void
DscpTable::SetClasses(std::string text)
{
    constexpr RangeMapLimits LIMITS{0, CLASSES - 1};
    const std::vector<uint32_t> usual = ClassSelectors();
    std::vector<uint32_t> classes;
    try
    {
        classes = ReadRangeMap(text, usual, LIMITS);
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG("DscpTable::Classes: " << error.what());
    }
    std::copy(classes.begin(), classes.end(), m_classes.begin());
    m_isUsual = classes == usual;
}

std::string
DscpTable::GetClasses() const
{
    return WriteRangeMap({m_classes.begin(), m_classes.end()});
}

} // namespace aifabric
} // namespace ns3
