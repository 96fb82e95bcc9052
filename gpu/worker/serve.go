//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/gpu"
)

// Patience is how long a worker looks for the next order before it sleeps. To
// spin, it looks for longer than a period: it never sleeps while it drives.
func Patience(w gpu.Wait) time.Duration {
	switch w {
	case gpu.WaitSpin:
		return 50 * time.Millisecond
	case gpu.WaitYield:
		return 50 * time.Microsecond
	}
	return 0
}

// Raise puts the calling thread, the one that opened the worker, into SCHED_FIFO
// at a priority; threads that it may start fall back to the ordinary class. From
// then on it sleeps a little while it waits, where it yielded before.
func (w *Worker) Raise(priority int) error {
	attr := unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO,
		Flags: unix.SCHED_FLAG_RESET_ON_FORK, Priority: uint32(priority),
	}
	if err := unix.SchedSetAttr(0, &attr, 0); err != nil {
		return fmt.Errorf("worker: raise the thread to priority %d: %w; set LimitRTPRIO=%d or more in the unit", priority, err, priority)
	}
	w.program.raise()
	return nil
}

// Serve says that the worker is ready and carries out the orders that come
// through a hand, until stop is closed. An order that cannot be carried out is
// refused; a fault of the device ends it and is returned.
func (w *Worker) Serve(hand *gpu.Hand, stop <-chan struct{}) error {
	hand.Ready(w.Device.Name, w.window.registered())
	for {
		request, order, ok := hand.Next(stop)
		if !ok {
			return nil
		}
		err := w.obey(hand, request, order)
		hand.Finish(request, err)
		if fault := (*Fault)(nil); err != nil && errors.As(err, &fault) {
			return err
		}
	}
}

// obey carries out one order.
func (w *Worker) obey(hand *gpu.Hand, request uint32, order gpu.Order) error {
	w.window.relay(w.parts)
	switch order {
	case gpu.OrderStep:
		return w.step(hand, request)
	case gpu.OrderRest:
		return w.program.rest()
	case gpu.OrderRead, gpu.OrderWrite:
		return w.move(order)
	case gpu.OrderPlan:
		return w.begin()
	}
	return fmt.Errorf("worker: %v is not known; fieldbrain and fieldbrain-gpu must be of one version", order)
}

// step runs one tick. The kernels say themselves that the answer is there,
// unless something has to be added to it.
func (w *Worker) step(hand *gpu.Hand, request uint32) error {
	if err := check(&w.window.page.In); err != nil {
		return err
	}
	w.window.ask(request)
	if w.profile {
		return w.measured(hand, request)
	}
	if err := w.program.tick(request); err != nil {
		return err
	}
	if !w.window.registered() {
		w.window.answer()
		hand.Answer(request)
	}
	return nil
}

// measured runs one tick and adds its times to the answer.
func (w *Worker) measured(hand *gpu.Hand, request uint32) error {
	nanos, err := w.program.profile()
	if err != nil {
		return err
	}
	w.window.answer()
	w.window.page.Out.Stats.Nanos = nanos
	hand.Answer(request)
	return nil
}

// move carries one channel to or from the device.
func (w *Worker) move(order gpu.Order) error {
	channel := w.window.page.Door.Channel
	if channel >= field.Sheets {
		return fmt.Errorf("worker: %v of channel %d, there are %d and %d other sheets", order, channel, field.Channels, field.Sheets-field.Channels)
	}
	w.window.choose(channel)
	shelf := &w.plan.Constants.Recall.First
	cells := field.SheetCells(int(channel), shelf)
	if channel < field.Channels {
		cells = w.plan.Layout.Slots[channel].Size()
	} else if order == gpu.OrderWrite && !field.SheetSound(int(channel), w.window.page.Cells[:cells], shelf) {
		return nil // as the processor's engine: dropped
	}
	if order == gpu.OrderWrite {
		w.window.send(cells)
		return w.program.write()
	}
	if err := w.program.read(); err != nil {
		return err
	}
	w.window.fetch(cells)
	return nil
}

// check refuses what would make the kernels read or divide where they must not.
func check(in *field.Input) error {
	if n := in.NumTerms; n < 0 || n > field.MaxTerms {
		return fmt.Errorf("worker: an input of %d stimuli, at most %d have room", n, field.MaxTerms)
	}
	if n := in.NumBeams; n < 0 || n > field.MaxBeams {
		return fmt.Errorf("worker: an input of %d beams, at most %d have room", n, field.MaxBeams)
	}
	for i := range in.Terms[:in.NumTerms] {
		if c := in.Terms[i].Channel; c < 0 || c >= field.Channels {
			return fmt.Errorf("worker: stimulus %d is for channel %d, there are %d", i, c, field.Channels)
		}
		if of := in.Terms[i].Of; of < 0 || of > field.NumSenses {
			return fmt.Errorf("worker: stimulus %d shows slot %d, there are %d", i, of-1, field.NumSenses)
		}
	}
	if !in.Quality.Valid() {
		return fmt.Errorf("worker: quality %+v: periods must be 1, 2, 4 or 8", in.Quality)
	}
	return nil
}
