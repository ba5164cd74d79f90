/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_GATES_H
#define PAUSE_GATES_H

#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * When the gates of traffic classes that PAUSE or PFC has closed open by themselves. Which gates
 * are closed is a mask that the owner keeps where each hop finds it: bit c set: class c.
 */
class PauseGates
{
  public:
    /// Close gates.  @param classes their mask  @param until when they open, in picoseconds
    void Close(uint8_t classes, int64_t until);

    /// @return which gates are still closed at a time  @param closed which were closed
    /// @param now the time, in picoseconds
    uint8_t Open(uint8_t closed, int64_t now) const;

    /// @return when the first of some gates opens, in picoseconds; NEVER if there are none
    /// @param classes their mask
    int64_t GetOpening(uint8_t classes) const;

  private:
    std::array<int64_t, 8> m_openAt{}; //!< by class, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_GATES_H */
