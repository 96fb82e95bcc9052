package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Who asks for what there is not, or in a way it does not take, hears in the words of
// every other refusal what there is, and is counted.
func TestWrongPathsAndMethods(t *testing.T) {
	r := newRig(t, nil)
	asked := map[int]uint64{}
	for _, c := range []struct {
		method, path, allow string
		code                int
		words               []string
	}{
		{"GET", "/api/nope", "", 404, []string{`"/api/nope"`, "/api/hello", "/api/wheel/take", "/recordings/NAME", "/metrics"}},
		{"GET", "/nope/../nothing", "", 404, []string{`"/nothing"`}},
		{"TRACE", "/api", "", 404, []string{`"/api"`}},
		{"GET", "/page/nothing.js", "", 404, []string{`"/page/nothing.js"`, "the page itself is /"}},
		{"GET", "/recordings/none.mcap", "", 404, []string{`"none.mcap"`, "/api/recordings"}},
		{"PUT", "/metrics", "GET, HEAD", 405, []string{`"/metrics" does not take PUT: send GET or HEAD`}},
		{"DELETE", "/", "GET, HEAD", 405, []string{`"/" does not take DELETE`}},
		{"GET", "/api/order", "POST", 405, []string{`"/api/order" does not take GET: send POST`}},
		{"HEAD", "/api/order", "POST", 405, nil},
		{"TRACE", "/api/order", "POST", 405, []string{"not take TRACE"}},
	} {
		text, code, head := r.ask(c.method, c.path, "", nil)
		asked[c.code]++
		if code != c.code || head.Get("Allow") != c.allow || head.Get("Content-Type") != asJSON || head.Get("Content-Security-Policy") == "" {
			t.Errorf("%s %s: %d %v %q", c.method, c.path, code, head, text)
		}
		if c.method == http.MethodHead {
			continue
		}
		said := object[map[string]string](t, text)["error"]
		for _, want := range c.words {
			if !strings.Contains(said, want) {
				t.Errorf("%s %s: %q lacks %q", c.method, c.path, said, want)
			}
		}
	}
	if n := r.server.Refusals(); n["path"] != asked[404] || n["method"] != asked[405] {
		t.Errorf("refusals were counted as %v, want %v", n, asked)
	}
	if text, _ := r.get("/metrics"); !strings.Contains(text, fmt.Sprintf(`fieldbrain_web_refused_total{reason="method"} %d`, asked[405])) {
		t.Error("the metrics do not count a wrong method")
	}
}

// Whoever takes the server for a proxy is refused as everybody else.
func TestNoProxy(t *testing.T) {
	r := newRig(t, nil)
	c, err := net.Dial("tcp", r.server.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", r.server.Address())
	a, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusMethodNotAllowed || object[map[string]string](t, string(text))["error"] == "" {
		t.Errorf("CONNECT: %d %q, %v", a.StatusCode, text, err)
	}
	if n := r.server.Refusals()["method"]; n != 1 {
		t.Errorf("%d refusals were counted", n)
	}
}
