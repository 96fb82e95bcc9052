package web_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/web"
)

// certificate makes a certificate and its key for 127.0.0.1.
func certificate(t *testing.T) (chain, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	made, err := x509.CreateCertificate(rand.Reader, form, form, secret.Public(), secret)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	chain, key = filepath.Join(folder, "chain.pem"), filepath.Join(folder, "key.pem")
	for path, block := range map[string]*pem.Block{chain: {Type: "CERTIFICATE", Bytes: made}, key: {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return chain, key
}

// Whoever would let the network in without tokens and TLS is refused, with what lacks.
func TestWideBindingIsRefused(t *testing.T) {
	chain, key := certificate(t)
	folder := t.TempDir()
	all := config.Web{Token: filepath.Join(folder, "token"), WatchToken: filepath.Join(folder, "watch"), Certificate: chain, Key: key}
	for _, c := range []struct {
		listen string
		lack   func(*config.Web)
		want   string // of the error; nothing: it opens
	}{
		{"0.0.0.0:0", func(w *config.Web) { *w = config.Web{Listen: w.Listen} }, "web.token, web.watch_token, web.certificate, web.key"},
		{"0.0.0.0:0", func(w *config.Web) { w.Token = "" }, "set web.token"},
		{"0.0.0.0:0", func(w *config.Web) { w.WatchToken = "" }, "set web.watch_token"},
		{"0.0.0.0:0", func(w *config.Web) { w.Certificate, w.Key = "", "" }, "set web.certificate, web.key"},
		{"[::]:0", func(w *config.Web) { w.Token = "" }, "set web.token"},
		{"192.168.1.5:0", func(w *config.Web) { w.Token = "" }, "set web.token"},
		{"[::ffff:192.168.1.5]:0", func(w *config.Web) { w.Token = "" }, "set web.token"},
		{"127.0.0.1:0", func(w *config.Web) { w.Key = "" }, "web.key"},
		{"127.0.0.1:0", func(w *config.Web) { w.WatchToken = w.Token }, "another file"},
		{"example.org:80", func(*config.Web) {}, "is no address and port"},
		{":8321", func(*config.Web) {}, "is no address and port"},
		{"", func(*config.Web) {}, "is no address and port"},
		{"127.0.0.1:0", func(w *config.Web) { w.Names = []string{"Car Local"} }, "is no host name"},
		{"0.0.0.0:0", func(*config.Web) {}, ""},
		{"127.0.0.1:0", func(w *config.Web) { *w = config.Web{Listen: w.Listen} }, ""},
	} {
		set := all
		set.Listen = c.listen
		c.lack(&set)
		s, err := web.New(web.Options{Settings: set})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.listen, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.listen, err, c.want)
		}
		if s != nil {
			s.Close()
		}
	}
}

// With tokens and TLS everything but the page's own files needs a token, and the one to
// look commands nothing.
func TestWide(t *testing.T) {
	chain, key := certificate(t)
	folder := t.TempDir()
	before := http.DefaultTransport.(*http.Transport).TLSClientConfig
	http.DefaultTransport.(*http.Transport).TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	t.Cleanup(func() { http.DefaultTransport.(*http.Transport).TLSClientConfig = before })
	r := newRig(t, func(w *config.Web) {
		w.Token, w.WatchToken, w.Certificate, w.Key = filepath.Join(folder, "token"), filepath.Join(folder, "watch"), chain, key
		w.Recordings = folder
	})
	if strings.Contains(r.server.URL(), "token") {
		t.Errorf("a token that stands in a file is printed: %s", r.server.URL())
	}
	tokens := map[string]string{"": ""}
	for _, name := range []string{"token", "watch"} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("%s: %v %v", name, info, err)
		}
		text, _ := os.ReadFile(filepath.Join(folder, name))
		tokens[name] = strings.TrimSpace(string(text))
		if b, err := hex.DecodeString(tokens[name]); err != nil || len(b) != 32 {
			t.Errorf("%s holds %q", name, text)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "a.mcap"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []asked{
		{"", "GET", "/", "", 200},
		{"", "GET", "/healthz", "", 200},
		{"", "GET", "/api/hello", "", 401},
		{"", "GET", "/api/stream", "", 401},
		{"", "GET", "/metrics", "", 401},
		{"", "GET", "/api/recordings", "", 401},
		{"", "GET", "/recordings/a.mcap", "", 401},
		{"", "POST", "/api/stop", "{}", 401},
		{"", "POST", "/api/ticket", `{"name":"a.mcap"}`, 401},
		{"watch", "GET", "/api/hello", "", 200},
		{"watch", "GET", "/metrics", "", 200},
		{"watch", "GET", "/recordings/a.mcap", "", 200},
		{"watch", "POST", "/api/order", `{"command":"arm"}`, 401},
	} {
		r.want(c, tokens)
	}
	l := r.listenAs(t, tokens["watch"])
	for range 3 {
		r.tick(nil)
		l.until("tick", func(v map[string]any) bool { return v["alive"] == true })
	}
	l.cancel()
	text, _, _ := r.ask("POST", "/api/ticket", `{"name":"a.mcap"}`, map[string]string{"Content-Type": asJSON, "Authorization": "Bearer " + tokens["watch"]})
	ticket := object[map[string]string](t, text)["ticket"]
	for i, want := range []int{401, 200, 401} { // for another file; once; again
		name := []string{"b.mcap", "a.mcap", "a.mcap"}[i]
		if _, code := r.get("/recordings/" + name + "?ticket=" + ticket); code != want {
			t.Errorf("ticket, download %d: %d, want %d", i, code, want)
		}
	}
	if text, _ := r.get("/healthz"); strings.Contains(text, "reasons") || strings.Contains(text, "failsafe") {
		t.Errorf("strangers hear more than whether it lives: %s", text)
	}
	r.end()
	r.want(asked{"watch", "POST", "/api/stop", "{}", 503}, tokens) // heard: no daemon runs
	r.want(asked{"token", "POST", "/api/order", `{"command":"arm"}`, 503}, tokens)
}

// asked is a request by somebody, and the answer that he shall get.
type asked struct {
	who, method, path, body string
	want                    int
}

// want asks with the token of who does.
func (r *rig) want(c asked, tokens map[string]string) {
	r.t.Helper()
	headers := map[string]string{"Content-Type": asJSON}
	if c.who != "" {
		headers["Authorization"] = "Bearer " + tokens[c.who]
	}
	if text, code, _ := r.ask(c.method, c.path, c.body, headers); code != c.want {
		r.t.Errorf("with %q: %s %s = %d, want %d: %s", c.who, c.method, c.path, code, c.want, text)
	}
}

// What the settings name is checked without a server, and nothing is made; whatever New
// refuses of it the check does.
func TestCheckFiles(t *testing.T) {
	chain, key := certificate(t)
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text, password := write("text", "no PEM"), write("password", "password")
	one, same := write("one", strings.Repeat("0123456789abcdef", 4)), write("same", strings.Repeat("0123456789abcdef", 4))
	missing := filepath.Join(folder, "missing")
	for _, c := range []struct {
		set  config.Web
		want string // key; nothing: no complaint
	}{
		{config.Web{Token: missing, WatchToken: missing + "2", Certificate: chain, Key: key, Recordings: folder}, ""},
		{config.Web{Recordings: missing}, ""},
		{config.Web{Certificate: text, Key: text}, "web.certificate"},
		{config.Web{Certificate: chain, Key: text}, "web.certificate"},
		{config.Web{Certificate: missing, Key: key}, "web.certificate"},
		{config.Web{Certificate: chain, Key: missing}, "web.key"},
		{config.Web{Certificate: "/etc/passwd", Key: "/etc/passwd"}, "web.key"},
		{config.Web{Token: password}, "web.token"},
		{config.Web{Token: filepath.Join(missing, "token")}, "web.token"},
		{config.Web{WatchToken: folder}, "web.watch_token"},
		{config.Web{Token: one, WatchToken: same}, "web.watch_token"},
		{config.Web{Recordings: text}, "web.recordings"},
	} {
		c.set.Listen = "127.0.0.1:0"
		found := web.CheckFiles(c.set)
		if c.want == "" && len(found) > 0 || c.want != "" && (len(found) != 1 || found[0].Key != c.want || found[0].Reason == "" || found[0].Remedy == "") {
			t.Errorf("%+v: %+v, want %q", c.set, found, c.want)
		}
		if _, err := os.Stat(missing); err == nil {
			t.Fatalf("%+v: the check made a file", c.set)
		}
		if c.want == "" || c.want == "web.recordings" {
			continue
		}
		if s, err := web.New(web.Options{Settings: c.set}); err == nil {
			t.Errorf("%+v: served", c.set)
			s.Close()
		}
	}
}

// A token's file that others may read, or that holds none, is refused with the remedy.
func TestTokenFiles(t *testing.T) {
	good := strings.Repeat("0123456789abcdef", 4)
	for _, c := range []struct {
		text string
		mode os.FileMode
		want string
	}{
		{good, 0o600, ""},
		{good + "\n", 0o400, ""},
		{good, 0o640, "chmod 0600"},
		{good, 0o644, "chmod 0600"},
		{"", 0o600, "holds no token"},
		{"password", 0o600, "holds no token"},
		{good[:62], 0o600, "holds no token"},
		{strings.Repeat(good, 100), 0o600, "too large"},
	} {
		path := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		s, err := web.New(web.Options{Settings: config.Web{Listen: "127.0.0.1:0", Token: path}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q with mode %04o: %v, want %q", c.text[:min(len(c.text), 20)], c.mode, err, c.want)
		}
		if s != nil {
			s.Close()
		}
	}
}

// What comes from uPlot is what its authors published as 1.6.32 (npm), bit for bit.
func TestVendored(t *testing.T) {
	for name, want := range map[string]string{
		"uplot.min.js":  "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uplot.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
		"LICENSE.uplot": "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
	} {
		text, err := os.ReadFile(filepath.Join("page/vendor", name))
		if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s: %x %v, want %s", name, sum, err, want)
		}
	}
}
