/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EV_PROFILE_H
#define EV_PROFILE_H

#include "ev-template.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The entropy values (EV) that an operator gives to queue pairs of MRC (OCP MRC 1.0, EV profiles):
 * a template (EvTemplate) with a list of EVs, or with a range of them, from which they are
 * generated. Several such parts are joined by '+':
 *
 *     stev:fields=13/0,3/0/7,16/0/3:generated=0-15
 *     srv6:fields=32/0x5f000000,16/0x1000,16/0x2000/3,16/0x1001,16/0xe000:explicit=0,2,3
 *
 * Each EV is a path in a plane, as UsidRoute::entropy has it: the plane from bit 16 on, and the
 * label of the path below; an SRv6 address names leaf, spine, leaf and port with the uSIDs of
 * UsidScheme, and its plane and spine count. All queue pairs of a NIC share a profile.
 *
 * If all parts are lists, the first EVs of each plane are those that are in use at first; else it
 * is random which ones are.
 */
class EvProfile
{
  public:
    static constexpr uint32_t MOST = 256; //!< EVs of a plane

    /// @param text the profile
    /// @throws std::invalid_argument with one line, if it is none, has an EV twice, no path for an
    /// EV, or not equally many EVs in each plane
    explicit EvProfile(const std::string& text);

    /// @return the text
    const std::string& GetText() const
    {
        return m_text;
    }

    /// @return whether the first EVs of each plane are in use at first
    bool IsOrdered() const
    {
        return m_isOrdered;
    }

    /// @return the number of planes
    uint32_t GetPlanes() const
    {
        return static_cast<uint32_t>(m_paths.size());
    }

    /// @return EVs of each plane
    uint32_t GetSlots() const
    {
        return static_cast<uint32_t>(m_paths.front().size());
    }

    /// @return the path of an EV in its plane  @param slot the number of the EV in the plane
    uint32_t GetPath(uint32_t plane, uint32_t slot) const
    {
        return m_paths[plane][slot];
    }

    /// @return the number of the EV that has a path; none: no EV has it
    std::optional<uint32_t> Find(uint32_t plane, uint32_t path) const;

    /// @param planes of the fabric  @param paths of a plane
    /// @throws std::invalid_argument with one line, if the fabric has other planes or fewer paths
    void Check(uint32_t planes, uint32_t paths) const;

  private:
    /// Add the EVs of a part.  @param text the part
    void ReadPart(const std::string& text);

    /// Add an EV.  @param layout its template
    void AddEv(const EvTemplate& layout, uint32_t ev);

    /// Refuse the profile.  @param why one line
    [[noreturn]] void Refuse(const std::string& why) const;

    /// Check that planes have equally many EVs, and no path twice.
    void CheckPlanes() const;

    std::string m_text;                         //!< what was read
    bool m_isOrdered{true};                     //!< all parts are lists
    std::vector<std::vector<uint16_t>> m_paths; //!< by plane
};

} // namespace aifabric
} // namespace ns3

#endif /* EV_PROFILE_H */
