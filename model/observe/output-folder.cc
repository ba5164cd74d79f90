/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "output-folder.h"

#include "printable.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/file.h>
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
    const InterruptCleanup::Hold hold;
    const std::string temporary = fs::path(m_path) / (".partial-" + std::to_string(getpid()));
    std::error_code error;
    const bool made = MakeFolder(m_path);
    const bool busy = made && !Lock();
    if (made && !busy)
    {
        fs::remove_all(temporary, error); // of a run that was killed
    }
    if (!made || busy || !fs::create_directory(temporary, error))
    {
        Discard();
        throw std::invalid_argument(
            "a folder that can be written is needed, and " +
            (busy ? "another run writes to this one" : Printable(temporary) + " cannot be made"));
    }
    m_temporary = temporary;
    m_cleanup.Add(temporary);
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
        return "a folder is needed, and " + Printable(nearest) + " is none";
    }
    const std::string existing = nearest.empty() ? "." : nearest.string();
    if (access(existing.c_str(), W_OK | X_OK) != 0)
    {
        return "a folder that can be written is needed, and " + Printable(existing) + " cannot";
    }
    return "";
}

bool
OutputFolder::MakeFolder(const std::string& path)
{
    std::error_code error;
    const fs::path folder(path);
    if (folder.empty() || fs::is_directory(folder, error))
    {
        return true;
    }
    if (!MakeFolder(folder.parent_path()) || !fs::create_directory(folder, error))
    {
        return fs::is_directory(folder, error);
    }
    m_cleanup.Add(path); // and stays if somebody else has put something there
    return true;
}

bool
OutputFolder::Lock()
{
    m_lock = open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return m_lock < 0 || flock(m_lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void
OutputFolder::Unlock()
{
    if (m_lock >= 0)
    {
        close(m_lock);
        m_lock = -1;
    }
}

std::string
OutputFolder::Add(const std::string& name)
{
    m_names.push_back(name);
    return AddScratch(name);
}

std::string
OutputFolder::AddScratch(const std::string& name)
{
    const std::string path = fs::path(m_temporary) / name;
    const InterruptCleanup::Hold hold;
    m_cleanup.Add(path);
    return path;
}

const std::vector<std::string>&
OutputFolder::GetNames() const
{
    return m_names;
}

void
OutputFolder::Commit()
{
    const InterruptCleanup::Hold hold;
    try
    {
        const fs::path folder(m_path);
        RemoveEarlier();
        for (const std::string& name : m_names)
        {
            fs::rename(fs::path(m_temporary) / name, folder / name);
        }
        fs::remove(m_temporary);
    }
    catch (const fs::filesystem_error& error)
    {
        throw std::runtime_error(Printable(m_path) + ": cannot be written (" +
                                 error.code().message() + ")");
    }
    m_cleanup.Clear();
    Unlock();
}

void
OutputFolder::RemoveEarlier() const
{
    if (m_names.empty())
    {
        return;
    }
    const fs::path folder(m_path);
    const fs::path summary = folder / m_names.back();
    std::ifstream file(summary);
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    fs::remove(summary); // while it is there, results look complete
    const std::size_t list = text.rfind("\"files\": [");
    const std::size_t end = list == std::string::npos ? list : text.find(']', list);
    if (end == std::string::npos)
    {
        return;
    }
    std::error_code ignored;
    for (std::size_t open = text.find('"', text.find('[', list)); open < end;)
    {
        const std::size_t close = std::min(text.find('"', open + 1), end);
        const fs::path name = text.substr(open + 1, close - open - 1);
        if (name == name.filename() && name.has_extension())
        {
            fs::remove(folder / name, ignored);
        }
        open = text.find('"', close + 1);
    }
}

void
OutputFolder::Discard()
{
    m_cleanup.Remove();
    Unlock();
}

} // namespace aifabric
} // namespace ns3
