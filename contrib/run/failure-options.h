/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAILURE_OPTIONS_H
#define FAILURE_OPTIONS_H

#include "option-section.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options of failures, and of what follows them.
 */
class FailureOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// @return whether a list of links was asked for; it has been printed then
    bool PrintsLinks();

    /// Read what fails, when switches know of it, and how fast hosts send then.
    void Read();

  private:
    /// Read how many ports an optic serves.
    void ReadOptics();

    /// Read what happens to links.
    void ReadFaults();

    /// Read which switches have a latency of their own.
    void ReadLatencies();

    /// @return the number of a switch, if there is one of this name
    std::optional<uint32_t> FindSwitch(const std::string& name) const;

    /// Draw links that fail before the start.
    void DrawFaults();

    /// Refuse links that are dead from the start and leave hosts without a way.
    void CheckFaults() const;

    /// Read when failures are known.
    void ReadReaction();

    /// Read how fast hosts send.
    void ReadRho();

    /// @return whether no link is dead from the start for good
    bool IsWhole() const;

    /// @return a time in picoseconds, or nothing for never  @param name its option
    std::optional<int64_t> ReadTimeOrNever(const std::string& name) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* FAILURE_OPTIONS_H */
