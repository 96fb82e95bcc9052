package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench/sweep"
)

// MaxTries is how many workers may be lost over one job before it counts as one that
// cannot be driven.
const MaxTries = 20

// handle drives one job that was handed out, and returns what stores its result and
// acknowledges it. What it cannot drive it gives back, and returns what does nothing.
func (w *Worker) handle(ctx context.Context, id string, m jetstream.Msg) (store func() error, err error) {
	nothing := func() error { return nil }
	var job sweep.Job
	if err := json.Unmarshal(m.Data(), &job); err != nil || job.ID == "" {
		return nothing, m.TermWithReason("no job") // nobody can drive it
	}
	first := m.Headers().Get(ranBy)
	if first == w.Worker {
		if other, err := w.another(ctx, id, job.Engine); err != nil || other || tries(m) < lonely {
			return nothing, errors.Join(passOver(err), passOver(m.NakWithDelay(beat/4)))
		}
	}
	w.busy.Add(1)
	defer w.busy.Add(-1)
	d, err := w.drive(ctx, id, job, m)
	if err != nil || ctx.Err() != nil {
		d.end()
	}
	if errors.Is(err, errInput) && ctx.Err() == nil {
		w.tell(err)
		return nothing, passOver(m.NakWithDelay(beat)) // after MaxTries it counts as one that cannot be driven
	}
	if err != nil || ctx.Err() != nil {
		return nothing, errors.Join(passOver(err), passOver(m.Nak())) // somebody else drives it at once
	}
	return func() error {
		defer d.end()
		return w.finish(ctx, id, d, m)
	}, nil
}

// finish stores a result, its recording first, and acknowledges its job. A second opinion
// needs no recording of its own.
func (w *Worker) finish(ctx context.Context, id string, d driven, m jetstream.Msg) error {
	first := m.Headers().Get(ranBy) == ""
	if d.unrecorded != nil && first {
		w.tell(fmt.Errorf("%w; its result is stored without the recording", d.unrecorded))
		d.result.Unrecorded = d.unrecorded.Error()
	}
	if d.recording != "" && first {
		if err := w.record(ctx, id, d.result, d.recording); err != nil {
			return errors.Join(passOver(err), passOver(m.Nak()))
		}
	}
	if err := w.keep(ctx, id, d.result, first); err != nil {
		return passOver(err)
	}
	err := m.Ack() // one that is lost costs one drive more
	done := w.done.Add(1)
	if w.Finished != nil {
		w.Finished(int(done))
	}
	return passOver(err)
}

// lonely is how often a worker gives its own job back before it believes that there
// is no other: one that has just come shows itself within two beats.
const lonely = 10

// tries is how often a job has been handed out.
func tries(m jetstream.Msg) uint64 {
	meta, err := m.Metadata()
	if err != nil {
		return 0
	}
	return meta.NumDelivered
}

// passOver takes errors away that time mends: the job is handed out again.
func passOver(err error) error {
	if err == nil || passing(err) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// another reports whether another worker lives that could drive a job.
func (w *Worker) another(ctx context.Context, id, engine string) (bool, error) {
	var list []Heart
	err := once(ctx, func(ctx context.Context) (err error) {
		list, err = Hearts(ctx, w.js, id)
		return err
	})
	return slices.ContainsFunc(list, func(h Heart) bool {
		return h.Worker != w.Worker && slices.Contains(h.Engines, engine)
	}), err
}

// driven is a job that was driven, and what is to be stored of it.
type driven struct {
	result     *sweep.Result
	recording  string // a file; empty: none
	unrecorded error  // why there is none, although the job wants one
	end        func() // removes the file and no longer tells the server that the job is held
}

// drive drives a job while the server is told that it is held, until end; that is there in
// any case. A drive that fails, or that has cost too many workers, is a result too.
func (w *Worker) drive(ctx context.Context, id string, job sweep.Job, m jetstream.Msg) (d driven, err error) {
	d.end = func() {}
	meta, err := m.Metadata()
	if err != nil {
		return d, err
	}
	r := &sweep.Result{
		Job: job, Machine: w.Machine, Platform: w.Platform, Worker: w.Worker, Version: w.Version,
		Deliveries: meta.NumDelivered,
	}
	d.result = r
	began := time.Now()
	if meta.NumDelivered > MaxTries && m.Headers().Get(ranBy) == "" {
		r.Error = fmt.Sprintf("%d workers were lost while they drove it", MaxTries)
		r.Ended = time.Now().UTC()
		return d, nil
	}
	lease, end := context.WithCancel(ctx)
	d.end = end
	go w.prolong(lease, m)
	out, err := w.safely(&job, func(name string) ([]byte, error) { return w.input(ctx, id, name) })
	if errors.Is(err, errInput) {
		return d, err
	}
	r.Took, r.Ended = time.Since(began).Seconds(), time.Now().UTC()
	r.Drive, r.Drawn = out.Drive, out.Drawn
	if err != nil {
		r.Drive, r.Error = nil, err.Error()
	} else if out.Unrecorded != nil {
		d.unrecorded = fmt.Errorf("%s seed %d, %s: its recording: %w", r.World, r.Seed, r.Pilot, out.Unrecorded)
	}
	if d.recording = out.Recording; d.recording != "" {
		d.end = func() {
			end()
			_ = os.Remove(out.Recording) // in a folder for such files
		}
	}
	return d, nil
}

// safely drives, and makes an error of a panic.
func (w *Worker) safely(job *sweep.Job, input func(name string) ([]byte, error)) (out Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the drive panicked: %v", p)
		}
	}()
	return w.Drive(job, input)
}

// prolong tells the server that a job is being driven.
func (w *Worker) prolong(ctx context.Context, m jetstream.Msg) {
	for sleep(ctx, w.every()) == nil {
		if err := m.InProgress(); err != nil {
			w.tell(fmt.Errorf("tell the server that a job is held: %w", err))
		}
	}
}

// tell says what goes wrong and is tried again.
func (w *Worker) tell(err error) {
	if w.Failing != nil {
		w.Failing(err)
	}
}

// every is from one word about a drive to the next: a third of the shortest lease
// that a lead can ask for.
func (w *Worker) every() time.Duration { return LeastLease / 3 }

// LeastLease is the shortest lease: a worker speaks three times as often.
const LeastLease = 2 * time.Second
