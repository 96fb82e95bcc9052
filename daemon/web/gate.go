package web

import (
	"encoding/json"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// A role is what somebody may do.
type role int

// The roles; each may do what the one before may.
const (
	nobody    role = iota // the page's own files, and whether the car is alive
	watcher               // look, and stop the car
	commander             // everything
)

// policy lets the page use its own files alone: no line of code or style within the
// text, no frame around it, no form to anywhere.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// dress sets the headers that every answer has.
func dress(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "gamepad=(self), camera=(), microphone=(), geolocation=(), usb=(), serial=()")
	h.Set("Cache-Control", "no-store")
}

// gate lets through what a person, or a program of his, may have sent.
func (s *Server) gate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dress(w.Header())
		switch {
		case !s.called(r.Host):
			s.refuse(w, wrongHost, "this is no name of this server: call it by its address, or add the name to web.names")
		case !s.sameOrigin(r):
			s.refuse(w, wrongOrigin, "a page of another origin has sent this: open the server's own page")
		case r.Method == http.MethodPost && !isJSON(r): // before its path is looked at: no route can forget it
			s.refuse(w, wrongForm, "send Content-Type: application/json")
		case r.URL.Path != "/api/stop" && !s.rates.allow(client(r), time.Now()):
			w.Header().Set("Retry-After", "1")
			s.refuse(w, tooFast, "too many requests: wait a second")
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			next.ServeHTTP(w, r)
		}
	})
}

// called reports whether a Host header names this server. Somebody else's name that
// points here makes somebody else's page one of the same origin (DNS rebinding); an
// address cannot be pointed anywhere.
func (s *Server) called(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || slices.Contains(s.options.Settings.Names, name)
}

// sameOrigin reports whether a request comes from a page of this server, or from no
// page. Browsers tell it in one of two headers, or in both.
func (s *Server) sameOrigin(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		if !reads || r.URL.Path != "/" { // a link to the page leads to it
			return false
		}
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	at, err := url.Parse(origins[0])
	scheme := "http"
	if s.secure != nil {
		scheme = "https"
	}
	return err == nil && len(origins) == 1 && at.Scheme == scheme && strings.EqualFold(at.Host, r.Host)
}

// isJSON reports whether a request says that it is JSON. No form can, so that a browser
// asks first whether a foreign page may send it.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// client names who sent a request.
func client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// needs lets through who has a role.
func (s *Server) needs(least role, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		has, wrong := s.roleOf(r)
		if has >= least {
			next.ServeHTTP(w, r)
			return
		}
		if wrong && !s.rates.allowWrong(client(r), time.Now()) {
			w.Header().Set("Retry-After", "10")
			s.refuse(w, tooFast, "too many wrong tokens: wait, then copy the token that fieldbrain serve printed or that web.token holds")
			return
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		s.refuse(w, noToken, "this needs the token: copy it from what fieldbrain serve printed, or from the file web.token (or web.watch_token, to look)")
	})
}

// roleOf returns what the sender of a request may do, and whether he sent a token that
// is none.
func (s *Server) roleOf(r *http.Request) (has role, wrong bool) {
	if s.options.Settings.Loopback() && s.options.Settings.WatchToken == "" {
		has = watcher
	}
	token, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !is {
		return has, false
	}
	if named := s.tokens.role(token); named > nobody {
		return max(has, named), false
	}
	return has, true
}

// A refusal is a reason for which requests are refused.
type refusal int

// The reasons, as metrics name them, and the answers' status codes.
const (
	wrongHost refusal = iota
	wrongOrigin
	wrongForm
	noToken
	tooFast
	tooMany
	badRequest
	wrongPath
	wrongMethod
	numRefusals
)

var (
	refusalNames = [numRefusals]string{"host", "origin", "content_type", "token", "rate", "connections", "request", "path", "method"}
	refusalCodes = [numRefusals]int{
		http.StatusMisdirectedRequest, http.StatusForbidden, http.StatusUnsupportedMediaType,
		http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusBadRequest,
		http.StatusNotFound, http.StatusMethodNotAllowed,
	}
)

// refusals counts what was refused.
type refusals [numRefusals]atomic.Uint64

func (r *refusals) count(why refusal) { r[why].Add(1) }

// Refusals returns how many requests and connections were refused, by reason.
func (s *Server) Refusals() map[string]uint64 {
	all := map[string]uint64{}
	for i := range s.refused {
		all[refusalNames[i]] = s.refused[i].Load()
	}
	return all
}

// refuse answers with a reason and counts it.
func (s *Server) refuse(w http.ResponseWriter, why refusal, words string) {
	s.refused.count(why)
	answer(w, refusalCodes[why], map[string]string{"error": words})
}

// answer writes one object.
func answer(w http.ResponseWriter, code int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		code, text = http.StatusInternalServerError, []byte(`{"error":"the answer cannot be written as JSON; report it"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(append(text, '\n')) // who does not read it has gone
}
