package web_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/web"
)

const asJSON = "application/json"

// Who is no person at this machine, or no page of this server, is refused, by the rule
// that keeps him out.
func TestStrangersAreRefused(t *testing.T) {
	r := newRig(t, func(w *config.Web) { w.Names = []string{"car.local"} })
	r.daemon(daemon.Answer{OK: true})
	bearer := "Bearer " + r.token
	own := r.url("")
	for _, c := range []struct {
		why, method, path, body string
		headers                 map[string]string
		want                    int
	}{
		{"the page", "GET", "/", "", nil, 200},
		{"a name that somebody points here", "GET", "/", "", map[string]string{"Host": "evil.example"}, 421},
		{"the same, with our port", "GET", "/api/hello", "", map[string]string{"Host": "evil.example:8321"}, 421},
		{"a name that begins as ours", "GET", "/", "", map[string]string{"Host": "localhost.evil.example"}, 421},
		{"a name of the settings", "GET", "/", "", map[string]string{"Host": "CAR.local:99"}, 200},
		{"localhost", "GET", "/", "", map[string]string{"Host": "localhost:8321"}, 200},
		{"an address", "GET", "/", "", map[string]string{"Host": "[::1]:8321"}, 200},
		{"a foreign page reads", "GET", "/api/hello", "", map[string]string{"Origin": "https://evil.example"}, 403},
		{"a foreign page reads, says a newer browser", "GET", "/api/hello", "", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a neighbour's page reads", "GET", "/metrics", "", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"a link leads to the page", "GET", "/", "", map[string]string{"Sec-Fetch-Site": "cross-site"}, 200},
		{"a foreign page orders with the token", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON, "Authorization": bearer, "Origin": "http://evil.example"}, 403},
		{"a sandboxed frame orders", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON, "Authorization": bearer, "Origin": "null"}, 403},
		{"another port of this machine orders", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON, "Authorization": bearer, "Origin": "http://127.0.0.1:1"}, 403},
		{"our origin with another scheme", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON, "Authorization": bearer, "Origin": strings.Replace(own, "http:", "https:", 1)}, 403},
		{"a foreign page stops the car", "POST", "/api/stop", `{}`, map[string]string{"Content-Type": asJSON, "Origin": "https://evil.example"}, 403},
		{"a form orders", "POST", "/api/order", "command=arm", map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Authorization": bearer}, 415},
		{"a form as text", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": "text/plain", "Authorization": bearer}, 415},
		{"a form without a kind", "POST", "/api/stop", `{}`, nil, 415},
		{"a form to what takes none", "POST", "/metrics", "a=b", nil, 415},
		{"the same as JSON", "POST", "/metrics", "{}", map[string]string{"Content-Type": asJSON}, 405},
		{"no token", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON}, 401},
		{"a token in the address", "POST", "/api/order?token=" + r.token, `{"command":"arm"}`, map[string]string{"Content-Type": asJSON}, 401},
		{"half a token", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON, "Authorization": bearer[:40]}, 401},
		{"an order by GET", "GET", "/api/order", "", map[string]string{"Authorization": bearer}, 405},
		{"a method of nobody", "PUT", "/api/order", `{}`, map[string]string{"Authorization": bearer}, 405},
		{"an order without a browser", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON, "Authorization": bearer}, 200},
		{"our page orders", "POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON, "Authorization": bearer, "Origin": own, "Sec-Fetch-Site": "same-origin"}, 200},
		{"stop needs no token here", "POST", "/api/stop", `{}`, map[string]string{"Content-Type": asJSON, "Origin": own}, 200},
	} {
		text, code, head := r.ask(c.method, c.path, c.body, c.headers)
		if code != c.want {
			t.Errorf("%s: %s %s = %d, want %d: %s", c.why, c.method, c.path, code, c.want, text)
		}
		if head.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other origins are let in", c.why)
		}
	}
	if n := r.server.Refusals(); n["host"] != 3 || n["origin"] != 8 || n["content_type"] != 4 || n["token"] != 3 {
		t.Errorf("refusals were counted as %v", n)
	}
}

// Whoever tries tokens is slowed down; the right one is heard meanwhile.
func TestWrongTokensSlowDown(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	codes := map[int]int{}
	for i := range 30 {
		_, code, _ := r.ask("POST", "/api/order", `{"command":"arm"}`, map[string]string{"Content-Type": asJSON, "Authorization": fmt.Sprintf("Bearer %064x", i)})
		codes[code]++
	}
	if codes[401] < 1 || codes[401] > 8 || codes[429] < 20 || len(codes) != 2 {
		t.Errorf("answers to wrong tokens: %v", codes)
	}
	if text, code := r.post("/api/order", `{"command":"arm"}`); code != 200 {
		t.Errorf("the right token meanwhile: %d %s", code, text)
	}
}

// Who asks too fast hears so; the emergency stop is heard all the same.
func TestTooFast(t *testing.T) {
	r := newRig(t, nil)
	r.daemon(daemon.Answer{OK: true})
	slowed := false
	for range 3000 {
		if _, code := r.get("/page/icon.svg"); code == http.StatusTooManyRequests {
			slowed = true
			break
		}
	}
	if !slowed {
		t.Error("3000 requests in a row were all answered")
	}
	if text, code := r.post("/api/stop", `{}`); code != 200 {
		t.Errorf("stop meanwhile: %d %s", code, text)
	}
}

// Every answer, refusals too, tells the browser what it may do with it.
func TestHeaders(t *testing.T) {
	r := newRig(t, nil)
	for _, path := range []string{"/", "/page/main.js", "/api/hello", "/metrics", "/healthz", "/nothing", "/recordings/x"} {
		_, _, head := r.ask("GET", path, "", nil)
		policy := head.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy lacks %s: %q", path, want, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
			t.Errorf("%s: the policy lets more in: %q", path, policy)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if got := head.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if regexp.MustCompile(`(?i)go|net/http`).MatchString(head.Get("Server")) {
			t.Errorf("%s: tells what it is made of: %q", path, head.Get("Server"))
		}
	}
}

// A crowd that opens every connection there is is closed again, and who comes after it
// is answered.
func TestCrowdOfConnections(t *testing.T) {
	r := newRig(t, nil)
	http.DefaultClient.CloseIdleConnections()
	var crowd []net.Conn
	defer func() {
		for _, c := range crowd {
			c.Close()
		}
	}()
	for range 300 {
		c, err := net.Dial("tcp", r.server.Address())
		if err != nil {
			t.Fatal(err)
		}
		crowd = append(crowd, c)
	}
	deadline := time.Now().Add(10 * time.Second)
	for r.server.Refusals()["connections"] < 300-96 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := r.server.Refusals()["connections"]; n < 300-96 {
		t.Errorf("%d of 300 connections were refused", n)
	}
	elsewhere := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	other := http.Client{Transport: &http.Transport{DialContext: elsewhere.DialContext, DisableKeepAlives: true}}
	if a, err := other.Get(r.url("/healthz")); err != nil {
		t.Errorf("a crowd of one address keeps others from the car: %v", err)
	} else {
		a.Body.Close()
	}
	for _, c := range crowd {
		c.Close()
	}
	crowd = nil
	for range 100 { // places come back as the server notices
		if a, err := http.Get(r.url("/healthz")); err == nil {
			a.Body.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("nobody is answered after the crowd")
}

// TestTokenGoesOn: a server that takes another's place knows its token, unless a file has
// one.
func TestTokenGoesOn(t *testing.T) {
	before := strings.Repeat("0f", 32)
	file := filepath.Join(t.TempDir(), "token")
	for name, want := range map[string]string{"": "#token=" + before, file: "/"} {
		set := config.DefaultWeb()
		set.Listen, set.Token = "127.0.0.1:0", name
		s, err := web.New(web.Options{Settings: set, Token: before})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(s.URL(), want) {
			t.Errorf("%s, want %s at its end", s.URL(), want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), before) {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
