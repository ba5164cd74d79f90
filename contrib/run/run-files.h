/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_FILES_H
#define RUN_FILES_H

#include "option-value.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/event-table.h"
#include "ns3/output-folder.h"
#include "ns3/rank-transport.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// The files of a run, in a folder. A rank other than 0 writes its events and captures to a folder
/// of its own, from which they are brought to rank 0.
class RunFiles
{
  public:
    /// Make the folder.  @param out the folder for the results  @param kind whether it may be there
    /// @throws OptionError if it cannot be written
    RunFiles(const std::string& out, OutputFolder::Kind kind)
        : m_scratch(RankTransport::GetRank() > 0 ? ScratchPath() : "")
    {
        try
        {
            m_folder = std::make_unique<OutputFolder>(m_scratch.empty() ? out : m_scratch, kind);
        }
        catch (const std::invalid_argument& error)
        {
            throw OptionError("out", out, error.what());
        }
        const std::string name = "events.csv";
        m_eventPath = m_folder->Add(name);
        if (RankTransport::GetRanks() > 1)
        {
            m_eventPath = m_folder->AddScratch(name + PART);
        }
    }

    ~RunFiles()
    {
        m_folder.reset();
        if (!m_scratch.empty())
        {
            std::filesystem::remove_all(m_scratch);
        }
    }

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
    std::string AddCapture(const std::string& name, uint32_t rank)
    {
        m_captures.push_back({m_folder->Add(name), rank});
        return m_captures.back().path;
    }

    /// Write the events of this rank, and its captures unless it is rank 0, when they are closed.
    /// @param writer where
    void Write(ByteWriter& writer) const
    {
        writer.WriteText(ReadText(m_eventPath));
        for (const CaptureFile& capture : m_captures)
        {
            if (capture.rank == RankTransport::GetRank() && capture.rank > 0)
            {
                writer.WriteText(ReadText(capture.path));
            }
        }
    }

    /// Take what a rank has written.  @param reader what Write() wrote
    void Take(uint32_t rank, ByteReader& reader)
    {
        m_taken.emplace_back(reader.ReadText());
        for (const CaptureFile& capture : m_captures)
        {
            if (capture.rank == rank && rank > 0)
            {
                std::ofstream file(capture.path, std::ios::binary);
                file << reader.ReadText();
                file.close();
                if (!file)
                {
                    throw std::runtime_error(capture.path + ": cannot be written");
                }
            }
        }
    }

    /// Put the events of all ranks that were taken in one file.
    void MergeEvents()
    {
        std::vector<std::istream*> parts;
        for (std::istringstream& part : m_taken)
        {
            parts.push_back(&part);
        }
        EventTable::Merge(parts, m_eventPath.substr(0, m_eventPath.size() - PART.size()));
        std::filesystem::remove(m_eventPath);
    }

  private:
    const std::string PART = ".part"; //!< behind the name of the events of one of several ranks

    /// @return a new name of a folder for what a rank other than 0 writes
    static std::string ScratchPath()
    {
        const std::string name =
            "ai-fabric-" + std::to_string(getpid()) + "-" + std::to_string(std::random_device()());
        return (std::filesystem::temp_directory_path() / name).string();
    }

    /// @return what a file holds  @param path the file
    static std::string ReadText(const std::string& path)
    {
        std::ifstream file(path, std::ios::binary);
        if (!file)
        {
            throw std::runtime_error(path + ": cannot be read");
        }
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

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
