package hostile_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fieldbrain/daemon"
	"fieldbrain/testbench/hostile"
	"fieldbrain/testbench/tier"
)

// TestSockets lets hostile clients speak to the control socket, more at a time than
// it has room for. Every stop that one of them sent before a mistake is carried
// out, and at the end a person's order is answered and nothing stays behind.
func TestSockets(t *testing.T) {
	n := tier.Count(t, "sockets", 100, 200, 500)
	leaks := goleak.IgnoreCurrent()
	c, err := daemon.Listen(filepath.Join(t.TempDir(), "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	var stops, others, byStopSocket atomic.Int64
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := c.Serve(ctx, func(_ context.Context, r daemon.Request) daemon.Answer {
			if r.Command == "estop" {
				stops.Add(1)
			} else {
				others.Add(1)
			}
			return daemon.Answer{OK: true}
		}); err != nil {
			t.Error(err)
		}
	})
	serving.Go(func() {
		if err := c.ServeStops(ctx, daemon.Stopper{
			Now:  func() { byStopSocket.Add(1) },
			Stop: func(context.Context) daemon.Answer { return daemon.Answer{OK: true} },
		}); err != nil {
			t.Error(err)
		}
	})
	wanted, seen := assault(t, c.Path(), n)
	for range 6000 {
		if stops.Load() >= wanted {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if got := stops.Load(); got < wanted { // more: of a client that had to leave a stop behind a mistake counts, too
		t.Errorf("%d of %d stops were carried out", got, wanted)
	}
	if answer, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "status"}); err != nil || !answer.OK {
		t.Errorf("an order after them: %+v, %v", answer, err)
	}
	if answer, err := daemon.Stop(t.Context(), c.Path()); err != nil || !answer.OK {
		t.Errorf("a stop after them: %+v, %v", answer, err)
	}
	seen["stops before a mistake"] = int(wanted)
	seen["stops carried out"], seen["other orders"] = int(stops.Load()), int(others.Load())
	seen["had to leave"], seen["by the stop socket"] = int(c.Refused()), int(byStopSocket.Load())
	cancel()
	serving.Wait()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	goleak.VerifyNone(t, leaks)
	seen.log(t, n, "sockets")
}

// assault runs n clients, up to forty at a time, and returns how many stops they
// sent. Every tenth goes to the stop socket.
func assault(t *testing.T, path string, n int) (wanted int64, seen count) {
	t.Helper()
	var clients sync.WaitGroup
	room := make(chan struct{}, 40)
	seen = count{}
	for seed := range uint64(n) {
		client, to := hostile.NewClient(seed), path
		if seed%10 == 9 {
			to = daemon.StopSocket(path)
		} else if client.Stops {
			wanted++
		}
		seen[client.Kind]++
		room <- struct{}{}
		clients.Go(func() {
			defer func() { <-room }()
			if err := speak(to, client); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		})
	}
	clients.Wait()
	return wanted, seen
}

// speak does what a client does. A daemon that hangs up on it is no error.
func speak(path string, c hostile.Client) error {
	conn, err := net.Dial("unix", path)
	for range 1000 { // a full queue
		if err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
		conn, err = net.Dial("unix", path)
	}
	if err != nil {
		return errors.Join(errors.New("nobody takes the connection"), err)
	}
	defer conn.Close()
	for _, piece := range c.Pieces {
		if _, err := conn.Write(piece); err != nil {
			return nil
		}
	}
	if c.Hang {
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}
