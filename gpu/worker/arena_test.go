package worker

import (
	"strings"
	"testing"

	"fieldbrain/gpu/kernels"
)

// TestArena places regions and draws the map.
func TestArena(t *testing.T) {
	a := NewArena([]kernels.Region{{Name: "memory", Bytes: 416}, {Name: "patterns"}, {Name: "half"}, {Name: "field", Bytes: 1 << 20}, {Name: "word", Bytes: 8}})
	a.base = 0x7000000
	for name, want := range map[string]kernels.Address{"memory": 0x7000000, "patterns": 0, "half": 0, "field": 0x7000200, "word": 0x7100200} {
		if got := a.Address(name); got != want {
			t.Errorf("%s lies at %#x, want %#x", name, got, want)
		}
	}
	const want = `      offset        bytes  region
           0          416  memory
         512        later  patterns
         512         none  half
         512      1048576  field
     1049088            8  word
     1049344               end
`
	if got := a.String(); got != want {
		t.Errorf("map:\n%swant:\n%s", got, want)
	}
}

// TestArenaUnknown: a name without a place is a mistake in the program.
func TestArenaUnknown(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, `no region "belief"`) {
			t.Errorf("panic %q", text)
		}
	}()
	NewArena(nil).Address("belief")
}
