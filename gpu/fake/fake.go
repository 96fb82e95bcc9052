package fake

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/gpu"
)

// Env is the variable that turns a test binary into a child, see Main.
const Env = "FIELDBRAIN_FAKE_CHILD"

// Gate is the variable that names a named pipe: the faults "hold", "holdread", "holdwrite"
// and "holdplan" wait until they can read a byte from it, so that a test says for how
// many ticks an answer is late, whatever the machine's load.
const Gate = "FIELDBRAIN_FAKE_GATE"

// Device is the name of the card that this child claims to have.
const Device = "Fake 1"

// The bytes of its memory that this child claims are in use, and that there are.
const (
	Memory = 3 << 28
	Room   = 1 << 33
)

// Main runs the child and returns its exit code, if Env is set; else it reports
// false. TestMain calls it first.
func Main() (code int, is bool) {
	orders, is := os.LookupEnv(Env)
	if !is {
		return 0, false
	}
	if slices.Contains(os.Args[1:], "--probe") {
		fmt.Println("device: ", Device)
		return 0, true
	}
	if err := run(orders); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}

// lateness is how long the fault "late" takes.
const lateness = 3 * time.Second

// lingers is how long the fault "linger" takes, in 10 ms.
const lingers = 20

// errCrash is a process that ends in the middle of its work.
var errCrash = errors.New("fake: crashed on command")

// A child is the running one.
type child struct {
	page   *gpu.Page
	server *gpu.Server
	setup  *gpu.Setup
	faults []fault
	engine *cpu.Engine
	layout field.Layout // in which channels cross the page: a card's
	steps  int          // since the start, or since the first rest
	served bool
	cells  []float32

	belief  *belief.Belief // of the plans, nil before the first
	answers int            // step with which a late plan's answer comes, 0 for none
}

func run(orders string) error {
	faults, err := parse(orders)
	if err != nil {
		return err
	}
	c := &child{faults: faults, cells: make([]float32, field.Cells)}
	if c.has("magic") {
		spoil()
	}
	m, err := gpu.OpenPage(3)
	if err != nil {
		return err
	}
	c.page, c.server = m.Page, gpu.NewServer(m.Page, 0)
	pipe := os.NewFile(4, "setup")
	if c.setup, err = gpu.DecodeSetup(pipe); err == nil {
		err = errors.Join(m.Check(c.setup), pipe.Close())
	}
	if err != nil {
		c.server.Fail(err)
		return err
	}
	if c.has("deaf") { // never ready
		hang()
	}
	if c.has("refuse") {
		c.server.Fail(errors.New("fake: no card answers"))
		return nil
	}
	if err := c.rest(); err != nil {
		return err
	}
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends with the client
		close(stop)
	}()
	c.server.Memory(Memory, Room)
	go c.tell(stop)
	c.server.Ready(Device, !c.has("copies"))
	return c.serve(stop)
}

// Gauges are what this child claims of its card, with the bytes of above.
func Gauges() gpu.Gauges {
	return gpu.Gauges{
		Used: gpu.Tell(Memory), Room: gpu.Tell(Room), Clock: gpu.Tell(1410e6), Most: gpu.Tell(1980e6),
		Load: gpu.Tell(37), Heat: gpu.Tell(48), Held: gpu.Tell(0),
	}
}

// tell says again and again what the card's driver would; a blind child says it once.
func (c *child) tell(stop <-chan struct{}) {
	g := Gauges()
	for g.Looks = 1; ; g.Looks++ {
		c.server.Tell(g)
		select {
		case <-stop:
			return
		case <-time.After(100 * time.Millisecond):
		}
		if c.has("blind") {
			return
		}
	}
}

// spoil makes the page one of another program.
func spoil() {
	if m, err := gpu.OpenPage(dup(3)); err == nil {
		m.Page.Head.Magic++
	}
}

// serve carries out orders until stop is closed.
func (c *child) serve(stop <-chan struct{}) error {
	for {
		request, order, ok := c.server.Next(stop)
		if !ok {
			return nil
		}
		err := c.obey(request, order)
		if errors.Is(err, errCrash) {
			return err
		}
		if c.due("linger") && !c.linger(request) {
			return fmt.Errorf("fake: another order came before order %d was done", request)
		}
		c.server.Finish(request, err)
	}
}

// linger waits between a step's answer and its end, as a slow child would, and
// reports whether the client waited as well.
func (c *child) linger(request uint32) bool {
	for range lingers { // who sleeps until the end would see the answer only then
		wake(&c.page.Call.Done)
		time.Sleep(10 * time.Millisecond)
	}
	return atomic.LoadUint32(&c.page.Call.Request) == request
}

func (c *child) obey(request uint32, order gpu.Order) error {
	channel := int(c.page.Call.Channel)
	switch order {
	case gpu.OrderStep:
		c.steps++
		return c.step(request)
	case gpu.OrderRead:
		return c.read(channel)
	case gpu.OrderWrite:
		if c.due("hangwrite") {
			hang()
		}
		c.hold("holdwrite")
		if channel >= field.Channels {
			c.engine.Write(field.Section(channel), c.page.Cells[:])
			return nil
		}
		s := &c.layout.Storage[channel]
		s.Expand(c.cells, c.page.Cells[:s.Size()])
		c.engine.Write(field.Section(channel), c.cells)
		return nil
	case gpu.OrderRest:
		c.steps, c.served = 0, true
		return c.rest()
	case gpu.OrderPlan:
		c.hold("holdplan")
		return c.plan()
	}
	return fmt.Errorf("fake: order %d is not known", order)
}

// read copies a channel into the page.
func (c *child) read(channel int) error {
	if c.due("hangread") {
		hang()
	}
	c.hold("holdread")
	if channel >= field.Channels {
		c.engine.Read(field.Section(channel), c.page.Cells[:])
		return nil
	}
	s := &c.layout.Storage[channel]
	c.engine.Read(field.Section(channel), c.cells)
	s.Collapse(c.page.Cells[:s.Size()], c.cells)
	if c.due("badread") {
		c.page.Cells[s.Size()-1] = 1e6
	}
	return nil
}

// rest builds a new engine: the processor's has no order for it.
func (c *child) rest() error {
	if c.engine != nil {
		_ = c.engine.Close() // always nil
	}
	c.layout = field.NewLayout(&c.setup.Params.Table, c.setup.Step)
	var err error
	c.engine, err = cpu.New(c.setup.Params, cpu.Options{ISA: "auto", Threads: 1, Step: c.setup.Step})
	return err
}

// step runs one tick, or the fault that is due.
func (c *child) step(request uint32) error {
	switch {
	case c.due("crash"):
		return errCrash
	case c.due("hang"):
		hang()
	case c.due("late"):
		time.Sleep(lateness)
	case c.due("fail"):
		return errors.New("fake: illegal address on command")
	case c.due("silent"):
		return nil
	}
	c.hold("hold")
	if c.due("missed") {
		c.outlast()
	}
	a := &c.page.Out
	if c.after("instant") { // the answer before, for the tick that was asked for
		a.Tick = c.page.In.Tick
		c.server.Answer(request)
		return nil
	}
	out, err := c.engine.Step(&c.page.In)
	if err != nil {
		return err
	}
	a.Tick, a.Marginals, a.Obstacle = c.page.In.Tick, out.Marginals, *out.Obstacle
	a.Blocked, a.Heading, a.Prediction, a.Recall = out.Blocked, out.Heading, out.Prediction, out.Recall
	a.Stats = gpu.Stats{Updated: field.Channels}
	if c.setup.Profile {
		n := uint32(c.steps)
		a.Stats.Nanos = gpu.Nanos{Prep: n, Evolve: 2 * n, Motor: 3 * n, Total: 6 * n}
	}
	if c.due("slowplan") || c.answers == c.steps {
		c.answers = 0
		c.planned()
	}
	c.lie(a)
	switch {
	case c.due("stale"): // the number of the order before
		request--
	case c.due("ahead"): // that of the next
		request++
	}
	c.server.Answer(request)
	return nil
}

// hold waits at the gate if a fault is due.
func (c *child) hold(name string) {
	if !c.due(name) {
		return
	}
	gate, err := os.Open(os.Getenv(Gate))
	if err != nil {
		panic(fmt.Sprintf("fake: no gate to wait at: %v", err))
	}
	defer gate.Close()
	_, _ = io.ReadFull(gate, make([]byte, 1)) // the end of the pipe opens it as well
}

// outlast waits until the client has given up waiting for this order, however long its
// deadline is: until it has slept and then has not for a while.
func (c *child) outlast() {
	const look, enough = time.Millisecond, 3
	for slept, awake := false, 0; awake < enough; time.Sleep(look) {
		if atomic.LoadUint32(&c.page.Call.Asleep) != 0 {
			slept, awake = true, 0
		} else if slept {
			awake++
		}
	}
}

// has reports whether a fault is among the orders, whatever its count.
func (c *child) has(name string) bool {
	for _, f := range c.faults {
		if f.name == name {
			return true
		}
	}
	return false
}

// due reports whether a fault happens at this step.
func (c *child) due(name string) bool {
	for _, f := range c.faults {
		if f.name == name && f.served == c.served && f.step == c.steps {
			return true
		}
	}
	return false
}

// after reports whether a fault that lasts has begun: its step is over.
func (c *child) after(name string) bool {
	for _, f := range c.faults {
		if f.name == name && f.served == c.served && f.step < c.steps {
			return true
		}
	}
	return false
}

// A fault is one order to fail.
type fault struct {
	name   string
	served bool // counts from the end of the proof
	step   int
}

// parse reads the orders of Env.
func parse(orders string) (list []fault, err error) {
	for _, one := range strings.Split(orders, ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		var f fault
		var where string
		if n, _ := fmt.Sscan(one, &f.name, &where, &f.step); n == 2 || n == 3 && where != "proof" && where != "served" {
			return nil, fmt.Errorf("fake: order %q: write FAULT, or FAULT proof|served STEP", one)
		}
		f.served = where == "served"
		list = append(list, f)
	}
	return list, nil
}

// hang never returns. A bare select would be seen as a deadlock.
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}
