#!/usr/bin/env bash
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# compile-all.sh FOLDER JOBS COMPILER [OPTION...]: checks that every file of the module compiles without a
# warning; nothing is linked. Groups of files are compiled as one, which takes a fifth of the time. The files
# of a group that fails, as two of them may define one name, each for itself, are compiled one by one. FOLDER
# gets the groups and ns3/*.h.

set -euo pipefail
folder=$1 jobs=$2
shift 2
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."
rm -rf "$folder"
mkdir -p "$folder/ns3"
folder=$(readlink -f -- "$folder")

for header in model/*/*.h model/*/*/*.h helper/*.h; do
    ln -s "$PWD/$header" "$folder/ns3/"
    echo "#include \"ns3/${header##*/}\"" >>"$folder/ns3/ai-fabric-module.h"
done

# make_groups NAME SIZE FILE...: writes groups of SIZE files; main() and the log component of each keep apart
make_groups() {
    local name=$1 size=$2 number=0 file
    shift 2
    for file in "$@"; do
        printf '%s\n' "#undef main" "#define main main_$number" "#undef g_log" "#define g_log g_log_$number" \
            "#include \"$PWD/$file\"" >>"$folder/$name-$((number / size)).cc"
        number=$((number + 1))
    done
}

# compile_group GROUP COMPILER OPTION...
compile_group() {
    local group=$1 file status=0
    shift
    "$@" "$group" 2>/dev/null && return
    while read -r file; do
        "$@" "$file" || { echo "$file does not compile" && status=1; }
    done < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$group")
    return "$status"
}
export -f compile_group

make_groups library 12 model/*/*.cc model/*/*/*.cc helper/*.cc contrib/run/*.cc
make_groups test 4 test/*.cc test/core/*.cc examples/*.cc
extra=()
[[ $1 != g++ ]] || extra=(-Wno-subobject-linkage) # g++ takes what a group includes for headers
# shellcheck disable=SC2016 # the inner shell expands
printf '%s\0' "$folder"/*.cc | xargs -0 -P "$jobs" -I{} bash -c 'compile_group "$@"' - {} "$@" \
    -fsyntax-only -Wall -Wextra -Werror "${extra[@]}" "-I$folder" -I. -DHAVE_BOOST -D__LINUX__ \
    -DNS3_ASSERT_ENABLE -DNS3_LOG_ENABLE -DNS3_BUILD_PROFILE_DEBUG -DAI_FABRIC_TOMLPLUSPLUS -DAI_FABRIC_PROTOBUF \
    '-DAI_FABRIC_NS3_VERSION="3"' '-DAI_FABRIC_SOURCE_DIR="."'
