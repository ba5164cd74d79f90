/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECORDING_H
#define RECORDING_H

#include <fstream>
#include <string>
#include <vector>

/// @return the lines of events of a recording, which has comments and a line of names before them
inline std::vector<std::string>
ReadRecording(const std::string& path)
{
    std::ifstream file(path);
    std::vector<std::string> lines;
    bool isNamed = false;
    for (std::string line; std::getline(file, line);)
    {
        if (line.front() == '#')
        {
            continue;
        }
        if (isNamed)
        {
            lines.push_back(line);
        }
        isNamed = true;
    }
    return lines;
}

#endif // RECORDING_H
