# shellcheck shell=bash
# Completion of ./fabric for bash: eval "$(./fabric completion bash)"

_ai_fabric() {
    local fabric=@FABRIC@ line=${COMP_LINE:0:COMP_POINT} current=$2 before words found
    COMPREPLY=()
    [[ $(type -P -- "${1/#~\//$HOME/}") -ef $fabric ]] || return
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=("")
    mapfile -t found < <("$fabric" completion --complete "${words[@]:1}" 2>/dev/null)
    # readline begins a word behind = and :, and replaces only that.
    before=${words[-1]%"$current"}
    for line in "${found[@]}"; do
        case $line in
            "/files "*) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") && compopt -o filenames ;;
            "/folders "*) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") && compopt -o filenames ;;
            "") ;;
            *)
                COMPREPLY+=("${line#"$before"}")
                [[ $line != *= ]] || compopt -o nospace
                ;;
        esac
    done 2>/dev/null # compopt complains where no key was pressed
}

complete -F _ai_fabric fabric
