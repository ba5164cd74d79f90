/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "input-files.h"

#include "ns3/earlier-results.h"
#include "ns3/printable.h"

#include <filesystem>
#include <system_error>

namespace ns3
{
namespace aifabric
{

void
InputFiles::CheckResults() const
{
    for (const std::string option : {"flows",
                                     "training",
                                     "chakraGroups",
                                     "placement",
                                     "communicators",
                                     "cdf",
                                     "cluster",
                                     "plan",
                                     "jobs"})
    {
        RefuseIf(IsReplaced(m_table.Get(option)),
                 option,
                 "a file that the results in --out=" + Printable(m_scenario.out) +
                     " do not replace");
    }
}

bool
InputFiles::IsReplaced(const std::string& path) const
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path target = fs::canonical(path, error); // where a symbolic link leads
    if (error)
    {
        return false; // no file: a number, or a name such as none
    }
    for (const fs::path& file : {fs::path(path), target})
    {
        const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
        if (EarlierResults::IsResult(file.filename().string()) &&
            fs::equivalent(folder, m_scenario.out, error))
        {
            return true;
        }
    }
    return false;
}

} // namespace aifabric
} // namespace ns3
