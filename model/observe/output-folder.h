/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTPUT_FOLDER_H
#define OUTPUT_FOLDER_H

#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The folder that a run's files go to. They are written to a temporary folder beside it, or in it
 * if it exists, and moved to their place by Commit(), the last one last. So a run that fails leaves
 * nothing that looks like results.
 */
class OutputFolder
{
  public:
    /**
     * Make the temporary folder, so that a folder that cannot be written is refused at once.
     *
     * @param path the folder
     * @throws std::invalid_argument with what is wrong with it
     */
    explicit OutputFolder(const std::string& path);

    /// Removes what was not committed.
    ~OutputFolder();

    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    /**
     * Add a file.
     *
     * @param name its name in the folder
     * @return where to write it
     */
    std::string Add(const std::string& name);

    /// @return the names of the files so far
    const std::vector<std::string>& GetNames() const;

    /**
     * Move all files to their place, in the order in which they were added.
     *
     * @throws std::runtime_error if that fails
     */
    void Commit();

    /// Remove the temporary folder and what was made for it.
    void Discard();

  private:
    /// @return what is wrong with the folder; empty: nothing
    std::string FindFault() const;

    /// Make the folders above a path.  @param path the path
    /// @return whether that went well
    bool MakeParents(const std::string& path);

    std::string m_path;                 //!< the folder
    std::string m_temporary;            //!< the temporary folder; empty: there is none
    std::vector<std::string> m_names;   //!< names of the files
    std::vector<std::string> m_parents; //!< folders made above it, the topmost first
};

} // namespace aifabric
} // namespace ns3

#endif /* OUTPUT_FOLDER_H */
