package tier_test

import (
	"fmt"
	"runtime"
	"testing"

	"fieldbrain/testbench/tier"
)

// A recorder is a test that notes its calls.
type recorder struct {
	testing.TB
	skipped, failed, logged string
}

func (r *recorder) Helper() {}

func (r *recorder) Skip(args ...any) {
	r.skipped = fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorder) Fatal(args ...any) {
	r.failed = fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorder) Logf(format string, args ...any) { r.logged = fmt.Sprintf(format, args...) }

// ask runs a marker as a test would.
func ask(marker func(testing.TB, string)) *recorder {
	r, done := new(recorder), make(chan struct{})
	go func() {
		defer close(done)
		marker(r, "the reason")
	}()
	<-done
	return r
}

func TestTiers(t *testing.T) {
	for _, c := range []struct {
		value       string
		heavy, long string
		count       int
		logged      string
	}{
		{"", "tier: heavy: the reason", "tier: long: the reason", 3, "tier: 3 of 200 kills"},
		{"quick", "tier: heavy: the reason", "tier: long: the reason", 3, "tier: 3 of 200 kills"},
		{"heavy", "", "tier: long: the reason", 10, "tier: 10 of 200 kills"},
		{"all", "", "", 200, ""},
	} {
		t.Run(c.value, func(t *testing.T) {
			if !tier.Cgo && c.count == 200 {
				c.count, c.logged = 10, "tier: 10 of 200 kills"
			}
			t.Setenv(tier.Variable, c.value)
			if got := ask(tier.Heavy); got.skipped != c.heavy || got.failed != "" {
				t.Errorf("Heavy skips %q and fails %q, want %q", got.skipped, got.failed, c.heavy)
			}
			if got := ask(tier.Long); got.skipped != c.long || got.failed != "" {
				t.Errorf("Long skips %q and fails %q, want %q", got.skipped, got.failed, c.long)
			}
			r := new(recorder)
			if n := tier.Count(r, "kills", 3, 10, 200); n != c.count || r.logged != c.logged {
				t.Errorf("%d kills and %q, want %d and %q", n, r.logged, c.count, c.logged)
			}
		})
	}
}

// TestUnknownTier: a tier that nobody knows fails every test that has one.
func TestUnknownTier(t *testing.T) {
	t.Setenv(tier.Variable, "everything")
	for name, marker := range map[string]func(testing.TB, string){"Heavy": tier.Heavy, "Long": tier.Long} {
		if got := ask(marker); got.failed != `FIELDBRAIN_TIER="everything": want quick, heavy or all` {
			t.Errorf("%s fails with %q", name, got.failed)
		}
	}
}

func TestNative(t *testing.T) {
	t.Setenv(tier.Variable, "all")
	for _, c := range []struct {
		emulator, skipped, logged string
		ticks                     int
	}{
		{"", "", "", 100},
		{"qemu", "tier: not in an emulator: the reason", "tier: 15 of 100 ticks in an emulator", 15},
	} {
		t.Setenv(tier.Emulator, c.emulator)
		if got := ask(tier.Native).skipped; got != c.skipped {
			t.Errorf("in the emulator %q Native skips %q, want %q", c.emulator, got, c.skipped)
		}
		r := new(recorder)
		if n := tier.Fewer(r, "ticks", 100, 15); n != c.ticks || r.logged != c.logged {
			t.Errorf("in the emulator %q %d ticks and %q, want %d and %q", c.emulator, n, r.logged, c.ticks, c.logged)
		}
	}
}

// TestBuild: a build leaves tests out, whatever the tier.
func TestBuild(t *testing.T) {
	t.Setenv(tier.Variable, "")
	skips := func(marker func(testing.TB, string)) bool { return ask(marker).skipped != "" }
	if skips(tier.Alone) != tier.Race || skips(tier.Compiled) == tier.Cgo {
		t.Errorf("race %v, cgo %v: Alone skips %v, Compiled %v", tier.Race, tier.Cgo, skips(tier.Alone), skips(tier.Compiled))
	}
	t.Setenv(tier.Variable, "all")
	if skips(tier.Alone) != tier.Race || skips(tier.Compiled) {
		t.Errorf("race %v, everything asked for: Alone skips %v, Compiled %v", tier.Race, skips(tier.Alone), skips(tier.Compiled))
	}
}

// A test says its tier in its first line.
func ExampleHeavy() {
	test := func(t *testing.T) {
		tier.Heavy(t, "drives for 290 s")
		drive(t, tier.Count(t, "kills", 3, 10, 200))
	}
	fmt.Println(test != nil, tier.Variable+"=heavy go test runs it")
	// Output: true FIELDBRAIN_TIER=heavy go test runs it
}

func drive(*testing.T, int) {}
