package config_test

import (
	"strings"
	"testing"

	"fieldbrain/daemon/config"
)

// TestSocketPaths: a socket that cannot be a file with a stop's socket beside it is refused.
func TestSocketPaths(t *testing.T) {
	for path, want := range map[string]string{
		"":                       "",
		"/run/c.sock":            "",
		"folder/@c.sock":         "",
		"@abstract":              `"@abstract" names no file`,
		strings.Repeat("x", 102): "",
		strings.Repeat("x", 103): "the path has 103 bytes, with the stop's socket beside it one can have 102",
	} {
		c := config.Default()
		c.Control.Socket, c.Body.GuardSocket = path, path
		err := c.Validate()
		if (err == nil) != (want == "") {
			t.Errorf("%.20q: %v, want %q", path, err, want)
		}
		for _, key := range []string{"control.socket: ", "body.guard_socket: "} {
			if want != "" && err != nil && !strings.Contains(err.Error(), key+want) {
				t.Errorf("%.20q: %v, want %q", path, err, key+want)
			}
		}
	}
}
