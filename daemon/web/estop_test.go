package web_test

import (
	"net"
	"strings"
	"testing"

	"fieldbrain/daemon"
)

// TestStopByGuard: STOP reaches the guard where no daemon stops the car.
func TestStopByGuard(t *testing.T) {
	r := newRig(t, nil)
	r.end()
	if text, code := r.post("/api/stop", "{}"); code != 503 {
		t.Errorf("with nobody there: %d %s", code, text)
	}
	l, err := net.Listen("unix", daemon.StopSocket(r.socket+".guard"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("{\"ok\":true}\n"))
			_ = conn.Close()
		}
	}()
	if text, code := r.post("/api/stop", "{}"); code != 200 || !strings.Contains(text, "fieldbrain-guard") {
		t.Errorf("with a guard: %d %s", code, text)
	}
}
