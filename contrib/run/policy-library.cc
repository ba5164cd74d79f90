/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "policy-library.h"

#include "option-table.h"
#include "option-value.h"

#include <dlfcn.h>
#include <filesystem>
#include <sstream>
#include <string>

namespace ns3
{
namespace aifabric
{

void
PolicyLibrary::Declare(OptionTable& table)
{
    table.AddNone("library", "shared libraries with policies of your own, separated by commas");
}

void
PolicyLibrary::Load(int argc, char* argv[])
{
    const std::string option = "--library=";
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        std::istringstream paths(
            argument.compare(0, option.size(), option) == 0 ? argument.substr(option.size()) : "");
        for (std::string path; std::getline(paths, path, ',');)
        {
            OptionError::ThrowIf(path.empty(),
                                 "library",
                                 argument.substr(option.size()),
                                 "paths of shared libraries with a comma between two");
            if (path != "none" &&
                !dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_GLOBAL))
            {
                throw OptionError("library", path, dlerror());
            }
        }
    }
}

} // namespace aifabric
} // namespace ns3
