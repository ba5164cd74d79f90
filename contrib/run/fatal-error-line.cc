/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fatal-error-line.h"

#include "option-value.h"

#include "ns3/rank-transport.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <utility>

namespace ns3
{
namespace aifabric
{

FatalErrorLine* FatalErrorLine::g_instance = nullptr;

/// Passes on what is written to it, but always one line late.
class FatalErrorLine::LineKeeper : public std::streambuf
{
  public:
    /// @param target where to pass it on
    explicit LineKeeper(std::streambuf* target)
        : m_target(target)
    {
    }

    /// @return the line that is kept back, which is kept no longer
    std::string Take()
    {
        return std::exchange(m_line, "");
    }

  private:
    int_type overflow(int_type character) override
    {
        if (!m_line.empty() && m_line.back() == '\n')
        {
            m_target->sputn(m_line.data(), static_cast<std::streamsize>(m_line.size()));
            m_target->pubsync();
            m_line.clear();
        }
        m_line += static_cast<char>(character);
        return character;
    }

    std::streambuf* m_target; //!< where to pass it on
    std::string m_line;       //!< the last line
};

namespace
{

/// @return the message in a line that ns-3 writes when it gives up
std::string
ExtractMessage(const std::string& line)
{
    static const std::string BEGIN = "msg=\"";
    const std::size_t begin = line.find(BEGIN);
    if (begin == std::string::npos)
    {
        return line.substr(0, line.find('\n'));
    }
    const std::size_t first = begin + BEGIN.size();
    const std::size_t end = line.find("\", ", first);
    return line.substr(first, end == std::string::npos ? end : end - first);
}

} // namespace

FatalErrorLine::FatalErrorLine(const std::string& program)
    : m_program(program),
      m_stderr(std::cerr.rdbuf()),
      m_stdlog(std::clog.rdbuf()),
      m_keeper(std::make_unique<LineKeeper>(m_stderr)),
      m_stream(m_stderr)
{
    g_instance = this;
    std::cerr.rdbuf(m_keeper.get());
    std::clog.rdbuf(m_keeper.get()); // where ns-3 writes the time, amid the message
    m_terminate = std::set_terminate(&FatalErrorLine::Terminate);
}

FatalErrorLine::~FatalErrorLine()
{
    std::set_terminate(m_terminate);
    std::cerr.rdbuf(m_stderr);
    std::clog.rdbuf(m_stdlog);
    m_stream << m_keeper->Take() << std::flush;
    g_instance = nullptr;
}

void
FatalErrorLine::SetContext(const std::string& context, const std::string& message)
{
    if (g_instance)
    {
        g_instance->m_context = context;
        g_instance->m_message = message;
    }
}

void
FatalErrorLine::SetCleanup(std::function<void()> cleanup)
{
    if (g_instance)
    {
        g_instance->m_cleanup = std::move(cleanup);
    }
}

std::ostream&
FatalErrorLine::GetStream()
{
    return m_stream;
}

void
FatalErrorLine::Terminate()
{
    FatalErrorLine& self = *g_instance;
    const std::string said = ExtractMessage(self.m_keeper->Take());
    const std::string message = self.m_message.empty() ? NameOption(said) : self.m_message;
    if (self.m_cleanup)
    {
        self.m_cleanup();
    }
    self.m_stream << self.m_program << ": " << self.m_context
                  << (message.empty() ? "ended by an internal error" : message) << std::endl;
    RankTransport::Abort();
    std::_Exit(EXIT_FAILURE);
}

} // namespace aifabric
} // namespace ns3
