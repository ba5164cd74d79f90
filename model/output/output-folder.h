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
    /**
     * Make the temporary folder, so that a folder that cannot be written is refused at once.
     *
     * @param path the folder
     * @throws std::invalid_argument with what is wrong with it
     */
    explicit OutputFolder(const std::string& path);

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

    /**
     * Keep the results of an earlier run: Commit() moves all that is in the folder to a folder
     * beside it, whose name has the first of the ends -1, -2, ... that is free.
     */
    void KeepEarlier();

    /// @return where Commit() has moved the results of an earlier run; empty: nowhere
    const std::string& GetEarlierPath() const;

    /// @return the names of the files so far
    const std::vector<std::string>& GetNames() const;

    /**
     * Move all files to their place, in the order in which they were added, instead of those of an
     * earlier run, which are deleted unless they are kept. If that fails, the folder is as it was.
     *
     * @throws std::runtime_error if that fails
     */
    void Commit();

    /// Remove the temporary folder and what was made for it.
    void Discard();

  private:
    /// Make a folder and those above it.  @param path the folder
    /// @return whether that went well
    bool MakeFolder(const std::string& path);

    /// Keep other runs off.  @return false if one is writing there
    bool Lock();

    /// Let other runs in.
    void Unlock();

    /// Remove the temporary folders of runs that were killed.
    void RemoveLeftovers() const;

    /// @return what Commit() takes out of the folder, if it is there
    std::vector<std::string> ListEarlier() const;

    /// Move the results of an earlier run, and what has the names of new files, to the temporary
    /// folder.
    void SetEarlierAside();

    /// Move what was set aside to a folder beside this one.
    void PlaceEarlier();

    /// Remove new files that have their place already, and move earlier ones back.
    void Undo();

    std::string m_path;                   //!< the folder
    std::string m_temporary;              //!< the temporary folder; empty: there is none
    std::vector<std::string> m_names;     //!< names of the files
    std::vector<std::string> m_committed; //!< names of files that have their place
    std::vector<std::string> m_aside;     //!< names of earlier files in the temporary folder
    bool m_keepsEarlier{false};           //!< the results of an earlier run are kept
    std::string m_earlierPath;            //!< where they are then; empty: there were none
    int m_lock{-1};                       //!< file descriptor that locks the folder; -1: none
    bool m_isLocked{false};               //!< no other run writes there
    InterruptCleanup m_cleanup;           //!< what must not stay if there are no results
};

} // namespace aifabric
} // namespace ns3

#endif /* OUTPUT_FOLDER_H */
