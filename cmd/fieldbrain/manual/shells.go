package manual

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed shells
var shells embed.FS

// Shells names the shells that Script knows.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Script returns the script that a shell has to load to complete the program's
// words. The script asks the program itself, under the name by which the user
// calls it: PROGRAM complete -- WORDS prints an Answer's Lines.
func Script(shell string) (string, error) {
	if !slices.Contains(Shells(), shell) {
		return "", fmt.Errorf("shell %q is not known: choose %s", shell, strings.Join(Shells(), ", "))
	}
	text, err := shells.ReadFile("shells/fieldbrain." + shell)
	return string(text), err
}
