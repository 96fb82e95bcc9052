package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// padAt returns code that gives the browser a gamepad whose axes are at an expression; n
// counts how often somebody has looked.
func padAt(axes string) string {
	return "let n = 0; navigator.getGamepads = () => [{connected: true, id: 'a pad of the test', axes: " + axes + ", buttons: []}]"
}

// overhear keeps every word that the page says about the wheel, with what stood in it.
const overhear = `
window.words = [];
if (!window.said) {
	window.said = window.fetch;
	window.fetch = (path, o) => {
		if (path === "/api/wheel/drive") window.words.push(JSON.parse(o.body));
		return window.said(path, o);
	};
}`

// words waits for so many words of the page since the wheel was taken, and returns them.
func (b *browser) words(n int) (throttles, steerings []float64) {
	b.t.Helper()
	for range 600 {
		all := b.run("return window.words").([]any)
		if len(all) < n {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		for i, w := range all {
			word := w.(map[string]any)
			if word["number"] != float64(i+1) {
				b.t.Errorf("word %d has the number %v", i+1, word["number"])
			}
			throttles, steerings = append(throttles, word["throttle"].(float64)), append(steerings, word["steering"].(float64))
		}
		return throttles, steerings
	}
	b.t.Fatalf("fewer than %d words: %q", n, b.text("drive-answer"))
	return nil, nil
}

// takes takes the wheel and overhears what is said from there on.
func (b *browser) takes() {
	b.t.Helper()
	b.run(overhear)
	b.click("#take")
	b.await("take", "Let go")
}

// wishes takes the wheel beside what is no wish to drive: a stick that was pushed before, a
// key that was down before, the steering of the drive before, a second click.
func wishes(t *testing.T, b *browser) {
	t.Helper()
	none := func(why string) {
		t.Helper()
		throttles, steerings := b.words(5)
		for i := range throttles {
			if throttles[i] != 0 || steerings[i] != 0 {
				t.Errorf("%s: word %d is throttle %v, steering %v", why, i+1, throttles[i], steerings[i])
			}
		}
	}
	b.run(padAt("[0, -1]"))
	b.takes()
	none("a stick that was pushed before the wheel was taken")
	b.run("navigator.getGamepads = () => []")
	b.click("#take")
	b.await("take", "Take the wheel")

	b.takes()
	b.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', repeat: true, bubbles: true}))")
	none("a key that was down before the wheel was taken")
	b.press("a")
	b.await("word", "steering 1.00")
	b.click("#take")
	b.await("take", "Take the wheel")
	b.letGo()

	b.run(overhear)
	b.run("const take = document.getElementById('take'); take.click(); take.click()")
	b.await("take", "Let go")
	none("the steering of the drive before")
	if said := b.text("drive-answer"); strings.Contains(said, "wait until it lets go") {
		t.Errorf("the page refuses itself the wheel: %q", said)
	}
	b.click("#take")
	b.await("take", "Take the wheel")
}

// stopsInACrowd presses STOP where the browser's other windows have taken all connections
// to the server: the page gives its stream up for it, and takes it up again.
func stopsInACrowd(t *testing.T, b *browser) {
	t.Helper()
	b.run(`
window.streams = window.stops = 0;
const say = window.fetch;
window.fetch = (path, o) => {
	if (path === "/api/stream") { window.streams++; o.signal.addEventListener("abort", () => window.streams--); }
	if (path !== "/api/stop" || window.streams === 0) return say(path, o);
	window.stops++;
	return new Promise((_, no) => o.signal.addEventListener("abort", () => no(o.signal.reason)));
};
Object.defineProperty(document, "hidden", {configurable: true, get: () => true});
document.dispatchEvent(new Event("visibilitychange"));
Object.defineProperty(document, "hidden", {configurable: true, get: () => false});
document.dispatchEvent(new Event("visibilitychange"));`)
	for range 600 { // the stream that counts
		if b.run("return window.streams") == 1.0 && b.text("life") == "live" {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.click("#estop")
	b.await("answer", "Stopped")
	if b.run("return window.stops") != 1.0 {
		t.Errorf("STOP was tried %v times beside the stream, want once", b.run("return window.stops"))
	}
	b.await("life", "live")
	b.await("level", "LATCHED")
	b.armAnew()
}

// byCentimetres orders a place that is no multiple of the steps of its fields.
func byCentimetres(t *testing.T, b *browser) {
	t.Helper()
	b.run("document.getElementById('goal-x').value = '0.25'; document.getElementById('goal-y').value = '-0.123'")
	b.click("#goal-form button")
	b.await("answer", "goal 0.25 -0.12: done")
	b.run("document.getElementById('goal-x').value = '200'")
	b.click("#goal-form button")
	b.await("answer", "choose -100 .. 100 m")
	for _, id := range []string{"goal-x", "goal-y"} { // a place as far as any can be read
		b.run("const e = document.getElementById('" + id + "'); e.value = '-99.99'")
		if room := b.run("const e = document.getElementById('" + id + "'); return e.scrollWidth - e.clientWidth").(float64); room > 0 {
			t.Errorf("%s cuts -99.99 off by %v pixels", id, room)
		}
	}
	b.run("document.getElementById('goal-x').value = '1'; document.getElementById('goal-y').value = '0'")
	b.click("[data-order=hold]")
	b.await("answer", "hold: done")
}

// downloads asks for a recording that is gone: the page says so, and lists what is there.
func downloads(t *testing.T, s *scene, b *browser) {
	t.Helper()
	gone := filepath.Join(s.folder, "drives", "gone.mcap")
	if err := os.WriteFile(gone, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.click("#relist")
	b.await("files", "gone.mcap")
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	b.click("[aria-label='Download gone.mcap']")
	b.await("file-answer", "there is no recording \"gone.mcap\" any more")
	if left := b.text("files"); strings.Contains(left, "gone.mcap") || !strings.Contains(left, "drive-") {
		t.Errorf("the list says %q", left)
	}
}

// silenced stops the server in its tracks: no stream ends, and the page still says that
// what it shows is old. When the server goes on, so does the page.
func silenced(t *testing.T, s *scene, b *browser) {
	t.Helper()
	if err := s.server.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.server.Process.Signal(syscall.SIGCONT) }()
	b.await("life", "no data")
	b.await("banner", "is silent")
	if err := s.server.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	b.await("life", "live")
}

// succeeded starts another daemon while a place is marked on the map: it was one of the
// run before, and nobody is sent there by it.
func succeeded(t *testing.T, s *scene, b *browser) {
	t.Helper()
	x, y := b.at("#map", 0.6, 0.35)
	b.point("mouse", x, y, true)
	b.await("goal-at", "Goal ")
	s.daemon, _ = s.start("run", "--body", "sim", "--scenario", "explore", "--seed", "9", "--view", "off", "--socket", "c.sock")
	b.await("life", "live")
	b.await("level", "STOPPED")
	if b.run("return document.getElementById('goal').hidden") != true {
		t.Errorf("the page offers %q in another run", b.text("goal-at"))
	}
}

// died kills the daemon: the page shows how it was, and goes over to the next one.
func died(t *testing.T, s *scene, b *browser) {
	t.Helper()
	if err := s.daemon.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	b.await("life", "DEAD")
	b.await("banner", "without an orderly end")
	b.await("level", "LATCHED") // as it was
	succeeded(t, s, b)
}
