package web_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
)

// commands returns what the daemon heard so far.
func (r *rig) commands() (all []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range r.heard {
		all = append(all, q.Command)
	}
	return all
}

// page opens a stream and returns the name that the server gave it.
func (r *rig) page(t *testing.T) (*listener, string) {
	l := r.listen(t)
	for l.lines.Scan() {
		if text, is := strings.CutPrefix(l.lines.Text(), "data: "); is {
			return l, object[string](t, text)
		}
	}
	t.Fatal("a stream without a name")
	return nil, ""
}

// A page that is being shown takes the wheel, drives and lets it go; the daemon hears
// every word over one connection.
func TestWheel(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	_, page := r.page(t)
	say := func(what, more string, want int) {
		t.Helper()
		if text, code := r.post("/api/wheel/"+what, `{"page":"`+page+`"`+more+`}`); code != want {
			t.Errorf("%s %s: %d %s", what, more, code, text)
		}
	}
	say("drive", `,"throttle":0.5`, 409)
	say("take", "", 200)
	say("drive", `,"throttle":0.5,"steering":-0.25`, 200)
	for _, wrong := range []string{`,"throttle":1.01`, `,"steering":-2`, `,"throttle":1e999`, `,"throttle":"fast"`, `,"speed":1`} {
		say("drive", wrong, 400)
	}
	say("release", "", 200)
	say("drive", `,"throttle":0.5`, 409)
	if got := strings.Join(r.commands(), " "); got != "take drive release" {
		t.Errorf("the daemon heard %q", got)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if q := r.heard[0]; q.Source != "browser" {
		t.Errorf("the source is called %q", q.Source)
	}
	if q := r.heard[1]; q.Throttle != 0.5 || q.Steering != -0.25 {
		t.Errorf("the daemon heard %+v", q)
	}
}

// Nobody drives through a page that is not shown, and without the token.
func TestWheelNeedsAPage(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	for _, page := range []string{"", "nobody", strings.Repeat("x", 100)} {
		if text, code := r.post("/api/wheel/take", `{"page":"`+page+`"}`); code != 400 {
			t.Errorf("%q: %d %s", page, code, text)
		}
	}
	_, page := r.page(t)
	if _, code, _ := r.ask("POST", "/api/wheel/take", `{"page":"`+page+`"}`, map[string]string{"Content-Type": asJSON}); code != 401 {
		t.Errorf("without the token: %d", code)
	}
	if got := r.commands(); len(got) > 0 {
		t.Errorf("the daemon heard %q", got)
	}
}

// A page whose connection ends, and one that falls silent, have the wheel no more: the
// connection to the daemon has ended, which stops the car.
func TestWheelEndsWithItsPage(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	await := func(why, page string, code int) {
		t.Helper()
		for range 300 {
			if _, got := r.post("/api/wheel/drive", `{"page":"`+page+`"}`); got == code {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("%s: the page may drive still", why)
	}
	l, page := r.page(t)
	if text, code := r.post("/api/wheel/take", `{"page":"`+page+`"}`); code != 200 {
		t.Fatal(code, text)
	}
	l.cancel() // the cable is pulled
	await("the stream has ended", page, 400)

	_, page = r.page(t)
	if text, code := r.post("/api/wheel/take", `{"page":"`+page+`"}`); code != 200 {
		t.Fatal(code, text)
	}
	time.Sleep(1500 * time.Millisecond) // no word
	if _, code := r.post("/api/wheel/drive", `{"page":"`+page+`"}`); code != 409 {
		t.Errorf("after a second of silence: %d", code)
	}
}
