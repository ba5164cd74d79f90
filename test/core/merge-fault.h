/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MERGE_FAULT_H
#define MERGE_FAULT_H

#include <stdexcept>
#include <string>

/// @return what is wrong with a merge; nothing if it can be made
template <typename Series>
std::string
FindMergeFault(Series a, const Series& b)
{
    try
    {
        a.Merge(b);
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "";
}

#endif /* MERGE_FAULT_H */
