/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_OPTIONS_H
#define PAUSE_OPTIONS_H

#include "option-section.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options of what watches priority-based flow control, and of what disturbs it.
 */
class PauseOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Declare the options.  @param table where
    static void Declare(OptionTable& table);

    /// @return bit c set: class c is lossless  @param admission how switches admit frames
    static uint8_t FindLosslessClasses(TypeId admission);

    /// Read the options. To be called after the fabric and its buffers have been read.
    void Read();

  private:
    /// Read the watchdog.
    void ReadWatchdog();

    /// Read a host that pauses its switch.  @param item what the option says of it
    void ReadStorm(const std::string& item);
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_OPTIONS_H */
