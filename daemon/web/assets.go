package web

import (
	"bytes"
	"embed"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// The page's own files: written by hand, nothing builds them, nothing is loaded from
// elsewhere. page/vendor holds uPlot with its licence (docs/web.md).
//
//go:embed page
var assets embed.FS

// asset sends a file of the page.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "page/index.html"
	}
	text, err := assets.ReadFile(name)
	if err != nil {
		s.refuse(w, wrongPath, fmt.Sprintf("the page has no file %.80q: the page itself is /", r.URL.Path))
		return
	}
	w.Header().Set("Content-Type", contentType(name))
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}

// contentType names what a file is, whatever the machine's own tables say.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".webmanifest":
		return "application/manifest+json"
	}
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		return kind
	}
	return "text/plain; charset=utf-8"
}
