package daemon_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/testbench/tier"
)

// flooded names the socket that a child of this test crowds until it is killed.
const flooded = "FIELDBRAIN_FLOOD"

func TestMain(m *testing.M) {
	if path := os.Getenv(flooded); path != "" {
		flood(path)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// floodRate is how many connections a second each child makes, at most.
const floodRate = 2500

// flood connects to a socket for ever: some connections ask, some say half a word,
// some say nothing, and all stay open for a while.
func flood(path string) {
	words := []string{"", "{\"command\":\"status\"}\n", "{\"comm", "\x00\xff\n", "{}{}{}\n"}
	var open [200]net.Conn
	began := time.Now()
	for i := 0; ; i++ {
		if ahead := time.Duration(i)*time.Second/floodRate - time.Since(began); ahead > 0 {
			time.Sleep(ahead)
		}
		if old := open[i%len(open)]; old != nil {
			old.Close()
		}
		conn, err := net.Dial("unix", path)
		if err == nil {
			_, _ = conn.Write([]byte(words[i%len(words)]))
			open[i%len(open)] = conn
		} else {
			open[i%len(open)] = nil
		}
	}
}

// crowd starts processes that flood a socket until the test ends.
func crowd(t testing.TB, path string, processes int) {
	t.Helper()
	for range processes {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), flooded+"="+path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = child.Process.Kill()
			_ = child.Wait()
		})
	}
}

// TestStopsInACrowd: four processes make 10,000 connections a second to a socket;
// not one of 100 stops is lost, through the stop socket or through the crowded one.
// The times are printed and not judged: they are the machine's as well.
func TestStopsInACrowd(t *testing.T) {
	tier.Heavy(t, "four processes flood a socket for seconds")
	for _, k := range []struct {
		name string
		at   func(control string) string // what the children flood
		stop func(path string) (daemon.Answer, error)
	}{
		{"stop socket beside a crowd at the other", func(p string) string { return p }, stopBy(t)},
		{"stop socket in the crowd", daemon.StopSocket, stopBy(t)},
		{"control socket in the crowd", func(p string) string { return p }, func(path string) (daemon.Answer, error) {
			return daemon.Call(t.Context(), path, daemon.Request{Command: "estop"})
		}},
	} {
		t.Run(k.name, func(t *testing.T) {
			var calls atomic.Uint64
			c := crowded(t, &calls)
			crowd(t, k.at(c.Path()), 4)
			const stops = 100
			took, arrived := make([]time.Duration, 0, stops), 0
			for i := range stops {
				began := time.Now()
				answer, err := k.stop(c.Path())
				took = append(took, time.Since(began))
				if err == nil && answer.OK {
					arrived++
				} else {
					t.Errorf("stop %d: %+v, %v", i, answer, err)
				}
				time.Sleep(20 * time.Millisecond)
			}
			slices.Sort(took)
			within := slices.IndexFunc(took, func(d time.Duration) bool { return d > 100*time.Millisecond })
			if within < 0 {
				within = stops
			}
			t.Logf("%d of %d stops arrived, %d within 100 ms: p50 %v, p99 %v, max %v; %d requests answered, %d connections had to leave",
				arrived, stops, within, took[stops/2], took[stops-2], took[stops-1], calls.Load(), c.Refused())
			if c.Refused() == 0 && k.at(c.Path()) == c.Path() {
				t.Error("nobody had to leave: that was no crowd")
			}
		})
	}
}

// crowded returns sockets whose handler answers everything with success.
func crowded(t testing.TB, calls *atomic.Uint64) *daemon.Control {
	t.Helper()
	c := serve(t, func(context.Context, daemon.Request) daemon.Answer {
		calls.Add(1)
		return daemon.Answer{OK: true}
	})
	s, _, _ := counted()
	serveStops(t, c, s)
	return c
}

// stopBy stops as the command estop does.
func stopBy(t testing.TB) func(path string) (daemon.Answer, error) {
	return func(path string) (daemon.Answer, error) { return daemon.Stop(t.Context(), path) }
}

// BenchmarkStopInACrowd times a stop while four processes make 10,000 connections
// a second: go test -run - -bench StopInACrowd ./daemon.
func BenchmarkStopInACrowd(b *testing.B) {
	var calls atomic.Uint64
	c := crowded(b, &calls)
	crowd(b, c.Path(), 4)
	for b.Loop() {
		if answer, err := daemon.Stop(b.Context(), c.Path()); err != nil || !answer.OK {
			b.Fatalf("%+v, %v", answer, err)
		}
	}
}
