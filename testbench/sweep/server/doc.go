// Package server is NATS with JetStream for a sweep, in one call: streams in a folder,
// a token that clients must show, or NATS' own configuration file instead.
//
// It is a program of its own, cmd/fieldbrain-nats, because the daemon would be two
// thirds larger with it (docs/decisions/0029); package sweep/queue talks to it, and to any
// other NATS server as well.
//
// # What lies in the folder
//
//	jetstream/  the streams
//	token       the word that clients must show; it outlives the server
//	url         where the server listens, token included
//	nats.log    the server's log
//	lock        held while it runs
//
// # Concurrency
//
// A Server runs its own goroutines; Close may be called once, from any.
//
// # Errors
//
// ErrBusy: another server has the folder. Everything else names the file or the flag.
package server
