package telemetry_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
)

// TestAge: a tick's age is that of the kernel's monotonic clock, whatever the wall's says;
// where that cannot be had an instant in the future says nothing.
func TestAge(t *testing.T) {
	const old, ran = 5 * time.Second, time.Minute
	mono := robot.NewMonotonic().Now()
	for _, c := range []struct {
		name       string
		own        bool          // the ticks have a clock of their own
		later      bool          // the machine was started anew since
		step       time.Duration // of the wall's clock since the newest pair, backwards
		age, up    bool          // known, while it lives
		least, run time.Duration // at least
	}{
		{"the clock stands", false, false, 0, true, true, old, ran},
		{"set back", false, false, time.Hour, true, true, old, ran},
		{"set ahead", false, false, -time.Hour, true, true, old, ran},
		{"own clock", true, false, 0, true, true, old, 0},
		{"own clock, set back", true, false, time.Hour, false, true, 0, 0},
		{"another start", false, true, 0, true, true, old, 0},
		{"another start, set back", false, true, time.Hour, false, true, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.page")
			o := telemetry.Options{Page: path, Identity: telemetry.Identity{Program: "p", Body: "sim", Period: 5 * time.Millisecond}}
			if !c.own {
				o.Now = mono - ran
			}
			w, err := telemetry.New(o)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			tick := telemetry.Tick{End: int64(mono - old)}
			w.Tick(&tick, loop.Counts{Ticks: 1})
			car := telemetry.Nothing()
			car.Wall, car.Mono = time.Now().Add(c.step).UnixNano(), int64(mono)
			w.Car(&car)
			if c.later {
				path = elsewhere(t, path)
			}
			p, err := telemetry.OpenPage(path)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			age, known := p.Age(&tick, time.Now())
			if known != c.age || age < c.least || c.step >= 0 && age > old+time.Hour/2 {
				t.Errorf("age %v, %t; want %t, at least %v", age, known, c.age, c.least)
			}
			up, known := p.Up(true, time.Now())
			if known != c.up || up < c.run {
				t.Errorf("up %v, %t; want %t, at least %v", up, known, c.up, c.run)
			}
			if up, known := p.Up(false, time.Now()); !c.own && (up != ran-old || !known) {
				t.Errorf("it went for %v, %t; want %v", up, known, ran-old)
			}
		})
	}
}

// elsewhere copies a page as one of another start of the machine.
func elsewhere(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		t.Fatal(err)
	}
	name := bytes.TrimSpace(boot)
	text = bytes.Replace(text, name, bytes.Repeat([]byte("0"), len(name)), 1)
	telemetry.Reseal(text)
	copied := path + ".copy"
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}
