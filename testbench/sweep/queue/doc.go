// Package queue brings the jobs of a sweep to workers on any machine and their
// results back, over NATS JetStream.
//
// Reading order: names.go (what a sweep has on a server), connect.go and serve.go
// (a server elsewhere, and one of our own), lead.go (who has the sweep's file),
// enqueue.go and collect.go (its two directions), worker.go, prospect.go, hand.go and
// keep.go (who drives), recordings.go (files to and from the server), heartbeat.go
// (progress), patience.go (what a lost connection means), probe.go (a server that stores nothing).
//
// # What lies on the server
//
//	stream  SWEEP-ID-JOBS     work queue: a message per job, gone when it is acknowledged
//	stream  SWEEP-ID-RESULTS  one message per job and no second one
//	bucket  sweeps            every sweep's state: running, done or cancelled
//	bucket  sweep-ID-workers  who works, with a time to live
//	objects sweep-ID          texts of worlds and settings; recordings
//
// # Every result once
//
// A worker takes a job, tells the server every third of its lease that it still
// drives, stores the result, and acknowledges the job only when the store has said
// that it has it. The next job drives meanwhile, and where many wait the one after it is
// taken already: a drive at once may hold three jobs. A worker that dies acknowledges
// nothing, and the jobs are handed out again when their leases end; one that stops gives
// back what it has not driven. The stream of results refuses a second message of the same
// subject (one per subject, new ones discarded), so that the server itself, and no
// clock, decides which result counts. A refused result is compared with the one that
// counts; where they differ, it is kept beside it and the report says so. The lead
// asks for what is missing once more when the queue is empty: no loss of the server's
// last seconds can leave a hole.
//
// # Recordings
//
// A recording is stored before its result, while the next job drives, one chunk under way
// at a time. Where none gets through for Stall it is sent again from the worker's own file;
// after ten times the result is stored without it and says why, and the next run of the
// lead takes that result off the server, so that the job is driven anew. A fetch is kept
// when all of it is there and is what was stored.
//
// # A second opinion
//
// Who drove a job that shall be driven twice puts it into the queue again, with its
// name. A worker that gets its own job back leaves it to another one, unless there is
// none.
//
// # Trust
//
// A job is data: a world, a seed, a pilot, settings of the brain. Nothing in it names a
// program or a file of the worker's. Who may write to the server decides what is
// driven and what is believed, so a server that listens to more than this machine
// needs NATS' own credentials and TLS.
//
// # Concurrency
//
// A Lead belongs to one goroutine, a Worker runs its own.
//
// # Errors
//
// A lost connection is none: both sides wait for the server until their context
// ends. Errors are refusals that waiting does not mend.
package queue
