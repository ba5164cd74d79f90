# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

option(AIFABRIC_UNITY "Compile groups of files as one: a whole build is faster, a change compiles more" ON)

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
