package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A browser is headless Chromium, driven as a person drives it, by W3C WebDriver.
type browser struct {
	t    *testing.T
	base string // of the session

	touch bool // presses with a finger
}

// A device is what a page is looked at with.
type device struct {
	name          string
	width, height int
	touch, dark   bool
}

// webdriver starts chromedriver and returns its address, or leaves the test out where
// there is none.
func webdriver(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromedriver", "chromium"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no %s on this machine: apt install chromium chromium-driver; no page was looked at", name)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	cmd := exec.Command("chromedriver", "--port="+port)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address := "http://127.0.0.1:" + port
	for range 600 {
		if a, err := http.Get(address + "/status"); err == nil {
			a.Body.Close()
			return address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("chromedriver does not answer")
	return ""
}

// open begins a session that looks like a device.
func open(t *testing.T, driver string, d device) *browser {
	t.Helper()
	options := map[string]any{"args": []string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", fmt.Sprintf("--window-size=%d,%d", d.width, d.height),
	}}
	if d.touch {
		options["mobileEmulation"] = map[string]any{"deviceMetrics": map[string]any{"width": d.width, "height": d.height, "pixelRatio": 2, "touch": true}}
	}
	b := &browser{t: t, base: driver + "/session", touch: d.touch}
	made := b.call("POST", "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": map[string]string{"browser": "ALL"},
		"timeouts": map[string]int{"script": 120_000, "pageLoad": 300_000}, // ms, on a machine busy with other tests
	}}})
	b.base += "/" + made.(map[string]any)["sessionId"].(string)
	t.Cleanup(func() { b.call("DELETE", "", nil) })
	if d.dark {
		b.devtools("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": "dark"}}})
	}
	return b
}

// call sends one command.
func (b *browser) call(method, path string, body any) any {
	b.t.Helper()
	var text []byte
	var err error
	if body != nil {
		text, err = json.Marshal(body)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	q, err := http.NewRequest(method, b.base+path, bytes.NewReader(text))
	if err != nil {
		b.t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		b.t.Fatal(err)
	}
	defer a.Body.Close()
	got, err := io.ReadAll(a.Body)
	var v struct{ Value any }
	if err != nil || json.Unmarshal(got, &v) != nil || a.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %s: %v %d %.500s", method, path, err, a.StatusCode, got)
	}
	return v.Value
}

func (b *browser) devtools(command string, parameters any) any {
	b.t.Helper()
	return b.call("POST", "/goog/cdp/execute", map[string]any{"cmd": command, "params": parameters})
}

// run runs a function's body in the page.
func (b *browser) run(code string) any {
	b.t.Helper()
	return b.call("POST", "/execute/sync", map[string]any{"script": code, "args": []any{}})
}

// text returns what an element says.
func (b *browser) text(id string) string {
	b.t.Helper()
	text, _ := b.run("return document.getElementById('" + id + "').textContent").(string)
	return text
}

// await waits until an element says something.
func (b *browser) await(id, words string) {
	b.t.Helper()
	for range 600 {
		if strings.Contains(b.text(id), words) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("%s says %q, want %q; the answer was %q", id, b.text(id), words, b.text("answer"))
}

// at scrolls an element into view and returns a place in it, in shares of its size.
func (b *browser) at(selector string, x, y float64) (px, py int) {
	b.t.Helper()
	look := fmt.Sprintf("const e = document.querySelector(%q); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return [r.left + %v * r.width, r.top + %v * r.height]", selector, x, y)
	for px, py = -1, -1; ; time.Sleep(50 * time.Millisecond) { // an answer that comes moves what is below it
		v := b.run(look).([]any)
		lx, ly := px, py
		if px, py = int(v[0].(float64)), int(v[1].(float64)); px == lx && py == ly {
			return px, py
		}
	}
}

// point presses a mouse's button or a finger at a place, and lets go if asked to.
func (b *browser) point(kind string, x, y int, release bool) {
	b.t.Helper()
	actions := []any{
		map[string]any{"type": "pointerMove", "duration": 0, "x": x, "y": y},
		map[string]any{"type": "pointerDown", "button": 0},
	}
	if release {
		actions = append(actions, map[string]any{"type": "pause", "duration": 60}, map[string]any{"type": "pointerUp", "button": 0})
	}
	b.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{
		"type": "pointer", "id": kind, "parameters": map[string]string{"pointerType": kind}, "actions": actions,
	}}})
}

// click and tap press an element in its middle; a person clicks what is not greyed out.
func (b *browser) click(selector string) {
	b.t.Helper()
	for b.run(fmt.Sprintf("return document.querySelector(%q).disabled", selector)) == true {
		time.Sleep(50 * time.Millisecond)
	}
	x, y := b.at(selector, 0.5, 0.5)
	b.point("mouse", x, y, true)
}

func (b *browser) tap(selector string) {
	b.t.Helper()
	x, y := b.at(selector, 0.5, 0.5)
	b.point("touch", x, y, true)
}

// push presses an element as the device does.
func (b *browser) push(selector string) {
	b.t.Helper()
	if b.touch {
		b.tap(selector)
		return
	}
	b.click(selector)
}

// press holds a key down; WebDriver's codes stand for those without a letter.
func (b *browser) press(key string) {
	b.t.Helper()
	b.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{
		"type": "key", "id": "keys", "actions": []any{map[string]string{"type": "keyDown", "value": key}},
	}}})
}

// letGo lifts every finger, button and key.
func (b *browser) letGo() { b.t.Helper(); b.call("DELETE", "/actions", nil) }

// picture writes what the page looks like, if somebody wants pictures.
func (b *browser) picture(name string, whole bool) {
	b.t.Helper()
	folder := os.Getenv("FIELDBRAIN_PICTURES")
	if folder == "" {
		return
	}
	v := b.devtools("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole})
	data, err := base64.StdEncoding.DecodeString(v.(map[string]any)["data"].(string))
	if err == nil {
		err = os.WriteFile(folder+"/"+name+".png", data, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// complaints returns what the browser itself found wrong: a file that is missing, a line
// that the policy refuses, an error in the page's code.
func (b *browser) complaints() (all []string) {
	b.t.Helper()
	for _, line := range b.call("POST", "/se/log", map[string]string{"type": "browser"}).([]any) {
		all = append(all, line.(map[string]any)["message"].(string))
	}
	return all
}
