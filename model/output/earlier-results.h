/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EARLIER_RESULTS_H
#define EARLIER_RESULTS_H

#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The results of an earlier run in a folder, which a later run replaces. The folder may hold
 * anything: only a regular file run.json of bounded size that begins as those of ai-fabric-run do
 * is read, and only names that runs give to their files are taken from it.
 */
class EarlierResults
{
  public:
    static constexpr const char* SUMMARY = "run.json"; //!< the file that a run writes last

    /**
     * @throws std::invalid_argument if its run.json was not written by a run, or if the folder has
     * another file with a name of results, which a run would replace
     */
    explicit EarlierResults(const std::string& folder);

    /// @return the names of the files of the earlier run, run.json first; empty: there was no run
    const std::vector<std::string>& GetNames() const;

    /// @return whether a run gives this name to a file
    static bool IsResult(const std::string& name);

  private:
    /// @return the text of run.json
    static std::string ReadSummary(const std::string& path);

    /// @throws std::invalid_argument  @param path a file that is not of an earlier run
    [[noreturn]] static void RefuseForeign(const std::string& path);

    /// Refuse files that have names of results and are not of the earlier run.
    void CheckOthers(const std::string& folder) const;

    /// Keep the names in the list "files".  @param text the text of run.json
    void KeepNames(const std::string& text);

    std::vector<std::string> m_names; //!< names of the files
};

} // namespace aifabric
} // namespace ns3

#endif /* EARLIER_RESULTS_H */
