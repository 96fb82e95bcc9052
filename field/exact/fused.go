package exact

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

var (
	fusedOp  = regexp.MustCompile(`\bFN?M(ADD|SUB)[SD]\b`)
	position = regexp.MustCompile(`\(([^()\s]+\.go:\d+)\)`)
)

// Fused compiles the packages for arm64 and returns the source positions of
// every fused multiply-add in them, each once. A package whose results must be
// equal on every machine has none. It needs the go command.
func Fused(packages ...string) ([]string, error) {
	args := append([]string{"build", "-gcflags=-S"}, packages...)
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("exact: compile %v for arm64: %w\n%s", packages, err, tail(string(out)))
	}
	seen := map[string]bool{}
	var found []string
	for line := range strings.Lines(string(out)) {
		if !fusedOp.MatchString(line) {
			continue
		}
		at := position.FindStringSubmatch(line)
		if at != nil && !seen[at[1]] {
			seen[at[1]] = true
			found = append(found, at[1])
		}
	}
	return found, nil
}

func tail(s string) string {
	if len(s) > 2000 {
		return s[len(s)-2000:]
	}
	return s
}
