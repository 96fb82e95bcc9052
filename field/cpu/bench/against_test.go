package bench_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/field/cpu/bench"
	"fieldbrain/verdict"
)

// program writes one that answers as bench field does: its n-th turn takes the
// n-th of the times, the last for ever.
func program(t *testing.T, name, hash string, code int, times ...string) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("no shell to play a program with: %v", err)
	}
	folder := t.TempDir()
	text := fmt.Sprintf(`#!/bin/sh
echo "$*" >>%[1]s/calls
n=$(wc -l <%[1]s/calls)
set -- %[2]s
while [ $n -gt 1 ] && [ $# -gt 1 ]; do shift; n=$((n-1)); done
echo '{"rows": [{"engine": "avx9/dense/1", "isa": "avx9", "step": "dense", "threads": 1, "tick_ms": 7, "best_ms": '$1', "field_hash": "%[3]s", "ticks": 40}], "yardstick_moved": 0.9}'
exit %[4]d
`, folder, strings.Join(times, " "), hash, code)
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAgainst plays two programs on a machine that becomes three times slower.
func TestAgainst(t *testing.T) {
	drifting := func(by float64) (list []string) {
		for round := range 12 {
			list = append(list, fmt.Sprintf("%.4f", by*(1+float64(round)/6)))
		}
		return list
	}
	for _, c := range []struct {
		name, hash string
		times      []string
		want       verdict.Verdict
		holds      bool
	}{
		{"as fast", "aa", drifting(1), verdict.Held, true},
		{"slower", "aa", drifting(1.1), verdict.Missed, false},
		{"another field", "bb", drifting(1), verdict.Held, false},
		{"restless", "aa", []string{"1", "9", "1", "9", "1", "9", "1", "9", "1", "9", "1", "9"}, verdict.Void, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			rounds := 0
			r, err := bench.Against(t.Context(), bench.AgainstOptions{
				Old: program(t, "old", "aa", 1, drifting(1)...), New: program(t, "new", c.hash, 0, c.times...),
				Rounds: 12, Slack: 0.02, Progress: func(int, int) { rounds++ },
			})
			if err != nil {
				t.Fatal(err)
			}
			p := r.Pairs[0]
			if p.Verdict != c.want || r.Holds != c.holds || r.Void != (c.want == verdict.Void) || rounds != 12 || p.Rounds != 12 {
				t.Errorf("%+v, holds %v after %d rounds", p, r.Holds, rounds)
			}
			var out strings.Builder
			if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "avx9/dense/1, new over old") {
				t.Errorf("%v\n%s", err, out.String())
			}
			if differs := strings.Contains(out.String(), "DIFFERS"); differs != (c.hash != "aa") {
				t.Errorf("the fields:\n%s", out.String())
			}
		})
	}
}

// TestAgainstAsks: what both programs are told, which an old one must know, and
// that they take turns in turn.
func TestAgainstAsks(t *testing.T) {
	before, after := program(t, "old", "aa", 0, "1"), program(t, "new", "aa", 0, "1")
	_, err := bench.Against(t.Context(), bench.AgainstOptions{Old: before, New: after, ISAs: []string{"avx9"}, Threads: []int{1, 2}, Rounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{before, after} {
		calls, err := os.ReadFile(filepath.Join(filepath.Dir(path), "calls"))
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Repeat("bench field --json --rounds 10 --isa avx9 --threads 1 --threads 2\n", 3); string(calls) != want {
			t.Errorf("%s was asked:\n%swant:\n%s", path, calls, want)
		}
	}
}

func TestAgainstFails(t *testing.T) {
	sound := program(t, "sound", "aa", 0, "1")
	mute := filepath.Join(t.TempDir(), "mute")
	if err := os.WriteFile(mute, []byte("#!/bin/sh\necho unknown flag >&2\nexit 2\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	endless := filepath.Join(t.TempDir(), "endless")
	if err := os.WriteFile(endless, []byte("#!/bin/sh\nexec yes\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, before, after string
		rounds              int
		want                string
	}{
		{"prints for ever", endless, sound, 1, "more than 1048576 bytes"},
		{"no program", filepath.Join(t.TempDir(), "none"), sound, 1, "no report"},
		{"refuses", sound, mute, 1, "unknown flag"},
		{"a time of nothing", program(t, "zero", "aa", 0, "0"), sound, 1, "1 over 0"},
		{"no rounds", sound, sound, 0, "no rounds"},
	} {
		_, err := bench.Against(t.Context(), bench.AgainstOptions{Old: c.before, New: c.after, Rounds: c.rounds})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
