/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POLICY_LIBRARY_H
#define POLICY_LIBRARY_H

namespace ns3
{
namespace aifabric
{

class OptionTable;

/**
 * @ingroup ai-fabric
 *
 * Policies of one's own, in shared libraries that --library names. Each registers itself with
 * ns3::TypeId when its library is loaded (NS_OBJECT_ENSURE_REGISTERED), as those of the module do.
 */
class PolicyLibrary
{
  public:
    /// Add the option to the table.
    static void Declare(OptionTable& table);

    /**
     * Load the libraries. To be called before options are read, since their values may name the
     * policies.
     *
     * @param argc how many arguments  @param argv of the program
     * @throws OptionError if a library cannot be loaded
     */
    static void Load(int argc, char* argv[]);
};

} // namespace aifabric
} // namespace ns3

#endif /* POLICY_LIBRARY_H */
