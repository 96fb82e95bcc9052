package daemon_test

import (
	"bytes"
	"fmt"
	"testing"

	"fieldbrain/daemon"
)

// TestPlain: however a text is cut into writes, a terminal gets the same, and nothing
// that it would obey.
func TestPlain(t *testing.T) {
	const text = "caf\u00e9 \u2603 \U0001f697 \x1b[2J\u202e\u009b\x00\xff\tend\n"
	want := daemon.Printable(text)
	for size := 1; size <= len(text); size++ {
		var got bytes.Buffer
		w := daemon.NewPlain(&got)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := fmt.Fprint(w, rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if got.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, got.String(), want)
		}
	}
}

// TestLine: what stands in one line breaks none.
func TestLine(t *testing.T) {
	if got, want := daemon.Line("two\nlines,\ta tab\r\nand \x1b[2J"), `two lines, a tab and \u001b[2J`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
