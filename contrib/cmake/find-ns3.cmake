# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

find_package(ns3 CONFIG REQUIRED)

# ns-3.37 exports ns3::libcore, ns-3.43 and later ns3::core; ${libcore} names either.
# A package may also name development files of other packages that are not installed.
function(existing_only target property pattern)
  get_target_property(values ${target} ${property})
  set(kept)
  foreach(value ${values})
    if(NOT value MATCHES "${pattern}" OR EXISTS "${value}")
      list(APPEND kept "${value}")
    endif()
  endforeach()
  if(values)
    set_target_properties(${target} PROPERTIES ${property} "${kept}")
  endif()
endfunction()

get_property(imported_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
foreach(target ${imported_targets})
  if(target MATCHES "^ns3::(lib)?([a-z0-9-]+)$")
    set(lib${CMAKE_MATCH_2} ${target})
    existing_only(${target} INTERFACE_INCLUDE_DIRECTORIES "^/")
    existing_only(${target} INTERFACE_LINK_LIBRARIES "^/")
  endif()
endforeach()
