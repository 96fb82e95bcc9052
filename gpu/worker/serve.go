//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
	"gorgonia.org/cu"

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
	w.launcher.raise()
	return nil
}

// Serve says that the worker is ready and carries out the orders that come
// through a server, until stop is closed. An order that cannot be carried out is
// refused; a fault of the device ends it and is returned.
func (w *Worker) Serve(server *gpu.Server, stop <-chan struct{}) error {
	if !w.Device.Integrated { // whose memory the gauges tell: CUDA does not count what the kernel would give back
		if free, total, err := cu.MemInfo(); err == nil && free >= 0 && free <= total { // else nobody knows
			server.Memory(uint64(total-free), uint64(total))
		}
	}
	stopGauges := w.readGauges()
	defer stopGauges()
	server.Ready(w.Device.Name, w.window.registered())
	for {
		request, order, ok := server.Next(stop)
		if !ok {
			return nil
		}
		err := w.obey(server, request, order)
		server.Finish(request, err)
		if fault := (*Fault)(nil); err != nil && errors.As(err, &fault) {
			return err
		}
	}
}

// obey carries out one order.
func (w *Worker) obey(server *gpu.Server, request uint32, order gpu.Order) error {
	w.window.relay(w.parts)
	switch order {
	case gpu.OrderStep:
		return w.step(server, request)
	case gpu.OrderRest:
		return w.launcher.rest()
	case gpu.OrderRead, gpu.OrderWrite:
		return w.move(order)
	case gpu.OrderPlan:
		return w.begin()
	}
	return fmt.Errorf("worker: %v is not known; fieldbrain and fieldbrain-gpu must be of one version", order)
}

// step runs one tick. The kernels say themselves that the answer is there,
// unless something has to be added to it.
func (w *Worker) step(server *gpu.Server, request uint32) error {
	if err := check(&w.window.page.In); err != nil {
		return err
	}
	w.window.ask(request)
	if w.profile {
		return w.measured(server, request)
	}
	if err := w.launcher.tick(request); err != nil {
		return err
	}
	if !w.window.registered() {
		w.window.answer()
		server.Answer(request)
	}
	return nil
}

// measured runs one tick and adds its times to the answer.
func (w *Worker) measured(server *gpu.Server, request uint32) error {
	nanos, err := w.launcher.profile()
	if err != nil {
		return err
	}
	w.window.answer()
	w.window.page.Out.Stats.Nanos = nanos
	server.Answer(request)
	return nil
}

// move carries one channel to or from the device.
func (w *Worker) move(order gpu.Order) error {
	channel := w.window.page.Call.Channel
	if field.Section(channel) >= field.Sections {
		return fmt.Errorf("worker: %v of channel %d, there are %d and %d other sections", order, channel, field.Channels, field.Sections-field.Channels)
	}
	w.window.choose(channel)
	shelf := &w.program.Constants.Recall.First
	cells := field.Section(channel).Cells(shelf)
	if channel < field.Channels {
		cells = w.program.Layout.Storage[channel].Size()
	} else if order == gpu.OrderWrite && !field.Section(channel).Sound(w.window.page.Cells[:cells], shelf) {
		return nil // as the processor's engine: dropped
	}
	if order == gpu.OrderWrite {
		w.window.send(cells)
		return w.launcher.write()
	}
	if err := w.launcher.read(); err != nil {
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
