package monitor

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/testbench/tier"
)

// drawAll looks and draws every panel, large and small.
func drawAll(t *testing.T, m *Monitor) string {
	t.Helper()
	m.look()
	return pictures(t, m)
}

func pictures(t *testing.T, m *Monitor) string {
	t.Helper()
	var all strings.Builder
	s := screen(t, "UTF-8", 90, 24)
	for m.zoomed = range numPanels {
		m.Draw(s)
		all.WriteString(shown(s))
	}
	m.zoomed = overview
	return all.String()
}

// TestDamagedFiles: a page and a ring of which any bytes are others, or are missing,
// leave a picture that says so.
func TestDamagedFiles(t *testing.T) {
	tier.Alone(t, "one goroutine draws")
	page := drive(t, time.Second)
	page.end()
	m := page.watching(Options{})
	whole := drawAll(t, m)
	if !strings.Contains(whole, "ENDED in order") {
		t.Fatalf("a run that has ended looks like\n%s", whole)
	}
	random := rand.New(rand.NewSource(1))
	for _, path := range []string{page.path, telemetry.RingOf(page.path)} {
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 15 {
			text := bytes.Clone(good)
			switch random.Intn(3) {
			case 0:
				text = text[:random.Intn(len(text))]
			case 1:
				text = text[:random.Intn(5000)]
			}
			for range random.Intn(200) {
				if len(text) > 0 {
					text[random.Intn(min(len(text), 60000))] = byte(random.Intn(256))
				}
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if drawAll(t, m) == "" {
				t.Error("nothing is drawn")
			}
			keys := []tcell.Key{tcell.KeyEnd, tcell.KeyPgUp, tcell.KeyHome}
			m.press(t.Context(), tcell.NewEventKey(keys[random.Intn(len(keys))], 0, tcell.ModNone))
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(page.path); err != nil {
		t.Fatal(err)
	}
	if got := drawAll(t, m); !strings.Contains(got, "no such file") {
		t.Errorf("without a page the picture is\n%s", got)
	}
}

// TestLies: a page whose sums are right and whose numbers are anything draws, and shows
// no control character.
func TestLies(t *testing.T) {
	page := drive(t, time.Second)
	random := rand.New(rand.NewSource(2))
	for range 15 {
		var tick telemetry.Tick
		lie(t, random, &tick)
		page.w.Tick(&tick, loop.Counts{Ticks: random.Uint64(), Overruns: random.Uint64()})
		var c telemetry.Car
		lie(t, random, &c)
		page.w.Car(&c)
		m := page.watching(Options{})
		lie(t, random, &m.scene.ground)
		lie(t, random, &m.scene.field)
		for i := range m.scene.field.X[0] {
			m.scene.field.X[0][i] = math.MinInt32
		}
		if got := pictures(t, m); strings.ContainsFunc(got, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			t.Fatalf("a control character reached the screen: %q", got)
		}
	}
}

// lie fills a layout with anything.
func lie(t *testing.T, random *rand.Rand, v any) {
	t.Helper()
	text := make([]byte, binary.Size(v))
	random.Read(text)
	if err := binary.Read(bytes.NewReader(text), binary.LittleEndian, v); err != nil {
		t.Fatal(err)
	}
}
