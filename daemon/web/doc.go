// Package web shows a run in a browser and passes on what people say there: the page
// of fieldbrain serve, a process beside the daemon (docs/web.md). It reads the
// telemetry page and the flight ring and speaks to the control socket, as every other
// client does; the daemon itself opens no port.
//
// Reading order: server.go (with which limits), routes.go (what is served), gate.go (who
// may), token.go and rate.go (its parts), watch.go (reads the run), digest.go (trail,
// journal and stages out of its ticks), frames.go (what a browser gets of it),
// stream.go (server-sent events), orders.go, manual_session.go and recordings.go (what a browser may ask
// for), metrics.go and health.go (what other programs may), assets.go (the page).
//
// # Concurrency
//
// One goroutine, the watch, reads the run ten times a second while somebody looks and
// once a second otherwise. It encodes every frame once, whoever listens; a browser
// that does not keep up misses frames and delays nobody. Handlers run on goroutines
// of their own and share only what the hub's lock guards.
//
// # Errors
//
// A request that is refused gets a status code and one object {"error": "..."} with
// the reason and the remedy; refusals are counted by reason (Refusals). A page that
// cannot be read is an answer, too: the browser shows why.
//
// # Security
//
// Loopback alone without tokens and TLS. Commands need the token everywhere, because
// every user of a machine reaches its loopback and not all of them may write to the
// control socket; the emergency stop needs what looking needs. Host and Origin are
// checked for every request, so that neither a name that somebody points here nor a
// page of somebody's can speak for a person.
//
// # Units
//
// SI in frames, with the unit in the name; lengths of stages in seconds in metrics
// and in nanoseconds in frames, as the telemetry page has them.
//
// # Source
//
// Server-sent events: WHATWG HTML, 9.2; Prometheus' text format 0.0.4.
package web
