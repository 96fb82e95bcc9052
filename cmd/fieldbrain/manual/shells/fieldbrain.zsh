#compdef fieldbrain
# Completion of fieldbrain for zsh, printed by: fieldbrain completion zsh
# The words come from the program itself, so this file does not go stale.
_fieldbrain() {
    local line files=0
    local -a candidates
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            files=1
            continue
        fi
        candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done < <("${(Q)words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
    (( $#candidates )) && _describe -V fieldbrain candidates
    if (( files )); then
        [[ $PREFIX == --*=* ]] && compset -P '--*='
        _files
    fi
}
if [[ $funcstack[1] == _fieldbrain ]]; then
    _fieldbrain "$@"
else
    compdef _fieldbrain fieldbrain
fi
