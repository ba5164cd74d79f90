/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_OPTIONS_H
#define RANK_OPTIONS_H

#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The options of a program that may run on several ranks, --ranks and --engine. They have to be
 * known before all others are read, because MPI comes first.
 */
class RankOptions
{
  public:
    static constexpr const char* GRANTED = "granted";           //!< an engine
    static constexpr const char* NULL_MESSAGE = "null-message"; //!< an engine
    static constexpr int MOST = 4096;                           //!< ranks

    /// @return the TypeId of ns-3's simulator for an engine, if there is such an engine
    /// @param engine its name, or auto
    static std::optional<std::string> FindEngine(const std::string& engine);

    /**
     * Begin with MPI, if several ranks are asked for and this build has it. What is wrong with the
     * options is left to who reads them.
     *
     * @param argc number of arguments
     * @param argv the arguments
     */
    static void Enable(int* argc, char*** argv);
};

} // namespace aifabric
} // namespace ns3

#endif /* RANK_OPTIONS_H */
