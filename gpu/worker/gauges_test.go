//go:build !cuda

package worker_test

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/gpu/softcuda"
)

// whole is what the management library says of the software driver's card: all of it.
const whole = "bus 0000:00:00.0\nused 2000000000\nroom 8589934592\nclock 1410\nmost 1980\nload 37\nheat 48\nreasons 0\n"

// A meter is a child beside a management library that a test tells what to say.
type meter struct {
	*parent
	file string
}

// say changes what the library says from now on.
func (m *meter) say(t *testing.T, text string) {
	t.Helper()
	fresh := m.file + ".new"
	if err := errors.Join(os.WriteFile(fresh, []byte(text), 0o600), os.Rename(fresh, m.file)); err != nil {
		t.Fatal(err)
	}
}

// look waits until the child has looked so many times in all.
func (m *meter) look(t *testing.T, looks uint64) *gpu.Gauges {
	t.Helper()
	g := &m.page.Head.Gauges
	for range 60_000 {
		if atomic.LoadUint64(&g.Looks) >= looks {
			return g
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%d looks in a minute, want %d; it said %s", g.Looks, looks, &m.stderr)
	return nil
}

// threads reports whether the child has a thread for its gauges.
func (m *meter) threads(t *testing.T) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(m.cmd.Process.Pid), "task", "*", "comm"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		comm, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // it has ended meanwhile
			continue
		}
		if strings.TrimSpace(string(comm)) == "gauges" {
			return true
		}
	}
	return false
}

// tick lets the child step once.
func (m *meter) tick(t *testing.T, n uint32) {
	t.Helper()
	m.page.In = *exercise.New(n).Next()
	m.page.Call.Order = gpu.OrderStep
	atomic.StoreUint32(&m.page.Call.Request, n) // it looks again 100 ms later at the latest
	for range 60_000 {
		if atomic.LoadUint32(&m.page.Call.Done) == n {
			if m.page.Call.Failed != 0 {
				t.Errorf("tick %d failed: %s", n, m.page.Head.Fault[:])
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("tick %d takes more than a minute", n)
}

// end ends the child as its parent does, and wants it to end well.
func (m *meter) end(t *testing.T) {
	t.Helper()
	m.stdin.Close()
	if err := m.cmd.Wait(); err != nil {
		t.Errorf("the end: %v: %s", err, &m.stderr)
	}
	for lines := bufio.NewScanner(strings.NewReader(m.stderr.String())); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "fieldbrain-gpu: ") && !strings.Contains(lines.Text(), "later than need be") {
			t.Errorf("it said %s", lines.Text())
		}
	}
}

// known is what whole makes of the gauges, less the count of looks.
func known() gpu.Gauges {
	return gpu.Gauges{
		Used: gpu.Tell(2e9), Room: gpu.Tell(8 << 30), Clock: gpu.Tell(1410e6), Most: gpu.Tell(1980e6),
		Load: gpu.Tell(37), Heat: gpu.Tell(48), Held: gpu.Tell(0),
	}
}

// wantGauges compares what the page says once the child has looked twice more: a change
// may come in the middle of one look.
func (m *meter) wantGauges(t *testing.T, name string, want gpu.Gauges) {
	t.Helper()
	got := *m.look(t, atomic.LoadUint64(&m.page.Head.Gauges.Looks)+2)
	want.Looks = got.Looks
	if got != want {
		t.Errorf("%s: the page says %+v, want %+v", name, got, want)
	}
}

// A shop starts children with gauges.
type shop struct {
	lib     softcuda.Library
	program string
	setup   gpu.Setup
	text    []byte
}

func newShop(t *testing.T) *shop {
	t.Helper()
	lib := build(t)
	s := &shop{lib: lib, program: program(t, lib), setup: gpu.Setup{Params: field.Default(), Step: field.Collapsed, Wait: gpu.WaitBlock}}
	var err error
	if s.text, err = s.setup.Encode(); err != nil {
		t.Fatal(err)
	}
	return s
}

// start starts a child whose library lacks functions and says a text.
func (s *shop) start(t *testing.T, text string, lacks ...string) *meter {
	t.Helper()
	dir, err := s.lib.NVML(t.Context(), lacks...)
	if err != nil {
		t.Fatal(err)
	}
	m := &meter{file: filepath.Join(t.TempDir(), "nvml")}
	m.say(t, text)
	m.parent = start(t, s.program, s.lib.WithNVML(dir, m.file), &s.setup, s.text)
	m.wants(t, gpu.ChildReady)
	return m
}

// TestGauges: what the management library says reaches the page, again and again; what
// it does not support or have leaves its gauge unknown, and no other.
func TestGauges(t *testing.T) {
	s := newShop(t)
	t.Run("says", func(t *testing.T) {
		m := s.start(t, whole)
		for _, c := range []struct {
			name, from, to string
			want           func(*gpu.Gauges)
		}{
			{"everything", "", "", func(*gpu.Gauges) {}},
			{"another card of more memory, as a slice has", "room 8589934592", "room 150000000000", func(g *gpu.Gauges) { g.Used, g.Room = 0, 0 }},
			{"no load, as of slices", "load 37\n", "", func(g *gpu.Gauges) { g.Load = 0 }},
			{"a clock of nothing", "clock 1410", "clock 0", func(g *gpu.Gauges) { g.Clock = 0 }},
			{"hot, says the driver", "reasons 0", "reasons 0x20", func(g *gpu.Gauges) { g.Held = gpu.Tell(gpu.HeldByHeat) }},
			{"hot, says the card", "reasons 0", "reasons 0x48", func(g *gpu.Gauges) { g.Held = gpu.Tell(gpu.HeldByHeat) }},
			{"a weak supply", "reasons 0", "reasons 0x88", func(g *gpu.Gauges) { g.Held = gpu.Tell(gpu.HeldByPower) }},
			{"held by itself", "reasons 0", "reasons 0x8", func(g *gpu.Gauges) { g.Held = gpu.Tell(gpu.HeldByPower) }},
			{"at its cap of power", "reasons 0", "reasons 0x4", func(*gpu.Gauges) {}},
			{"hot, but idle", "reasons 0", "reasons 0x21", func(*gpu.Gauges) {}},
		} {
			want := known()
			c.want(&want)
			m.say(t, strings.Replace(whole, c.from, c.to, 1))
			m.wantGauges(t, c.name, want)
		}
		if h := &m.page.Head; h.Memory == 0 || h.Room != 8<<30 {
			t.Errorf("%d of %d bytes at the start, want CUDA's word for the first and 8 GiB", h.Memory, h.Room)
		}
		m.tick(t, 1)
		m.end(t)
	})
	t.Run("lacks", func(t *testing.T) {
		m := s.start(t, whole, "nvmlDeviceGetClockInfo", "nvmlDeviceGetCurrentClocksThrottleReasons", "nvmlDeviceGetMemoryInfo")
		want := known()
		want.Clock, want.Held, want.Used, want.Room = 0, 0, 0, 0
		m.wantGauges(t, "three functions are missing", want)
		m.end(t)
	})
}

// TestSharedMemory: of a card that shares the processor's memory the child tells the
// kernel's word, whatever CUDA and the management library count.
func TestSharedMemory(t *testing.T) {
	s := newShop(t)
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(text)) // MemTotal: n kB
	total, err := strconv.ParseUint(words[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	m := &meter{parent: start(t, s.program, s.lib.Env("SOFTCUDA_INTEGRATED=1"), &s.setup, s.text)}
	m.wants(t, gpu.ChildReady)
	g := m.look(t, 2)
	if g.Room != gpu.Tell(total<<10) || g.Used <= 1 || g.Used > g.Room || g.Clock != 0 || g.Heat != 0 {
		t.Errorf("%+v, want %d bytes, less of them used, and nothing else", g, total<<10)
	}
	if h := &m.page.Head; h.Memory != 0 || h.Room != 0 {
		t.Errorf("CUDA's %d of %d bytes, want nothing known", h.Memory, h.Room)
	}
	m.tick(t, 1)
	m.end(t)
}

// TestNoGauges: without the library, or where it does not know the card, nothing is
// known, which nobody calls an error; a library that hangs keeps neither ticks nor the
// end waiting.
func TestNoGauges(t *testing.T) {
	s := newShop(t)
	for _, c := range []struct {
		name  string
		begin func(t *testing.T) *meter
		stays bool // the thread
	}{
		{"no library", func(t *testing.T) *meter {
			m := &meter{parent: start(t, s.program, s.lib.Env(), &s.setup, s.text)}
			m.wants(t, gpu.ChildReady)
			return m
		}, false},
		{"another card's address", func(t *testing.T) *meter { return s.start(t, strings.Replace(whole, "00:00.0", "65:00.0", 1)) }, false},
		{"a library that does not start", func(t *testing.T) *meter { return s.start(t, whole+"init 18\n") }, false},
		{"a library of before 2012", func(t *testing.T) *meter { return s.start(t, whole, "nvmlInit_v2") }, false},
		{"hangs at the start", func(t *testing.T) *meter { return s.start(t, "init hang\n"+whole) }, true},
		{"hangs at a gauge", func(t *testing.T) *meter { return s.start(t, strings.Replace(whole, "heat 48", "heat hang", 1)) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := c.begin(t)
			for n := range uint32(3) {
				m.tick(t, n+1)
			}
			for range 60_000 {
				if c.stays || !m.threads(t) {
					break
				}
				time.Sleep(time.Millisecond)
			}
			if m.threads(t) != c.stays {
				t.Errorf("the thread of the gauges is there: %v, want %v", !c.stays, c.stays)
			}
			if g := m.page.Head.Gauges; g != (gpu.Gauges{}) {
				t.Errorf("%+v, want nothing known", g)
			}
			m.end(t)
		})
	}
}
