# Completion of fieldbrain for fish, printed by: fieldbrain completion fish
# The words come from the program itself, so this file does not go stale.
function __fieldbrain_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            set -l flag (string match -r -- '^--[^=]*=' $current)
            for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
                echo -- "$flag$path"
            end
        else
            echo -- "$line"
        end
    end
end
complete -c fieldbrain -f -a '(__fieldbrain_complete)'
