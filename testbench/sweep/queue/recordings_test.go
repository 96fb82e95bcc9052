package queue_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// A link stands between clients and a server and lets bytes through as slowly as it is told.
type link struct {
	url  string        // of the server, through the link
	at   string        // host and port of it
	rate float64       // bytes a second, each way and connection; 0: as fast as they come
	shut atomic.Bool   // lets nothing through towards the server
	open chan struct{} // closed: shut counts no more
}

// between puts a link in front of a server.
func between(t *testing.T, url string, rate float64) *link {
	t.Helper()
	token, server, _ := strings.Cut(url, "@")
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{url: token + "@" + door.Addr().String(), at: door.Addr().String(), rate: rate, open: make(chan struct{})}
	t.Cleanup(func() { door.Close() })
	go func() {
		for {
			in, err := door.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", server)
			if err != nil {
				in.Close()
				continue
			}
			go l.carry(out, in, true)
			go l.carry(in, out, false)
		}
	}()
	return l
}

// carry lets bytes through one way.
func (l *link) carry(to, from net.Conn, towards bool) {
	defer to.Close()
	defer from.Close()
	some := make([]byte, 8<<10)
	for {
		n, err := from.Read(some)
		if err != nil {
			return
		}
		if l.rate > 0 {
			time.Sleep(time.Duration(float64(n) / l.rate * float64(time.Second)))
		}
		if towards && l.shut.Load() {
			<-l.open
		}
		if _, err := to.Write(some[:n]); err != nil {
			return
		}
	}
}

// impatient connects with the library's own patience for one request cut short, so that
// 0.3 s of a transfer are what 5 s are to a user.
func impatient(t *testing.T, url string) queue.Stream {
	t.Helper()
	js, err := jetstream.New(connect(t, url).Conn(), jetstream.WithDefaultTimeout(300*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// film is a recording of some bytes.
func film(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(i >> 3 * 31)
	}
	return out
}

// shelved puts a recording on a server, as a worker of any version does.
func shelved(t *testing.T, js queue.Stream, p *sweep.Batch, text []byte) {
	t.Helper()
	store, err := js.ObjectStore(t.Context(), "sweep-"+p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutBytes(t.Context(), "film", text); err != nil {
		t.Fatal(err)
	}
}

// same complains of a file that is not a text.
func same(t *testing.T, path string, want []byte) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d or others, %v", len(got), len(want), err)
	}
}

// TestFetchesOverASlowLink: however long a recording takes, it comes while bytes do.
func TestFetchesOverASlowLink(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 1)
	want, path := film(700<<10), filepath.Join(t.TempDir(), "film.mcap")
	shelved(t, js, p, want)
	slow := impatient(t, between(t, url, 1<<20).url)
	if err := (queue.Recordings{JS: slow, Sweep: p.ID}).Fetch(t.Context(), "film", path); err != nil {
		t.Error(err)
	}
	same(t, path, want)
}

// TestFetchesWhatIsNotTheServers: a recording that was cut short, or another drive's, is
// fetched again, and one that is the server's stays.
func TestFetchesWhatIsNotTheServers(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 1)
	want, path := film(300<<10), filepath.Join(t.TempDir(), "film.mcap")
	shelved(t, js, p, want)
	from := queue.Recordings{JS: js, Sweep: p.ID}
	other := bytes.Clone(want)
	other[len(other)/2]++
	for what, there := range map[string][]byte{"cut short": want[:100<<10], "of an earlier drive": other, "empty": nil} {
		if err := os.WriteFile(path, there, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := from.Fetch(t.Context(), "film", path); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		same(t, path, want)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := from.Fetch(t.Context(), "film", path); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("what is the server's was fetched again, %v", err)
	}
}

// TestFetchStalls: a fetch over a link that lets nothing through any more fails with what
// it fetched, from where and what to do, and leaves the file that was there, and no other.
func TestFetchStalls(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 1)
	shelved(t, js, p, film(300<<10))
	folder := t.TempDir()
	path := filepath.Join(folder, "film.mcap")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := between(t, url, 0)
	dead := connect(t, l.url)
	l.shut.Store(true)
	defer close(l.open)
	err := queue.Recordings{JS: dead, Sweep: p.ID, Stall: 300 * time.Millisecond}.Fetch(t.Context(), "film", path)
	if err == nil || !strings.Contains(err.Error(), "film: no chunk") || !strings.Contains(err.Error(), l.at) || !strings.Contains(err.Error(), "look at the link") {
		t.Errorf("%v", err)
	}
	same(t, path, []byte("old"))
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
