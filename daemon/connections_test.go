package daemon

import (
	"net"
	"path/filepath"
	"testing"
)

// TestHungUp: only the end of both directions is a client that has gone, and to look for it
// allocates nothing.
func TestHungUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, k := range []struct {
		name string
		do   func(c *net.UnixConn) error
		want bool
	}{
		{"nothing", func(*net.UnixConn) error { return nil }, false},
		{"words that nobody has read", func(c *net.UnixConn) error { _, err := c.Write([]byte("x")); return err }, false},
		{"no more words", (*net.UnixConn).CloseWrite, false},
		{"gone", (*net.UnixConn).Close, true},
		{"gone after words", func(c *net.UnixConn) error {
			if _, err := c.Write([]byte("x")); err != nil {
				return err
			}
			return c.Close()
		}, true},
	} {
		t.Run(k.name, func(t *testing.T) {
			client, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			conn, err := l.AcceptUnix()
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			c := &connection{conn: conn}
			if c.hungUp() {
				t.Fatal("gone at once")
			}
			if err := k.do(client); err != nil {
				t.Fatal(err)
			}
			if got := c.hungUp(); got != k.want {
				t.Errorf("gone: %v, want %v", got, k.want)
			}
			if n := testing.AllocsPerRun(100, func() { c.hungUp() }); n != 0 {
				t.Errorf("a look allocates %v times", n)
			}
			if conn.Close(); !c.hungUp() {
				t.Error("a connection that is closed here is heard")
			}
		})
	}
}
