package strict_test

import (
	"testing"

	"fieldbrain/strict"
)

// TestHome: a key whose section was forgotten, or begun too early, is told where it belongs.
func TestHome(t *testing.T) {
	type part struct {
		Quota int     `toml:"quota"`
		Depth float64 `toml:"depth"`
	}
	type garden struct {
		Title string `toml:"title"`
		Pond  part   `toml:"pond"`
		Well  struct {
			Quota int `toml:"quota"`
		} `toml:"well"`
	}
	for _, tt := range []struct{ name, text, want string }{
		{"forgotten section", "depth = 2.0\n", "g.toml:1: depth: stands outside of a section (write it below [pond])"},
		{"several have it", "quota = 2\n", "g.toml:1: quota: stands outside of a section (write it below [pond] or [well])"},
		{"another section's", "[well]\ndepth = 2.0\n", "g.toml:2: well.depth: no such key of [well] (write it below [pond]; known: quota)"},
		{"behind a section", "[well]\ntitle = 'x'\n", "g.toml:2: well.title: no such key of [well] (write it above the first section; known: quota)"},
		{"nobody's", "[well]\nbreadth = 2\n", "g.toml:2: well.breadth: no such key of [well] (known: quota)"},
	} {
		lines, found := strict.NewForm(garden{}).Decode([]byte(tt.text), &garden{})
		if got := found.Place("g.toml", lines).Error(); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
