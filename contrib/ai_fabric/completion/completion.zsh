# Completion of ./fabric for zsh: eval "$(./fabric completion zsh)", after compinit

_ai_fabric() {
    local fabric=@FABRIC@ line
    local -a found
    [[ ${~words[1]} -ef $fabric || $(whence -p -- ${words[1]}) -ef $fabric ]] || return 1
    found=("${(@f)$("$fabric" completion --complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
    for line in $found; do
        case $line in
            "/files "*) compset -P "${(b)line#/files }" && _files ;;
            "/folders "*) compset -P "${(b)line#/folders }" && _files -/ ;;
            *=) compadd -S '' -- $line ;;
            *) compadd -- $line ;;
        esac
    done
}

compdef _ai_fabric fabric
