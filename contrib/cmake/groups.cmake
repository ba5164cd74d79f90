# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

option(AIFABRIC_UNITY "Compile groups of files as one: a whole build is faster, a change compiles more" ON)

# Files that define names which others of their group define.
set(compiled_alone
    test/core/rank-plan-csv-test.cc
    test/core/switchml-memory-test.cc
    test/link-flap-test-suite.cc
    test/roce-nic-test-suite.cc
    test/spray-test-suite.cc
)

# compile_tests_in_groups(TARGET FILE...): the files of each first letter are compiled as one, so that a new file changes
# one group.
function(compile_tests_in_groups target)
  if(NOT TARGET ${target})
    return()
  endif()
  compile_in_groups(0 ${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage) # g++ takes what a group includes for headers
  endif()
  set_source_files_properties(${compiled_alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    string(SUBSTRING ${name} 0 1 letter)
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${letter})
  endforeach()
endfunction()

# compile_in_groups(SIZE TARGET...): each SIZE files are compiled as one, with a log component of its own for each.
# Targets that there are not are left out, as versions of ns-3 name theirs differently.
function(compile_in_groups size)
  if(CMAKE_VERSION VERSION_LESS 3.20)
    return() # no UNITY_BUILD_UNIQUE_ID
  endif()
  foreach(target ${ARGN})
    if(TARGET ${target})
      set_target_properties(
        ${target}
        PROPERTIES UNITY_BUILD ${AIFABRIC_UNITY}
                   UNITY_BUILD_BATCH_SIZE ${size}
                   UNITY_BUILD_UNIQUE_ID AI_FABRIC_FILE
                   UNITY_BUILD_CODE_BEFORE_INCLUDE "#undef g_log\n#define g_log AI_FABRIC_FILE"
      )
    endif()
  endforeach()
endfunction()
