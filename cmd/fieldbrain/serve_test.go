package main

import (
	"slices"
	"testing"

	"fieldbrain/daemon"
)

// TestServeOrders: who names a page gives orders to the daemon beside it, or to nobody,
// and never to another car whose daemon happens to run.
func TestServeOrders(t *testing.T) {
	e := &env{getenv: func(string) string { return "" }, uid: 7}
	for _, tt := range []struct {
		serve serveCmd
		want  []string
	}{
		{serveCmd{}, daemon.Sockets(e.getenv, 7)},
		{serveCmd{Page: "/run/a/control.page"}, []string{"/run/a/control.sock"}},
		{serveCmd{Page: "yesterday/crash"}, []string{"yesterday/crash.sock"}},
		{serveCmd{Page: "p.page", socketFlag: socketFlag{"/run/b/control.sock"}}, []string{"/run/b/control.sock"}},
	} {
		if got := tt.serve.sockets(e); !slices.Equal(got, tt.want) {
			t.Errorf("serve --page %q --socket %q: %q, want %q", tt.serve.Page, tt.serve.Socket, got, tt.want)
		}
	}
}
