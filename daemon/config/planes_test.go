package config_test

import (
	"strings"
	"testing"

	"fieldbrain/daemon/config"
)

// TestPlanes: 32, 16 and 8 are chosen; others are refused with file, line, key and remedy,
// and so are fewer than 32 for a card, which otherwise starts none.
func TestPlanes(t *testing.T) {
	for _, c := range []struct {
		name, text, want string // in the error; empty: none
		gpu              bool
	}{
		{"whole", "", "", true},
		{"16", "[engine]\nplanes = 16\n", "", false},
		{"8 without a card", "[engine]\nkind = \"purego\"\nplanes = 8\n", "", false},
		{"12", "[engine]\nplanes = 12\n", `f.toml:2: engine.planes: 12 is not known (choose 32 for the whole field, 16 or 8)`, false},
		{
			"card", "[engine]\nkind = \"cuda\"\nplanes = 8\n",
			`f.toml:3: engine.planes: 8: a graphics card steps all 32 planes only (write 32, or engine.kind = "auto" or an engine of the processor)`, true,
		},
		{"halves are nobody's", "[engine]\nhalves = true\n", `f.toml:2: engine.halves`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := config.Parse("f.toml", []byte(c.text))
			switch {
			case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			case c.want == "" && got.Engine.GPU() != c.gpu:
				t.Errorf("a card may step the field: %v", got.Engine.GPU())
			}
		})
	}
}
