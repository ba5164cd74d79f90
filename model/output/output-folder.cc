/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "output-folder.h"

#include "earlier-results.h"

#include "ns3/printable.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/file.h>
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

const char* const PARTIAL = ".partial-"; //!< begins the names of temporary folders
const char* const EARLIER = "earlier";   //!< folder in the temporary one for what is replaced

/// @return whether a folder is the temporary one of a run of this user  @param path the folder
bool
IsPartial(const fs::path& path)
{
    const std::string name = path.filename().string();
    const std::string prefix = PARTIAL;
    struct stat status = {};
    return name.size() > prefix.size() && name.compare(0, prefix.size(), prefix) == 0 &&
           name.find_first_not_of("0123456789", prefix.size()) == std::string::npos &&
           lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == geteuid();
}

} // namespace

OutputFolder::OutputFolder(const std::string& path, Kind kind)
    : m_path(path)
{
    // "a/b/" names the same folder as "a/b", but has no file name
    while (m_path.size() > 1 && m_path.back() == '/')
    {
        m_path.pop_back();
    }
    const std::string fault = FindFault(m_path);
    if (!fault.empty())
    {
        throw std::invalid_argument(fault);
    }
    const InterruptCleanup::Hold hold;
    std::error_code error;
    const bool made = kind == Kind::NEW ? MakeNewFolder() : MakeFolder(m_path);
    const std::string temporary = fs::path(m_path) / (PARTIAL + std::to_string(getpid()));
    const bool busy = made && !Lock();
    if (made && !busy)
    {
        RemoveLeftovers();
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
OutputFolder::FindFault(const std::string& path)
{
    if (path.empty())
    {
        return "the name of a folder is needed";
    }
    std::error_code error;
    fs::path nearest(path);
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
    try
    {
        EarlierResults earlier(path);
    }
    catch (const std::invalid_argument& fault)
    {
        return fault.what();
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
    m_cleanup.Add(path); // and stays if another program has put something there
    return true;
}

bool
OutputFolder::MakeNewFolder()
{
    const std::string path = m_path;
    std::error_code error;
    bool made = MakeFolder(fs::path(path).parent_path()) && fs::create_directory(path, error);
    for (uint32_t number = 2; !made && fs::exists(fs::symlink_status(m_path, error)); ++number)
    {
        m_path = path + "-" + std::to_string(number);
        made = fs::create_directory(m_path, error);
    }
    if (made)
    {
        m_cleanup.Add(m_path);
    }
    return made;
}

bool
OutputFolder::Lock()
{
    m_lock = open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    m_isLocked = m_lock >= 0 && flock(m_lock, LOCK_EX | LOCK_NB) == 0;
    return m_isLocked || m_lock < 0 || errno != EWOULDBLOCK;
}

void
OutputFolder::RemoveLeftovers() const
{
    const std::string own = PARTIAL + std::to_string(getpid());
    std::error_code error;
    std::vector<fs::path> leftovers;
    for (fs::directory_iterator entry(m_path, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
    {
        // Where folders cannot be locked, another run may be alive.
        const bool isDead = m_isLocked || entry->path().filename() == own;
        if (isDead && IsPartial(entry->path()))
        {
            leftovers.push_back(entry->path());
        }
    }
    for (const fs::path& leftover : leftovers)
    {
        fs::remove_all(leftover, error);
    }
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

const std::string&
OutputFolder::GetPath() const
{
    return m_path;
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
    const fs::path folder(m_path);
    const fs::path temporary(m_temporary);
    try
    {
        SetEarlierAside();
        for (const std::string& name : m_names)
        {
            fs::rename(temporary / name, folder / name);
            m_committed.push_back(name);
        }
    }
    catch (const fs::filesystem_error& error)
    {
        Undo();
        throw std::runtime_error(Printable(m_path) + ": cannot be written (" +
                                 error.code().message() + ")");
    }
    catch (const std::invalid_argument& error)
    {
        Undo();
        throw std::runtime_error(Printable(m_path) + ": " + error.what());
    }
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    m_cleanup.Clear();
    Unlock();
}

std::string
OutputFolder::LinkAs(const std::string& name) const
{
    const InterruptCleanup::Hold hold;
    const fs::path folder(m_path);
    const fs::path link = folder.parent_path() / name;
    const fs::path temporary = folder.parent_path() / ("." + name + "-" + std::to_string(getpid()));
    std::error_code error;
    fs::create_directory_symlink(folder.filename(), temporary, error);
    if (!error && (fs::is_symlink(link, error) || !fs::exists(link, error)))
    {
        fs::rename(temporary, link, error); // which replaces the link at once
    }
    else
    {
        error = std::make_error_code(std::errc::file_exists);
    }
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return error ? "" : link.string();
}

void
OutputFolder::SetEarlierAside()
{
    const fs::path folder(m_path);
    const fs::path aside = fs::path(m_temporary) / EARLIER;
    // run.json first: while it is there, all looks whole
    std::vector<std::string> names = EarlierResults(m_path).GetNames();
    names.insert(names.end(), m_names.begin(), m_names.end());
    for (const std::string& name : names)
    {
        const fs::file_status status = fs::symlink_status(folder / name);
        if (fs::is_directory(status))
        {
            throw fs::filesystem_error(name, std::make_error_code(std::errc::is_a_directory));
        }
        if (fs::exists(status))
        {
            if (fs::create_directory(aside))
            {
                m_cleanup.Add(aside);
            }
            fs::rename(folder / name, aside / name);
            m_aside.push_back(name);
        }
    }
}

void
OutputFolder::Undo()
{
    const fs::path folder(m_path);
    std::error_code ignored;
    for (const std::string& name : m_committed)
    {
        fs::remove(folder / name, ignored);
    }
    for (auto name = m_aside.rbegin(); name != m_aside.rend(); ++name)
    {
        fs::rename(fs::path(m_temporary) / EARLIER / *name, folder / *name, ignored);
    }
    m_committed.clear();
    m_aside.clear();
}

void
OutputFolder::Discard()
{
    m_cleanup.Remove();
    Unlock();
}

} // namespace aifabric
} // namespace ns3
