/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTPUT_FOLDER_H
#define OUTPUT_FOLDER_H

#include "interrupt-cleanup.h"

#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The folder that a run's files go to. They are written to a temporary folder in it, and moved to
 * their place by Commit(), the last one last. So a run that fails or is interrupted leaves nothing
 * that looks like results, and the results of an earlier run stay. Until then the folder is locked:
 * no other run may write there. A folder with a run.json that no run has written is refused.
 * ns3::SystemPath makes folders and names, but has no lock, no rename and no removal.
 */
class OutputFolder
{
  public:
    /// Whether the folder may be there already.
    enum class Kind
    {
        ANY, //!< it may
        NEW //!< it may not: if it is there, its name gets the first of the ends -2, -3, ... that is
            //!< free
    };

    /**
     * Make the temporary folder, so that a folder that cannot be written is refused at once.
     *
     * @param path the folder
     * @param kind whether it may be there
     * @throws std::invalid_argument with what is wrong with it
     */
    explicit OutputFolder(const std::string& path, Kind kind = Kind::ANY);

    /// Removes what was not committed.
    ~OutputFolder();

    /// @return what is wrong with a folder, as far as can be seen without making it; empty: nothing
    /// @param path the folder
    static std::string FindFault(const std::string& path);

    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    /**
     * Add a file.
     *
     * @param name its name in the folder
     * @return where to write it
     */
    std::string Add(const std::string& name);

    /**
     * Add a file that is removed before Commit().
     *
     * @param name its name in the temporary folder
     * @return where to write it
     */
    std::string AddScratch(const std::string& name);

    /// @return the folder
    const std::string& GetPath() const;

    /// @return the names of the files so far
    const std::vector<std::string>& GetNames() const;

    /**
     * Move all files to their place, in the order in which they were added, instead of those of an
     * earlier run, which are deleted. If that fails, the folder is as it was.
     *
     * @throws std::runtime_error if that fails
     */
    void Commit();

    /**
     * Have a symbolic link beside the folder lead to it, instead of where it led before. Nothing
     * happens if that is impossible, or if something else has this name.
     *
     * @param name of the link
     * @return the link; empty: there is none
     */
    std::string LinkAs(const std::string& name) const;

    /// Remove the temporary folder and what was made for it.
    void Discard();

  private:
    /// Make a folder and those above it.  @param path the folder
    /// @return whether that went well
    bool MakeFolder(const std::string& path);

    /// Make the folder, and those above it, with a number behind its name if it is there.
    /// @return whether that went well
    bool MakeNewFolder();

    /// Keep other runs off.  @return false if one is writing there
    bool Lock();

    /// Let other runs in.
    void Unlock();

    /// Remove the temporary folders of runs that were killed.
    void RemoveLeftovers() const;

    /// Move the results of an earlier run, and what has the names of new files, to the temporary
    /// folder.
    void SetEarlierAside();

    /// Remove new files that have their place already, and move earlier ones back.
    void Undo();

    std::string m_path;                   //!< the folder
    std::string m_temporary;              //!< the temporary folder; empty: there is none
    std::vector<std::string> m_names;     //!< names of the files
    std::vector<std::string> m_committed; //!< names of files that have their place
    std::vector<std::string> m_aside;     //!< names of earlier files in the temporary folder
    int m_lock{-1};                       //!< file descriptor that locks the folder; -1: none
    bool m_isLocked{false};               //!< no other run writes there
    InterruptCleanup m_cleanup;           //!< what must not stay if there are no results
};

} // namespace aifabric
} // namespace ns3

#endif /* OUTPUT_FOLDER_H */
