# Completion of fieldbrain for bash, printed by: fieldbrain completion bash
# The words come from the program itself, so this file does not go stale.
_fieldbrain() {
    local line cut=0 current=${COMP_WORDS[COMP_CWORD]}
    # bash takes --flag=value apart, and wants the value alone.
    [[ $current == "=" || ${COMP_WORDS[COMP_CWORD-1]} == "=" ]] && cut=1
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames
            [[ $current == "=" ]] && current=
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
            continue
        fi
        line=${line%%$'\t'*}
        ((cut)) && line=${line#*=}
        COMPREPLY+=("$line")
    done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _fieldbrain fieldbrain
