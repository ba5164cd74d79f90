#!/usr/bin/env bash
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# compile-all.sh FOLDER JOBS SIZE COMPILER [OPTION...]: checks that every file of the module compiles without a
# warning; nothing is linked. With a SIZE of 1 each file is compiled alone, so that one that lacks an include fails; so
# is each header that is not the first one of a file of its own. Groups of SIZE files, of tests a third as many, take
# less than half the time. The files of a group that fails, as two of them may define one name, each for itself, are
# compiled one by one. FOLDER gets the groups and ns3/*.h.

set -euo pipefail
shopt -s nullglob
folder=$1 jobs=$2 size=$3
shift 3
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."
rm -rf "$folder"
mkdir -p "$folder/ns3"
folder=$(readlink -f -- "$folder")
export folder

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

# compile_alone FILE COMPILER OPTION...
compile_alone() {
    local file=$1 common
    shift
    common=$folder/$(sed -n 's/^#include "\([a-z]*-test\.h\)"$/\1/p' "$file")
    if [[ $file == *.h ]]; then
        set -- "$@" -x c++-header
    elif [[ -f $common.gch ]]; then
        set -- "$@" -include "$common"
    fi
    "$@" "$file" || { echo "$file does not compile" && return 1; }
}

# compile_group GROUP COMPILER OPTION...
compile_group() {
    local group=$1 file files status=0
    shift
    mapfile -t files < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$group")
    ((${#files[@]} == 1)) || ! "$@" "$group" 2>/dev/null || return 0
    for file in "${files[@]}"; do
        compile_alone "$file" "$@" || status=1
    done
    return "$status"
}
export -f compile_alone compile_group

make_groups library "$size" model/*/*.cc model/*/*/*.cc helper/*.cc contrib/run/*.cc
make_groups test $(((size + 2) / 3)) test/*.cc test/core/*.cc examples/*.cc examples/library/*.cc
command=("$@" -Wall -Wextra -Werror "-I$folder" -I. -DHAVE_BOOST -D__LINUX__ -DNS3_ASSERT_ENABLE -DNS3_LOG_ENABLE
    -DNS3_BUILD_PROFILE_DEBUG -DAI_FABRIC_TOMLPLUSPLUS -DAI_FABRIC_PROTOBUF '-DAI_FABRIC_NS3_VERSION="3"'
    '-DAI_FABRIC_SOURCE_DIR="."')
[[ $1 != g++ ]] || command+=(-Wno-subobject-linkage) # g++ takes what a group includes for headers
if ((size == 1)); then
    for header in model/*/*.h model/*/*/*.h helper/*.h contrib/run/*.h test/*.h test/core/*.h; do
        [[ -f ${header%.h}.cc ]] || make_groups "header-${header//\//-}" 1 "$header"
    done
    # Parsed once for the tests that include it, from which it hides nothing that they lack.
    for header in test/fabric-test.h test/core/core-test.h; do
        [[ ! -f $header ]] || "${command[@]}" -x c++-header "$header" -o "$folder/${header##*/}.gch"
    done
fi
# shellcheck disable=SC2016 # the inner shell expands
printf '%s\0' "$folder"/*.cc | xargs -0 -P "$jobs" -I{} bash -c 'compile_group "$@"' - {} "${command[@]}" -fsyntax-only
