# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

# For trees that build with waf (ns-3.35 is the last). The same files as in CMakeLists.txt.


def configure(conf):
    """nlohmann-json and Boost are needed. The others read training iterations, or say what is missing."""
    conf.check_cxx(
        header_name="nlohmann/json_fwd.hpp",
        errmsg="not found: ai-fabric needs nlohmann-json 3.9 or later (nlohmann-json3-dev)",
    )
    conf.check_cxx(
        header_name="boost/graph/adjacency_list.hpp",
        errmsg="not found: ai-fabric needs the headers of Boost 1.74 or later (libboost-dev)",
    )
    conf.check_cxx(
        header_name="toml++/toml.h", define_name="AI_FABRIC_TOMLPLUSPLUS", mandatory=False
    )
    conf.check_cfg(
        package="protobuf-lite",
        uselib_store="PROTOBUF",
        args=["--cflags", "--libs"],
        define_name="AI_FABRIC_PROTOBUF",
        mandatory=False,
    )


def find_files(bld, *patterns):
    """The files of the module that match, in one order."""
    return sorted(node.path_from(bld.path) for node in bld.path.ant_glob(list(patterns)))


def build(bld):
    dependencies = ["internet"]
    if bld.env["ENABLE_MPI"]:
        dependencies.append("mpi")

    module = bld.create_ns3_module("ai-fabric", dependencies)
    module.source = find_files(bld, "helper/*.cc", "model/**/*.cc")
    module.use.append("PROTOBUF")

    headers = bld(features="ns3header")
    headers.module = "ai-fabric"
    headers.source = find_files(bld, "helper/*.h", "model/**/*.h")

    module_test = bld.create_ns3_module_test_library("ai-fabric")
    module_test.source = find_files(
        bld,
        "examples/aimd-control.cc",
        "examples/datagram-endpoint.cc",
        "examples/mirror-stage.cc",
        "test/*-test-suite.cc",
    )

    if bld.env["ENABLE_EXAMPLES"]:
        bld.recurse("examples")
