/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-files.h"

#include "option-value.h"

#include "ns3/event-table.h"
#include "ns3/rank-transport.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <unistd.h>

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string PART = ".part"; //!< behind the name of the events of one of several ranks

/// @return a new name of a folder for what a rank other than 0 writes
std::string
ScratchPath()
{
    const std::string name =
        "ai-fabric-" + std::to_string(getpid()) + "-" + std::to_string(std::random_device()());
    return (std::filesystem::temp_directory_path() / name).string();
}

/// @return what a file holds  @param path the file
std::string
ReadText(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        throw std::runtime_error(path + ": cannot be read");
    }
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

RunFiles::RunFiles(const std::string& out)
    : m_scratch(RankTransport::GetRank() > 0 ? ScratchPath() : "")
{
    try
    {
        m_folder = std::make_unique<OutputFolder>(m_scratch.empty() ? out : m_scratch);
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

RunFiles::~RunFiles()
{
    m_folder.reset();
    if (!m_scratch.empty())
    {
        std::filesystem::remove_all(m_scratch);
    }
}

std::string
RunFiles::AddCapture(const std::string& name, uint32_t rank)
{
    m_captures.push_back({m_folder->Add(name), rank});
    return m_captures.back().path;
}

void
RunFiles::Write(ByteWriter& writer) const
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

void
RunFiles::Take(uint32_t rank, ByteReader& reader)
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

void
RunFiles::MergeEvents()
{
    std::vector<std::istream*> parts;
    for (std::istringstream& part : m_taken)
    {
        parts.push_back(&part);
    }
    EventTable::Merge(parts, m_eventPath.substr(0, m_eventPath.size() - PART.size()));
    std::filesystem::remove(m_eventPath);
}

} // namespace aifabric
} // namespace ns3
