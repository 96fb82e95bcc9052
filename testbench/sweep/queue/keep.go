package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/files"
	"fieldbrain/testbench/sweep"
)

// keep stores a result. The store takes the first of a job and refuses every other;
// one that is refused and differs is kept beside it.
func (w *Worker) keep(ctx context.Context, id string, r *sweep.Result, first bool) error {
	subject := resultSubject(id, r.ID)
	if !first {
		subject = secondSubject(id, r.ID)
	}
	text, err := json.Marshal(r)
	if err != nil { // a figure that JSON does not have
		r.Drive, r.Error = nil, err.Error()
		if text, err = json.Marshal(r); err != nil {
			return err
		}
	}
	stored, err := w.store(ctx, subject, text)
	if err != nil {
		return err
	}
	by := w.Worker
	if !stored {
		if by, err = w.refused(ctx, id, subject, r, text); err != nil {
			return err
		}
	}
	if first && r.Twice {
		return w.ask(ctx, id, r.Job, by)
	}
	return nil
}

// store publishes until the server has stored or refused.
func (w *Worker) store(ctx context.Context, subject string, text []byte) (stored bool, err error) {
	failed := 0 // in a row, of a server that answers
	err = patiently(ctx, func(ctx context.Context) error {
		_, err := w.js.Publish(ctx, subject, text)
		if full(err) {
			return nil
		}
		stored = err == nil
		if failed++; err == nil || !w.js.Conn().IsConnected() {
			failed = 0
		}
		if failed == stuckTries {
			err := fmt.Errorf("%s is not stored: %w", subject, err)
			w.stuck.Store(&err)
			w.tell(err)
		}
		return err
	})
	w.stuck.Store(nil)
	return stored, err
}

// refused keeps a result that the store did not take, and returns whose counts. A server
// whose disk has changed a byte refuses because of a message that it cannot read, and that
// no deletion and no purge removes: the result goes beside it, to be read in its place. What
// cannot be read there either the lead finds missing.
func (w *Worker) refused(ctx context.Context, id, subject string, r *sweep.Result, text []byte) (by string, err error) {
	by, err = w.hold(ctx, id, subject, r, text)
	if !errors.Is(err, jetstream.ErrMsgNotFound) {
		return by, err
	}
	subject = insteadSubject(subject)
	stored, err := w.store(ctx, subject, text)
	if err != nil || stored {
		return w.Worker, err
	}
	by, err = w.hold(ctx, id, subject, r, text)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		w.tell(fmt.Errorf("%s seed %d, %s: its result: %w", r.World, r.Seed, r.Pilot, ErrLost))
		return w.Worker, nil
	}
	return by, err
}

// hold compares a refused result with the one that counts, and returns whose that is.
func (w *Worker) hold(ctx context.Context, id, subject string, r *sweep.Result, text []byte) (by string, err error) {
	var counts sweep.Result
	err = patiently(ctx, func(ctx context.Context) error {
		stream, err := w.js.Stream(ctx, resultStream(id))
		if err != nil {
			return err
		}
		m, err := stream.GetLastMsgForSubject(ctx, subject)
		if err != nil {
			return err
		}
		return json.Unmarshal(m.Data, &counts)
	})
	if err != nil || counts.Digest() == r.Digest() {
		return counts.Worker, err
	}
	_, err = w.store(ctx, oddSubject(id, r.ID, w.Worker), text)
	return counts.Worker, err
}

// ask puts a job into the queue for another worker than the one that drove it.
func (w *Worker) ask(ctx context.Context, id string, job sweep.Job, first string) error {
	m, err := again(id, job, first)
	if err != nil {
		return err
	}
	return patiently(ctx, func(ctx context.Context) error {
		if _, err := w.js.PublishMsg(ctx, m); !full(err) {
			return err
		}
		return nil
	})
}

// sendTries is how often a recording is sent.
const sendTries = 10

// record stores a recording under the job's name, one of a worker's at a time: together
// they would only be slower. It waits for a server that is away. What does not get through
// although the server answers is sent again; in the end the result says that it is missing,
// because the drive is good.
func (w *Worker) record(ctx context.Context, id string, r *sweep.Result, path string) error {
	w.sending.Lock()
	defer w.sending.Unlock()
	s, name := Recordings{JS: w.js, Sweep: id, Stall: w.Stall}, recordingObject(r.ID)
	var left []string // objects of which chunks may be on the server, or still on their way
	for try := 1; ; try++ {
		object := strings.TrimPrefix(nats.NewInbox(), nats.InboxPrefix)
		err := send(ctx, s, name, object, path)
		if err == nil {
			r.Recording = name
			w.told(s.clear(ctx, left))
			return nil
		}
		left = append(left, object)
		err = fmt.Errorf("%s seed %d, %s: %w", r.World, r.Seed, r.Pilot, err)
		switch {
		case ctx.Err() != nil:
		case try == sendTries:
			w.tell(fmt.Errorf("%w; its result is stored without the recording", err))
		default:
			w.tell(fmt.Errorf("%w; the recording is kept here and sent again, try %d of %d", err, try+1, sendTries))
		}
		w.told(s.clear(ctx, left))
		if try == sendTries && ctx.Err() == nil {
			r.Unrecorded = err.Error()
			return nil
		}
		if err := sleep(ctx, s.stall()/chunkTries); err != nil {
			return err
		}
	}
}

// send sends a file.
func send(ctx context.Context, s Recordings, name, object, path string) error {
	f, err := files.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return s.put(ctx, name, object, f)
}

// clear removes what recordings that did not get through have left on the server. It waits
// for the server unless the worker ends; then it tries for the time of one request.
func (s Recordings) clear(ctx context.Context, left []string) (err error) {
	purge := func(ctx context.Context) error {
		for _, object := range left {
			if err := s.purge(ctx, object); err != nil {
				return err
			}
		}
		return nil
	}
	if len(left) == 0 {
		return nil
	}
	if err = patiently(ctx, purge); ctx.Err() != nil {
		err = once(context.WithoutCancel(ctx), purge)
	}
	if err != nil {
		return fmt.Errorf("half a recording stays on the server: %w", err)
	}
	return nil
}

// errInput says that a text could not be had now; another worker may.
var errInput = errors.New("no input")

// input returns a text that a job refers to, and makes sure that it is the one.
func (w *Worker) input(ctx context.Context, id, name string) ([]byte, error) {
	w.mu.Lock()
	text, known := w.inputs[name]
	w.mu.Unlock()
	if known {
		return text, nil
	}
	err := patiently(ctx, func(ctx context.Context) error {
		store, err := w.js.ObjectStore(ctx, objectStore(id))
		if err == nil {
			text, err = store.GetBytes(ctx, inputObject(name))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", errInput, name, err)
	}
	if sweep.Name(text) != name {
		return nil, fmt.Errorf("the text %s on the server is not the one that the job names", name)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inputs[name] = text
	return text, nil
}
