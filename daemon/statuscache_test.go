package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestStatusCacheIsBoundedAndNeverStale: however many ask, the status is made at a
// bounded rate, everybody is answered, and no answer is older than its question.
func TestStatusCacheIsBoundedAndNeverStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, written := time.Now(), 0
		b := &statusCache{every: statusEvery, write: func(dst []byte) []byte {
			written++
			return strconv.AppendInt(dst, int64(time.Since(began)), 10)
		}}
		var clients sync.WaitGroup
		const many = 100
		var answers [many]int
		for i := range many {
			clients.Go(func() {
				var line []byte
				for time.Since(began) < time.Second {
					time.Sleep(time.Duration(i+1) * 137 * time.Microsecond)
					asked := time.Since(began)
					line = b.read(line[:0])
					made, err := strconv.ParseInt(string(line), 10, 64)
					if err != nil || time.Duration(made) < asked {
						t.Errorf("asked at %v, answered %q: %v", asked, line, err)
					}
					if late := time.Since(began) - asked; late > 2*statusEvery {
						t.Errorf("waited %v", late)
					}
					answers[i]++
				}
			})
		}
		clients.Wait()
		if limit := int(time.Since(began)/statusEvery) + 1; written > limit || written < limit/2 {
			t.Errorf("made %d times in %v, want %d at most", written, time.Since(began), limit)
		}
		for i, n := range answers {
			if n < 10 {
				t.Errorf("client %d has %d answers in a second", i, n)
			}
		}
	})
}

// TestStatusCacheAllocatesNothing: the waiting, the copy and the fast look at a request.
func TestStatusCacheAllocatesNothing(t *testing.T) {
	b := &statusCache{every: time.Microsecond, write: func(dst []byte) []byte { return append(dst, "text"...) }}
	request, line := []byte(`{"command": "status"}`+"\n"), make([]byte, 0, 64)
	if n := testing.AllocsPerRun(200, func() {
		if asksStatus(request) {
			line = b.read(line[:0])
		}
	}); n != 0 {
		t.Errorf("%v allocations per answer", n)
	}
}

func TestAsksStatus(t *testing.T) {
	for line, want := range map[string]bool{
		`{"command":"status"}` + "\n":      true,
		" {\t\"command\" : \"status\" } ":  true,
		`{"command":"status","value":0}`:   false,
		`{"command":"sta tus"}`:            false,
		`{"command":"estop"}`:              false,
		`{"command":"status"}{"command":}`: false,
		`{"command":"status"`:              false,
		"":                                 false,
	} {
		if asksStatus([]byte(line)) != want {
			t.Errorf("%q: %v, want %v", line, !want, want)
		}
	}
}

// TestStatusByCache: on the socket, every client that asks for the status again and
// again is answered from the cache; orders, alone or on a line with a status, go
// to the handler.
func TestStatusByCache(t *testing.T) {
	c, err := Listen(filepath.Join(t.TempDir(), "c.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e := NewAnswerEncoder()
	c.OnStatus(func(dst []byte) []byte { return e.Append(dst, &Answer{OK: true, Note: "cached"}) })
	ctx, end := context.WithCancel(t.Context())
	var serving, clients sync.WaitGroup
	serving.Go(func() {
		err := c.Serve(ctx, func(_ context.Context, r Request) Answer { return Answer{OK: true, Note: r.Command} })
		if err != nil {
			t.Error(err)
		}
	})
	for range maxConnections {
		clients.Go(func() {
			conn, err := net.Dial("unix", c.Path())
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			lines := bufio.NewReader(conn)
			for _, ask := range []string{"status", "arm", "status", "status"} {
				if _, err := conn.Write([]byte(`{"command":"` + ask + `"}` + "\n")); err != nil {
					t.Error(err)
					return
				}
				text, err := lines.ReadBytes('\n')
				var a Answer
				if err == nil {
					err = json.Unmarshal(text, &a)
				}
				if want := strings.ReplaceAll(ask, "status", "cached"); err != nil || !a.OK || a.Note != want {
					t.Errorf("%s: %q, %v", ask, text, err)
					return
				}
			}
		})
	}
	clients.Wait()
	end()
	serving.Wait()
}
