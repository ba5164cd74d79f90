/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_FILES_H
#define RUN_FILES_H

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/output-folder.h"

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The files of a run, in a folder. A rank other than 0 writes its events and captures to a folder
 * of its own, from which they are brought to rank 0.
 */
class RunFiles
{
  public:
    /// Make the folder.  @param out the folder for the results  @throws OptionError if it cannot be
    /// written
    explicit RunFiles(const std::string& out);

    ~RunFiles();

    /// @return the folder
    OutputFolder& GetFolder()
    {
        return *m_folder;
    }

    /// @return where the events of this rank are written
    const std::string& GetEventPath() const
    {
        return m_eventPath;
    }

    /// @return where a capture is written  @param rank who writes it
    std::string AddCapture(const std::string& name, uint32_t rank);

    /// Write the events of this rank, and its captures unless it is rank 0, when they are closed.
    /// @param writer where
    void Write(ByteWriter& writer) const;

    /// Take what a rank has written.  @param reader what Write() wrote
    void Take(uint32_t rank, ByteReader& reader);

    /// Put the events of all ranks that were taken in one file.
    void MergeEvents();

  private:
    /// A file that some rank captures.
    struct CaptureFile
    {
        std::string path; //!< the file
        uint32_t rank;    //!< who writes it
    };

    std::string m_scratch;                   //!< the folder of a rank other than 0; else empty
    std::unique_ptr<OutputFolder> m_folder;  //!< where the results go
    std::string m_eventPath;                 //!< where the events of this rank are written
    std::vector<CaptureFile> m_captures;     //!< the captures
    std::vector<std::istringstream> m_taken; //!< the events of all ranks
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_FILES_H */
