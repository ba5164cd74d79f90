/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "input-files.h"

#include "sha256.h"

#include "ns3/cluster-jobs.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace ns3
{
namespace aifabric
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* FILE_UNIT = "file";      //!< unit of an option that names a file
constexpr const char* LIST_UNIT = "libraries"; //!< of one that names several, separated by commas
constexpr const char* TRACES_UNIT = "traces";  //!< of one for which FILE stands for FILE.0.et, ...

/// @return the paths in a value
std::vector<std::string>
PathsIn(const OptionRow& row, const std::string& value)
{
    if (row.type.unit != LIST_UNIT)
    {
        return {value};
    }
    std::vector<std::string> paths;
    std::istringstream items(value);
    for (std::string item; std::getline(items, item, ',');)
    {
        paths.push_back(item);
    }
    return paths;
}

/// @return whether a name is that of the trace of a rank: PREFIX.NUMBER.et
bool
IsTrace(const std::string& name, const std::string& prefix)
{
    const std::string begin = prefix + ".";
    const std::string end = ".et";
    if (name.size() <= begin.size() + end.size() || name.compare(0, begin.size(), begin) != 0 ||
        name.compare(name.size() - end.size(), end.size(), end) != 0)
    {
        return false;
    }
    const std::string number = name.substr(begin.size(), name.size() - begin.size() - end.size());
    return number.find_first_not_of("0123456789") == std::string::npos;
}

/// @return the traces of all ranks  @param prefix how their paths begin
std::vector<std::string>
FindTraces(const std::string& prefix)
{
    const fs::path path(prefix);
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::vector<std::string> traces;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
    {
        const std::string name = entry->path().filename().string();
        if (IsTrace(name, path.filename().string()))
        {
            traces.push_back((path.parent_path() / name).string());
        }
    }
    return traces;
}

/// @return the programs of jobs  @param path the table of the jobs
std::vector<std::string>
ListPrograms(const std::string& path)
{
    std::vector<std::string> files;
    for (const ClusterJob& job : ReadClusterJobFile(path))
    {
        const std::string program = (fs::path(path).parent_path() / job.program).string();
        const auto more = job.program.empty()          ? std::vector<std::string>()
                          : IsProgramFile(job.program) ? std::vector<std::string>{program}
                                                       : FindTraces(program);
        files.insert(files.end(), more.begin(), more.end());
    }
    return files;
}

} // namespace

bool
NamesFiles(const OptionRow& row, const std::string& value)
{
    const std::string& unit = row.type.unit;
    const bool isOfFiles = unit == FILE_UNIT || unit == LIST_UNIT || unit == TRACES_UNIT;
    return isOfFiles && value != AUTO && value != NONE &&
           !(row.type.isWord && row.type.isWord(value));
}

std::string
MovePaths(const OptionRow& row,
          const std::string& value,
          const std::function<std::string(const std::string&)>& move)
{
    std::string moved;
    for (const std::string& path : PathsIn(row, value))
    {
        moved += (moved.empty() ? "" : ",") + move(path);
    }
    return moved;
}

std::map<std::string, std::string>
DigestFiles(const OptionRow& row, const std::string& value)
{
    std::map<std::string, std::string> digests;
    std::vector<std::string> paths =
        row.type.unit == TRACES_UNIT ? FindTraces(value) : PathsIn(row, value);
    if (row.name == "cluster")
    {
        const std::vector<std::string> programs = ListPrograms(value);
        paths.insert(paths.end(), programs.begin(), programs.end());
    }
    for (const std::string& path : paths)
    {
        std::error_code error;
        digests[path] = fs::is_regular_file(path, error) ? Sha256::OfFile(path) : "";
    }
    return digests;
}

std::string
SeenFrom(const std::string& folder, const std::string& path, const std::string& written)
{
    const fs::path file = fs::absolute(path);
    if (fs::path(written).is_absolute())
    {
        return file.string();
    }
    // The file itself may be a symbolic link, whose name stays.
    const fs::path target = fs::weakly_canonical(file.parent_path()) / file.filename();
    const fs::path from = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder));
    return target.lexically_proximate(from).string();
}

} // namespace aifabric
} // namespace ns3
