/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ev-profile.h"

#include "ns3/printable.h"
#include "ns3/usid-scheme.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t EV_PLANE_SHIFT = 16; //!< of the plane in an EV
constexpr uint32_t MOST_PLANES = 32;    //!< of a NIC

/// @return the EV of a structured EV, its first four bytes  @param value the bytes
uint32_t
ReadStructured(const EvTemplate::Value& value)
{
    return uint32_t{value[0]} << 24 | value[1] << 16 | value[2] << 8 | value[3];
}

/// @return the EV of an address, its first 16 bytes; none: it is no route between two leaves
/// @param value the bytes
std::optional<uint32_t>
ReadAddress(const EvTemplate::Value& value)
{
    const UsidScheme scheme;
    UsidScheme::Address address;
    std::copy_n(value.begin(), address.size(), address.begin());
    const std::optional<UsidScheme::List> list = scheme.ToList(address);
    const auto route = list ? scheme.ToRoute(*list) : std::nullopt;
    return route ? std::optional(route->entropy) : std::nullopt;
}

} // namespace

EvProfile::EvProfile(const std::string& text)
    : m_text(text)
{
    try
    {
        for (const std::string& part : EvTemplate::Split(text, '+'))
        {
            ReadPart(part);
        }
    }
    catch (const std::invalid_argument& error)
    {
        Refuse(error.what());
    }
    CheckPlanes();
}

void
EvProfile::Refuse(const std::string& why) const
{
    throw std::invalid_argument("MrcBalancer::Profile=" + Printable(m_text) + ": " +
                                Printable(why));
}

void
EvProfile::ReadPart(const std::string& text)
{
    const std::string explicitKey = "explicit=";
    const std::string generatedKey = "generated=";
    const std::size_t colon = text.rfind(':');
    const std::string evs = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (evs.compare(0, explicitKey.size(), explicitKey) == 0)
    {
        const EvTemplate layout = EvTemplate::Read(text.substr(0, colon));
        for (const std::string& ev : EvTemplate::Split(evs.substr(explicitKey.size()), ','))
        {
            AddEv(layout, EvTemplate::ReadNumber(ev));
        }
        return;
    }
    const std::vector<std::string> ends =
        EvTemplate::Split(evs.substr(std::min(evs.size(), generatedKey.size())), '-');
    if (evs.compare(0, generatedKey.size(), generatedKey) != 0 || ends.size() != 2)
    {
        throw std::invalid_argument("'" + text +
                                    "' is no part: TEMPLATE:explicit=EV,... or "
                                    "TEMPLATE:generated=FIRST-LAST");
    }
    const EvTemplate layout = EvTemplate::Read(text.substr(0, colon));
    const uint32_t first = EvTemplate::ReadNumber(ends[0]);
    const uint32_t last = EvTemplate::ReadNumber(ends[1]);
    if (first > last || last - first >= MOST * MOST_PLANES)
    {
        throw std::invalid_argument("'" + evs + "' has to be ascending, with at most 8192 EVs");
    }
    m_isOrdered = false;
    for (uint64_t ev = first; ev <= last; ++ev)
    {
        AddEv(layout, static_cast<uint32_t>(ev));
    }
}

void
EvProfile::AddEv(const EvTemplate& layout, uint32_t ev)
{
    if (layout.GetFormat() == EvTemplate::Format::ECMP)
    {
        throw std::invalid_argument(
            "stev, srv6 or srv6-srh, since nobody knows the path of a hash");
    }
    const EvTemplate::Value value = layout.Expand(ev);
    const std::optional<uint32_t> entropy = layout.GetFormat() == EvTemplate::Format::STEV
                                                ? std::optional(ReadStructured(value))
                                                : ReadAddress(value);
    const uint32_t plane = entropy.value_or(0) >> EV_PLANE_SHIFT;
    if (!entropy || plane >= MOST_PLANES)
    {
        throw std::invalid_argument("EV " + std::to_string(ev) + " is no path: " +
                                    (entropy ? "there are at most 32 planes"
                                             : "no list of leaf, spine, leaf and port of a plane"));
    }
    m_paths.resize(std::max<std::size_t>(m_paths.size(), plane + 1));
    m_paths[plane].push_back(static_cast<uint16_t>(*entropy));
}

void
EvProfile::CheckPlanes() const
{
    for (std::vector<uint16_t> paths : m_paths)
    {
        if (paths.size() != GetSlots() || paths.size() > MOST)
        {
            Refuse("equally many EVs in each plane, at most 256");
        }
        std::sort(paths.begin(), paths.end());
        if (std::adjacent_find(paths.begin(), paths.end()) != paths.end())
        {
            Refuse("a path has two EVs");
        }
    }
}

std::optional<uint32_t>
EvProfile::Find(uint32_t plane, uint32_t path) const
{
    if (plane >= GetPlanes())
    {
        return std::nullopt;
    }
    const std::vector<uint16_t>& paths = m_paths[plane];
    const auto found = std::find(paths.begin(), paths.end(), path);
    return found != paths.end() ? std::optional(static_cast<uint32_t>(found - paths.begin()))
                                : std::nullopt;
}

void
EvProfile::Check(uint32_t planes, uint32_t paths) const
{
    if (planes != GetPlanes())
    {
        Refuse("EVs of planes 0 to " + std::to_string(planes - 1) + ", which the fabric has");
    }
    for (const std::vector<uint16_t>& each : m_paths)
    {
        if (*std::max_element(each.begin(), each.end()) >= paths)
        {
            Refuse("paths 0 to " + std::to_string(paths - 1) + ", which a plane has");
        }
    }
}

} // namespace aifabric
} // namespace ns3
