# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

# build_lib() and build_lib_example(), as an ns-3 tree has them, for a build against an installed
# ns-3. The module's own CMakeLists.txt files are therefore the same in a tree and out of it.
# What a tree does not know is added: build_core_tests() and build_benchmark().

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
if(NOT CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(header_directory ${PROJECT_BINARY_DIR}/include/ns3)

include(${CMAKE_CURRENT_LIST_DIR}/find-ns3.cmake)
find_package(GTest QUIET)
include(GNUInstallDirs)
find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_compile_options(-Wall -Wextra)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(NS3_BUILD_PROFILE_DEBUG NS3_ASSERT_ENABLE NS3_LOG_ENABLE)
else()
  add_compile_definitions(NS3_BUILD_PROFILE_RELEASE)
endif()

# What most files include, parsed once a target: a file of the library takes 0.6 times as long. Only headers of the
# standard library and of the installed ns-3 are here. A file that forgets to include one fails with
# compile-all.py, which compiles each file alone and without them.
set(common_headers
    <algorithm>
    <array>
    <cmath>
    <cstdint>
    <functional>
    <map>
    <memory>
    <optional>
    <set>
    <sstream>
    <stdexcept>
    <string>
    <unordered_map>
    <utility>
    <vector>
    <ns3/boolean.h>
    <ns3/data-rate.h>
    <ns3/double.h>
    <ns3/net-device.h>
    <ns3/node.h>
    <ns3/nstime.h>
    <ns3/object-factory.h>
    <ns3/object.h>
    <ns3/packet.h>
    <ns3/pointer.h>
    <ns3/random-variable-stream.h>
    <ns3/simulator.h>
    <ns3/string.h>
    <ns3/traced-callback.h>
    <ns3/traced-value.h>
    <ns3/uinteger.h>
)

# use_common_headers(TARGET [HEADER...]): these headers are parsed once for the files of TARGET
function(use_common_headers target)
  target_precompile_headers(${target} PRIVATE ${common_headers} ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache
  endif()
endfunction()

# Makes ns3/<header>.h and ns3/<module>-module.h as a tree's build does.
function(publish_headers module headers)
  set(module_header "")
  set(published ${module}-module.h)
  foreach(header ${headers})
    get_filename_component(name ${header} NAME)
    get_filename_component(path ${header} ABSOLUTE)
    # Relative, so that a compiler cache serves every clone.
    file(RELATIVE_PATH path ${header_directory} ${path})
    file(CONFIGURE OUTPUT ${header_directory}/${name} CONTENT "#include \"${path}\"\n" @ONLY)
    string(APPEND module_header "#include \"ns3/${name}\"\n")
    list(APPEND published ${name})
  endforeach()
  file(CONFIGURE OUTPUT ${header_directory}/${module}-module.h CONTENT "${module_header}" @ONLY)

  file(GLOB present RELATIVE ${header_directory} ${header_directory}/*.h)
  list(REMOVE_ITEM present ${published})
  foreach(name ${present})
    file(REMOVE ${header_directory}/${name})
  endforeach()
endfunction()

# Makes find_package(ai-fabric) work after cmake --install, and with the folder of the build.
function(install_module module headers)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/${module})
  install(TARGETS ${module} EXPORT ${module}-targets DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${headers} ${header_directory}/${module}-module.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)
  install(EXPORT ${module}-targets NAMESPACE ns3:: DESTINATION ${package})
  target_include_directories(${module} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  export(EXPORT ${module}-targets NAMESPACE ns3:: FILE ${PROJECT_BINARY_DIR}/${module}-targets.cmake)
  foreach(file ${module}-config.cmake find-ns3.cmake)
    configure_file(${PROJECT_SOURCE_DIR}/contrib/cmake/${file} ${PROJECT_BINARY_DIR}/${file} COPYONLY)
    install(FILES contrib/cmake/${file} DESTINATION ${package})
  endforeach()
endfunction()

function(build_lib)
  cmake_parse_arguments(
    BLIB "" "LIBNAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN}
  )
  publish_headers(${BLIB_LIBNAME} "${BLIB_HEADER_FILES}")

  # Shared, because policies register themselves by static objects that a static library would drop.
  # Calls inside the library are bound when it is linked, so they cost what they cost in a program.
  # What runs before packets move, or writes what they did, compiles in two thirds of the time with -O1.
  set(setup ${BLIB_SOURCE_FILES})
  list(FILTER setup INCLUDE REGEX "^(helper|model/(collective|measure|output|topology))/")
  list(REMOVE_ITEM BLIB_SOURCE_FILES ${setup})
  add_library(${BLIB_LIBNAME}-setup OBJECT ${setup})
  target_compile_options(${BLIB_LIBNAME}-setup PRIVATE $<$<CONFIG:Release>:-O1>)
  add_library(${BLIB_LIBNAME} SHARED ${BLIB_SOURCE_FILES} $<TARGET_OBJECTS:${BLIB_LIBNAME}-setup>)
  set(hidden ${BLIB_LIBRARIES_TO_LINK}) # no header of the module includes one of theirs
  list(FILTER hidden INCLUDE REGEX "^protobuf::")
  list(REMOVE_ITEM BLIB_LIBRARIES_TO_LINK ${hidden})
  foreach(target ${BLIB_LIBNAME} ${BLIB_LIBNAME}-setup)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
    target_link_libraries(${target} PUBLIC ${BLIB_LIBRARIES_TO_LINK} PRIVATE ${hidden})
    target_compile_options(${target} PRIVATE -fPIC -fno-semantic-interposition -fno-plt)
    use_common_headers(${target})
  endforeach()
  target_link_options(${BLIB_LIBNAME} PRIVATE -Wl,-Bsymbolic-functions -Wl,-z,now)

  install_module(${BLIB_LIBNAME} "${BLIB_HEADER_FILES}")

  if(BLIB_TEST_SOURCES)
    add_executable(${BLIB_LIBNAME}-test-runner test/test-runner.cc ${BLIB_TEST_SOURCES})
    target_link_libraries(${BLIB_LIBNAME}-test-runner PRIVATE ${BLIB_LIBNAME})
    # The suites spend their time in the library; without optimization they compile in two thirds of the time.
    target_compile_options(${BLIB_LIBNAME}-test-runner PRIVATE $<$<CONFIG:Release>:-O0>)
    use_common_headers(${BLIB_LIBNAME}-test-runner <ns3/test.h>)
  endif()

  add_subdirectory(examples)
endfunction()

function(build_lib_example)
  cmake_parse_arguments(EXAMPLE "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(${EXAMPLE_NAME} PRIVATE ${BLIB_LIBNAME} ${EXAMPLE_LIBRARIES_TO_LINK})
  # They spend their time in the library, as the suites do.
  target_compile_options(${EXAMPLE_NAME} PRIVATE $<$<CONFIG:Release>:-O0>)
  if(TARGET ${BLIB_LIBNAME}-test-runner AND NOT EXAMPLE_NAME STREQUAL ai-fabric-run) # which is built without it
    target_precompile_headers(${EXAMPLE_NAME} REUSE_FROM ${BLIB_LIBNAME}-test-runner)
  endif()
endfunction()

# GoogleTest suites of the algorithms that do not touch ns-3.
function(build_core_tests)
  if(GTest_FOUND AND ARGN)
    add_executable(ai-fabric-core-tests ${ARGN})
    target_link_libraries(ai-fabric-core-tests PRIVATE ai-fabric GTest::gtest_main ${protobuf_libraries})
    set_source_files_properties(
      test/core/dcqcn-replay-test.cc test/core/nscc-replay-test.cc test/core/telemetry-replay-test.cc
      test/core/training-file-test.cc
      PROPERTIES COMPILE_DEFINITIONS AI_FABRIC_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}"
    )
    target_compile_options(ai-fabric-core-tests PRIVATE $<$<CONFIG:Release>:-O1>)
    use_common_headers(ai-fabric-core-tests <gtest/gtest.h>)
  endif()
endfunction()

function(build_benchmark name)
  add_executable(${name} contrib/bench/${name}.cc)
  target_link_libraries(${name} PRIVATE ai-fabric)
endfunction()
