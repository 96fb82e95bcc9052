package web

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
)

// routes answers every path there is, and refuses others.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	var paths []string // as a refusal names them
	on := func(method, path string, least role, do http.Handler) {
		mux.Handle(method+" "+path, s.needs(least, do))
		paths = append(paths, strings.NewReplacer("{$}", "", "{name}", "NAME").Replace(path))
	}
	say := func(path string, least role, do http.HandlerFunc) { on(http.MethodPost, path, least, do) }
	show := func(path string, least role, do http.HandlerFunc) { on(http.MethodGet, path, least, do) }
	show("/{$}", nobody, s.asset)
	show("/page/", nobody, s.asset)
	show("/healthz", nobody, s.health)
	on(http.MethodGet, "/metrics", watcher, s.metrics())
	show("/api/hello", watcher, s.hello)
	show("/api/stream", watcher, s.stream)
	show("/api/recordings", watcher, s.recordings)
	say("/api/ticket", watcher, s.ticket)
	show("/recordings/{name}", nobody, s.download) // takes a ticket, too
	say("/api/stop", watcher, s.stop)
	say("/api/wheel/take", commander, s.take)
	say("/api/wheel/drive", commander, s.drive)
	say("/api/wheel/release", commander, s.release)
	say("/api/order", commander, s.order)
	return s.known(mux, strings.Join(paths, ", "))
}

// known lets through what leads to a route. The mux would answer anything else by itself,
// in words without a remedy and uncounted; asked for that answer, it says which methods a
// path takes, or where one with superfluous dots and slashes leads.
func (s *Server) known(mux *http.ServeMux, paths string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		path, a := cmp.Or(r.URL.Path, "/"), &unsaid{header: http.Header{}}
		own.ServeHTTP(a, r)
		switch a.code {
		case http.StatusMethodNotAllowed:
			takes := a.header.Get("Allow")
			w.Header().Set("Allow", takes)
			s.refuse(w, wrongMethod, fmt.Sprintf("%.80q does not take %.20s: send %s", path, r.Method, strings.ReplaceAll(takes, ", ", " or ")))
		case http.StatusNotFound:
			s.refuse(w, wrongPath, fmt.Sprintf("there is no %.80q here: take one of %s", path, paths))
		default:
			own.ServeHTTP(w, r)
		}
	})
}

// An unsaid answer is looked at and sent to nobody.
type unsaid struct {
	header http.Header
	code   int
}

// Header implements http.ResponseWriter.
func (a *unsaid) Header() http.Header { return a.header }

// Write implements http.ResponseWriter.
func (a *unsaid) Write(p []byte) (int, error) { return len(p), nil }

// WriteHeader implements http.ResponseWriter.
func (a *unsaid) WriteHeader(code int) { a.code = code }
