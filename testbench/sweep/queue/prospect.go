package queue

import (
	"context"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// plenty is how many jobs must wait for a worker to take one while it still drives
// another: what it holds waits for that drive's end, as a sweep's last jobs shall not.
const plenty = 16

// An offer is a job of a sweep that was handed out; without a message there was none.
type offer struct {
	id string
	m  jetstream.Msg
}

// A prospect is the job that a lane drives next, taken while it drives another, or none.
type prospect struct {
	taken chan offer
	stop  context.CancelFunc // ends what tells the server that the job is held
}

// look takes the next job in the background, where plenty wait behind the one that is in
// hand. The server takes a millisecond or two to hand one out.
func (w *Worker) look(ctx context.Context, p *prospect, in offer) {
	meta, err := in.m.Metadata()
	if err != nil || meta.NumPending < plenty || p.taken != nil {
		return
	}
	held, stop := context.WithCancel(ctx)
	taken := make(chan offer, 1)
	p.taken, p.stop = taken, stop
	go func() {
		o, err := w.take(ctx)
		if err != nil {
			o = offer{} // the lane asks anew, and hears what is wrong
		}
		taken <- o
		if o.m != nil {
			w.prolong(held, o.m)
		}
	}()
}

// have returns the job that was taken, if there is one and its sweep still runs.
func (w *Worker) have(p *prospect) offer {
	o := p.end()
	running := slices.ContainsFunc(w.sweeps(), func(s State) bool { return s.ID == o.id })
	if o.m != nil && !running {
		w.told(passOver(o.m.Nak()))
		return offer{}
	}
	return o
}

// drop gives a job back that was taken and is not going to be driven.
func (w *Worker) drop(p *prospect) {
	if o := p.end(); o.m != nil {
		w.told(passOver(o.m.Nak()))
	}
}

// end waits for the job and leaves it to the caller.
func (p *prospect) end() offer {
	if p.taken == nil {
		return offer{}
	}
	o := <-p.taken
	p.stop()
	p.taken = nil
	return o
}
