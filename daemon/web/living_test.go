package web_test

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/web"
)

// TestLivingDaemonIsShown: a daemon that was started later and has ended takes the page
// from none that lives, STOP reaches every daemon, and orders go to the one that is shown.
func TestLivingDaemonIsShown(t *testing.T) {
	first := &rig{t: t, socket: filepath.Join(t.TempDir(), "control.sock")}
	second := &rig{t: t, socket: filepath.Join(t.TempDir(), "control.sock")}
	first.begin()
	defer first.end()
	first.daemon(daemon.Answer{OK: true})
	second.begin()
	second.end()
	set := config.DefaultWeb()
	set.Listen = "127.0.0.1:0"
	server, err := web.New(web.Options{
		Settings: set, Sockets: []string{second.socket, first.socket}, Guard: first.socket + ".guard", Version: "test", Token: "t",
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	}()
	first.server, first.token = server, "t"
	first.await()
	if text, code := first.post("/api/stop", "{}"); code != http.StatusOK {
		t.Errorf("STOP: %d %s", code, text)
	}
	second.begin()
	second.server = server
	defer second.end()
	stop := second.daemon(daemon.Answer{OK: true})
	for n := 0; len(second.told()) == 0 && n < 200; n++ { // the page goes over within a second
		first.post("/api/order", `{"command":"arm"}`)
		time.Sleep(20 * time.Millisecond)
	}
	if told := second.told(); len(told) == 0 || told[0].Command != "arm" {
		t.Fatalf("the daemon that was started last heard %v", told)
	}
	if text, code := first.post("/api/stop", "{}"); code != http.StatusOK {
		t.Errorf("STOP of two: %d %s", code, text)
	}
	stop()
	for _, r := range []*rig{first, second} {
		told := r.told()
		stops := 0
		for _, q := range told {
			if q.Command == "estop" {
				stops++
			}
		}
		if want := map[*rig]int{first: 2, second: 1}[r]; stops != want {
			t.Errorf("%d stops in %v, want %d", stops, told, want)
		}
	}
}

// told returns what the daemon has heard.
func (r *rig) told() []daemon.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]daemon.Request(nil), r.heard...)
}
