/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "output-folder.h"

#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace ns3
{
namespace aifabric
{

namespace fs = std::filesystem;

OutputFolder::OutputFolder(const std::string& path)
    : m_path(path)
{
    // "a/b/" names the same folder as "a/b", but has no file name
    while (m_path.size() > 1 && m_path.back() == '/')
    {
        m_path.pop_back();
    }
    const std::string fault = FindFault();
    if (!fault.empty())
    {
        throw std::invalid_argument(fault);
    }
    std::error_code error;
    const fs::path folder(m_path);
    const std::string suffix = ".partial-" + std::to_string(getpid());
    const bool exists = fs::exists(folder, error);
    const fs::path temporary =
        exists ? folder / suffix
               : folder.parent_path() / ("." + folder.filename().string() + suffix);
    if (!MakeParents(temporary.parent_path()) || !fs::create_directory(temporary, error))
    {
        Discard();
        throw std::invalid_argument("a folder that can be written is needed, and " +
                                    temporary.string() + " cannot be made");
    }
    m_temporary = temporary;
}

OutputFolder::~OutputFolder()
{
    Discard();
}

std::string
OutputFolder::FindFault() const
{
    if (m_path.empty())
    {
        return "the name of a folder is needed";
    }
    std::error_code error;
    fs::path nearest(m_path);
    while (!nearest.empty() && !fs::exists(fs::symlink_status(nearest, error)))
    {
        nearest = nearest.parent_path();
    }
    if (!nearest.empty() && !fs::is_directory(nearest, error))
    {
        return "a folder is needed, and " + nearest.string() + " is none";
    }
    const std::string existing = nearest.empty() ? "." : nearest.string();
    if (access(existing.c_str(), W_OK | X_OK) != 0)
    {
        return "a folder that can be written is needed, and " + existing + " cannot";
    }
    return "";
}

bool
OutputFolder::MakeParents(const std::string& path)
{
    std::error_code error;
    const fs::path folder(path);
    if (folder.empty() || fs::is_directory(folder, error))
    {
        return true;
    }
    if (!MakeParents(folder.parent_path()) || !fs::create_directory(folder, error))
    {
        return fs::is_directory(folder, error);
    }
    m_parents.push_back(path);
    return true;
}

std::string
OutputFolder::Add(const std::string& name)
{
    m_names.push_back(name);
    return fs::path(m_temporary) / name;
}

const std::vector<std::string>&
OutputFolder::GetNames() const
{
    return m_names;
}

void
OutputFolder::Commit()
{
    try
    {
        const fs::path folder(m_path);
        fs::create_directory(folder);
        if (!m_names.empty())
        {
            fs::remove(folder / m_names.back()); // while it is there, results look complete
        }
        for (const std::string& name : m_names)
        {
            fs::rename(fs::path(m_temporary) / name, folder / name);
        }
        fs::remove_all(m_temporary);
    }
    catch (const fs::filesystem_error& error)
    {
        throw std::runtime_error(m_path + ": cannot be written (" + error.code().message() + ")");
    }
    m_temporary.clear();
    m_parents.clear();
}

void
OutputFolder::Discard()
{
    std::error_code ignored;
    if (!m_temporary.empty())
    {
        fs::remove_all(m_temporary, ignored);
        m_temporary.clear();
    }
    while (!m_parents.empty())
    {
        fs::remove(m_parents.back(), ignored); // stays if somebody else has put something there
        m_parents.pop_back();
    }
}

} // namespace aifabric
} // namespace ns3
