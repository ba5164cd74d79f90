/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INPUT_FILES_H
#define INPUT_FILES_H

#include "option-section.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The files that options name for reading.
 */
class InputFiles : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Refuse a file that the results would replace.
    void CheckResults() const;

  private:
    /// @return whether results in the folder for results have the name of a file
    /// @param path the file
    bool IsReplaced(const std::string& path) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* INPUT_FILES_H */
