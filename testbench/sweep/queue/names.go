package queue

import (
	"strings"
	"time"
	"unicode"

	"github.com/nats-io/nats.go/jetstream"
)

// states is the bucket with every sweep's state.
const states = "sweeps"

// The states of a sweep.
const (
	Running   = "running"
	Done      = "done"
	Cancelled = "cancelled"
)

// A State is what a server knows of one sweep.
type State struct {
	ID      string    `json:"id"`
	Title   string    `json:"title,omitempty"`
	State   string    `json:"state"`
	Jobs    int       `json:"jobs"`
	Wanted  int       `json:"wanted"` // results, those of second workers included
	Engines []string  `json:"engines"`
	Began   time.Time `json:"began"`
}

func jobStream(id string) string    { return "SWEEP-" + id + "-JOBS" }
func resultStream(id string) string { return "SWEEP-" + id + "-RESULTS" }
func workerBucket(id string) string { return "sweep-" + id + "-workers" }
func objectStore(id string) string  { return "sweep-" + id }

// Subjects. A job's says what engine it needs, so that a worker takes only what its
// machine can step.
func jobSubject(id, engine, job string) string { return "sweep." + id + ".job." + engine + "." + job }

func againSubject(id, engine, job string) string {
	return "sweep." + id + ".again." + engine + "." + job
}

// Results: the one that counts, the second worker's, and one that was refused.
func resultSubject(id, job string) string      { return "sweep." + id + ".result." + job }
func secondSubject(id, job string) string      { return "sweep." + id + ".second." + job }
func oddSubject(id, job, worker string) string { return "sweep." + id + ".odd." + job + "." + worker }

// instead begins the word of an odd result that takes the place of one which the store
// has and cannot read; result or second ends it. No worker is called so.
const instead = "instead-of-"

// insteadSubject is where a result goes whose own subject holds what nobody can read.
func insteadSubject(subject string) string {
	part := strings.Split(subject, ".") // sweep, ID, result or second, job
	return oddSubject(part[1], part[3], instead+part[2])
}

// inputObject and recordingObject name what the object store holds.
func inputObject(name string) string      { return "input-" + name }
func recordingObject(job string) string   { return "recording-" + job + ".mcap" }
func engineConsumer(engine string) string { return "engine-" + engine }
func engineSubjects(id, engine string) []string {
	return []string{jobSubject(id, engine, "*"), againSubject(id, engine, "*")}
}

// ranBy is the header of a job that was driven once, by this worker.
const ranBy = "Fieldbrain-Ran-By"

// jobsConfig is the work queue.
func jobsConfig(id string, replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: jobStream(id), Description: "fieldbrain sweep: drives that nobody has finished",
		Subjects:  []string{jobSubject(id, "*", "*"), againSubject(id, "*", "*")},
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Replicas: replicas,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	}
}

// resultsConfig keeps the first message of each subject and refuses every other.
func resultsConfig(id string, replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: resultStream(id), Description: "fieldbrain sweep: what the drives came to",
		Subjects: []string{resultSubject(id, "*"), secondSubject(id, "*"), oddSubject(id, "*", "*")},
		Storage:  jetstream.FileStorage, Replicas: replicas, AllowDirect: true,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	}
}

// consumerConfig hands out the jobs of one engine. Lease is how long a worker may be
// silent.
func consumerConfig(id, engine string, lease time.Duration) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable: engineConsumer(engine), AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease,
		MaxDeliver: -1, MaxAckPending: 100_000, FilterSubjects: engineSubjects(id, engine),
	}
}

// Token makes a word of a subject or a key of any text.
func Token(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_') {
			return r
		}
		return '-'
	}, text)
}
