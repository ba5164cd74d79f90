/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "earlier-results.h"

#include "ns3/printable.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{
namespace aifabric
{

namespace fs = std::filesystem;

namespace
{

constexpr off_t MAX_BYTES = 64 << 20; //!< of a run.json; those of large fabrics have a few MB
const char* const MARK = "{\n  \"program\": \"ai-fabric-"; //!< how a run.json begins
const char* const LIST = "\"files\": ["; //!< what stands before the names of the files

/// @return whether a run gives this name to a capture, such as host-3.pcap or pod0-edge-1-2.pcap
/// @param name of a file
bool
IsCapture(const std::string& name)
{
    static const std::set<std::string> NODES = {"leaf", "spine", "edge", "agg", "core"};
    std::string shape; // the name with # for each number
    for (const char character : name)
    {
        const bool isDigit = character >= '0' && character <= '9';
        if (!isDigit || shape.empty() || shape.back() != '#')
        {
            shape += isDigit ? '#' : character;
        }
    }
    if (name.find('#') != std::string::npos)
    {
        return false;
    }
    if (shape == "host-#.pcap")
    {
        return true;
    }
    for (const std::string prefix : {"plane#-", "pod#-"})
    {
        shape.erase(0, shape.compare(0, prefix.size(), prefix) == 0 ? prefix.size() : 0);
    }
    const std::size_t dash = std::min(shape.find('-'), shape.size());
    return NODES.count(shape.substr(0, dash)) > 0 && shape.substr(dash) == "-#-#.pcap";
}

/// A file that is open for reading.
class OpenFile
{
  public:
    /// @param path a file, which is not waited for if it is a pipe, and not followed if it is a
    /// link
    explicit OpenFile(const std::string& path)
        : m_descriptor(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
    {
    }

    ~OpenFile()
    {
        if (m_descriptor >= 0)
        {
            close(m_descriptor);
        }
    }

    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// @return its file descriptor; -1: it could not be opened
    int Get() const
    {
        return m_descriptor;
    }

  private:
    int m_descriptor; //!< its file descriptor
};

} // namespace

EarlierResults::EarlierResults(const std::string& folder)
{
    const std::string path = folder + "/" + SUMMARY;
    struct stat status = {};
    if (lstat(path.c_str(), &status) == 0)
    {
        const std::string text = S_ISREG(status.st_mode) ? ReadSummary(path) : "";
        if (text.find(MARK) != 0)
        {
            RefuseForeign(path);
        }
        m_names.emplace_back(SUMMARY);
        KeepNames(text);
    }
    CheckOthers(folder);
}

void
EarlierResults::RefuseForeign(const std::string& path)
{
    throw std::invalid_argument("a folder for results is needed, and " + Printable(path) +
                                " is not of an earlier run");
}

void
EarlierResults::CheckOthers(const std::string& folder) const
{
    std::set<std::string> others;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
    {
        const std::string name = entry->path().filename().string();
        if (IsResult(name) && std::find(m_names.begin(), m_names.end(), name) == m_names.end())
        {
            others.insert(name);
        }
    }
    if (!others.empty())
    {
        RefuseForeign(folder + "/" + *others.begin());
    }
}

std::string
EarlierResults::ReadSummary(const std::string& path)
{
    const OpenFile file(path);
    struct stat status = {};
    if (file.Get() < 0 || fstat(file.Get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size > MAX_BYTES)
    {
        return "";
    }
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t size = 0;
    while (size < text.size())
    {
        const ssize_t bytes = read(file.Get(), &text[size], text.size() - size);
        if (bytes <= 0 && !(bytes < 0 && errno == EINTR))
        {
            break;
        }
        size += static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
    }
    text.resize(size);
    return text;
}

void
EarlierResults::KeepNames(const std::string& text)
{
    const std::size_t list = text.rfind(LIST);
    const std::size_t end = list == std::string::npos ? list : text.find(']', list);
    if (end == std::string::npos)
    {
        return;
    }
    for (std::size_t open = text.find('"', text.find('[', list)); open < end;)
    {
        const std::size_t close = std::min(text.find('"', open + 1), end);
        const std::string name = text.substr(open + 1, close - open - 1);
        if (name != SUMMARY && IsResult(name))
        {
            m_names.push_back(name);
        }
        open = text.find('"', close + 1);
    }
}

const std::vector<std::string>&
EarlierResults::GetNames() const
{
    return m_names;
}

bool
EarlierResults::IsResult(const std::string& name)
{
    static const std::set<std::string> TABLES = {
        SUMMARY,           "flows.csv",        "collectives.csv",
        "steps.csv",       "nodes.csv",        "background.csv",
        "jobs.csv",        "links.csv",        "layers.csv",
        "queues.csv",      "events.csv",       "iterations.csv",
        "pfc.csv",         "link-series.csv",  "nic-counters.csv",
        "planes.csv",      "plane-hosts.csv",  "evs.csv",
        "nic-series.csv",  "queue-peaks.csv",  "buffers.csv",
        "hop-latency.csv", "reachability.csv", "queue-series.csv",
        "hop-series.csv",  "pfc-series.csv",   "reachability-series.csv"};
    return TABLES.count(name) > 0 || IsCapture(name);
}

} // namespace aifabric
} // namespace ns3
