package forensics_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/brain"
	"fieldbrain/daemon/forensics"
	"fieldbrain/daemon/loop"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot"
)

// Roles of this program beside that of a test.
const (
	roleKey    = "FORENSICS_ROLE"
	victimRole = "victim" // a loop that is held up
	helperRole = "helper" // holds it up from outside
	victimCPU  = 0
	loopClass  = 50
	holdUp     = 40 * time.Millisecond // eight periods
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleKey) {
	case victimRole:
		if err := beVictim(os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	case helperRole:
		beHelper()
		return
	}
	os.Exit(m.Run())
}

// A victim is a brain on a real loop, with parts that can be made slow.
type victim struct {
	body   *slowBody
	engine *slowEngine
	burden atomic.Pointer[func()] // runs once, in a tick and outside its stages
	stat   string                 // stands in for /proc/stat
	stolen atomic.Int64           // hundredths of a second
	helper *bufio.Writer
	even   bool          // every second time
	now    atomic.Uint64 // number of the tick under way
	held   atomic.Uint64 // of the tick that was held up, 0 where nobody knows
	keep   []byte
}

type slowEngine struct {
	field.Engine
	hold atomic.Pointer[func()]
}

// Step implements field.Engine.
func (e *slowEngine) Step(in *field.Input) (*field.Output, error) {
	if f := e.hold.Swap(nil); f != nil {
		(*f)()
	}
	return e.Engine.Step(in)
}

// A slowBody talks to its bus within the tick.
type slowBody struct {
	clock      robot.Clock
	sense, act atomic.Pointer[func()]
}

// Sense implements robot.Body.
func (b *slowBody) Sense(s *robot.State) {
	if f := b.sense.Swap(nil); f != nil {
		(*f)()
	}
	now := b.clock.Now()
	*s = robot.State{Now: now}
	s.Battery = robot.Reading{Value: 7.6, At: now, OK: true}
	s.Range[0] = robot.Reading{Value: 2, At: now, OK: true}
}

// Act implements robot.Body.
func (b *slowBody) Act(robot.Command) error {
	if f := b.act.Swap(nil); f != nil {
		(*f)()
	}
	return nil
}

// Halt implements robot.Body.
func (b *slowBody) Halt() error { return nil }

// beVictim runs the loop, holds it up whenever a line comes, and prints what the
// inspector made of it.
func beVictim(cause, folder string) error {
	loop.MakeRoom()
	debug.SetGCPercent(-1) // as while the car is armed
	v, err := newVictim(folder)
	if err != nil {
		return err
	}
	clock := v.body.clock
	witness := loop.WitnessOf(v.stat)
	archive := forensics.NewArchive(filepath.Join(folder, "misses"), 1<<20)
	p := loop.Default()
	p.CPU, p.Priority = victimCPU, loopClass
	i := forensics.NewInspector(forensics.Options{
		Period: p.Period, Witness: witness, Archive: archive, Program: "test",
		Surroundings: func(e *forensics.Evidence) { e.Engine = v.engine.Name() },
	})
	params := brain.Default()
	b, err := brain.New(v.body, v.engine, clock, params)
	if err != nil {
		return err
	}
	var trace *brain.Trace
	var refused atomic.Bool
	l, err := loop.New(clock, p, loop.Hooks{
		Tick: func(now time.Duration) {
			if trace == nil {
				witness.Here()
			}
			v.now.Add(1)
			if f := v.burden.Swap(nil); f != nil {
				(*f)()
			}
			trace = b.Tick(now)
		},
		After:   func(s loop.Sample) { i.Put(trace, s, forensics.Parts{}) },
		Refused: func(loop.Condition) { refused.Store(true) },
	})
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	go func() { _ = i.Run(ctx) }()
	go func() { _ = l.Run(ctx) }()
	go func() {
		for ctx.Err() == nil {
			time.Sleep(forensics.LookEvery)
			_ = v.writeStat() // a failure shows as another cause
			witness.Look()
			i.Look(clock.Now(), 0)
		}
	}()
	time.Sleep(200 * time.Millisecond)
	_ = loop.RaiseRest(1)
	time.Sleep(2 * time.Second)
	if refused.Load() {
		fmt.Println("refused")
		return nil
	}
	return v.obey(cause, i)
}

// newVictim builds the parts.
func newVictim(folder string) (*victim, error) {
	engine, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		return nil, err
	}
	v := &victim{
		body: &slowBody{clock: robot.NewMonotonic()}, engine: &slowEngine{Engine: engine},
		stat: filepath.Join(folder, "stat"),
	}
	if err := v.writeStat(); err != nil {
		return nil, err
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleKey+"="+helperRole, "GODEBUG=asyncpreemptoff=1") // see hog
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	v.helper = bufio.NewWriter(in)
	return v, cmd.Start()
}

// writeStat writes the host's thefts; the rest of the time the machine was idle.
func (v *victim) writeStat() error {
	stolen := v.stolen.Load()
	idle := int64(v.body.clock.Now()/(10*time.Millisecond)) - stolen
	text := fmt.Sprintf("cpu  0 0 0 %d 0 0 0 %d 0 0\ncpu0 0 0 0 %d 0 0 0 %d 0 0\n", idle, stolen, idle, stolen)
	f, err := os.OpenFile(v.stat, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

// tries is how often a hold is repeated that something else outdid: other programs of
// the machine, which hold the loop up as well.
const tries = 10

// obey holds the loop up once for every line.
func (v *victim) obey(cause string, i *forensics.Inspector) error {
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		v.even = !v.even
		answer := "none\tno finding"
		for range tries {
			begun := v.body.clock.Now()
			v.hold(cause)
			if n := v.found(i, begun, v.body.clock.Now()+10*holdUp); n != nil {
				answer = fmt.Sprintf("%s\t%s", n.Cause, n.Sentence)
				break
			}
		}
		fmt.Println(answer)
	}
	return nil
}

// found waits for the finding about a tick that was held up between two instants; nil
// when another one was worse.
func (v *victim) found(i *forensics.Inspector, from, to time.Duration) *forensics.Noted {
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		n := i.Newest()
		if n == nil || n.Worst.End < from {
			continue
		}
		if number := v.held.Swap(0); number != 0 && n.Worst.Number != number || n.Worst.Release > to || n.Cost < holdUp/2 {
			return nil
		}
		return n
	}
	return nil
}

// hold makes one miss of a cause.
func (v *victim) hold(cause string) {
	switch forensics.Cause(cause) {
	case forensics.Collection:
		v.storm()
	case forensics.HigherPriority:
		v.help("hog")
	case forensics.Suspended:
		v.help("stop")
	case forensics.SlowEngine:
		v.engine.hold.Store(v.marked(v.either(spin, nap)))
	case forensics.SlowBus:
		if v.even {
			v.body.sense.Store(v.marked(nap))
		} else {
			v.body.act.Store(v.marked(nap))
		}
	case forensics.PageFaults:
		v.burden.Store(v.marked(touch))
	case forensics.MachineStood:
		theft := func() {
			spin()
			v.stolen.Add(int64(holdUp / (10 * time.Millisecond)))
		}
		v.engine.hold.Store(v.marked(theft))
	}
}

// either returns one of two in turns.
func (v *victim) either(a, b func()) func() {
	if v.even {
		return a
	}
	return b
}

// marked notes which tick a function held up. Ticks count from 0, and each adds one
// when it begins.
func (v *victim) marked(f func()) *func() {
	g := func() {
		v.held.Store(v.now.Load() - 1)
		f()
	}
	return &g
}

// help tells the helper.
func (v *victim) help(what string) {
	fmt.Fprintln(v.helper, what)
	_ = v.helper.Flush()
}

func spin() {
	for end := time.Now().Add(holdUp); time.Now().Before(end); {
	}
}

func nap() {
	t := unix.NsecToTimespec(int64(holdUp))
	_ = unix.Nanosleep(&t, nil)
}

// touch brings fresh pages into memory, as many as take a while.
func touch() {
	for end := time.Now().Add(holdUp); time.Now().Before(end); {
		const size = 16 << 20
		room, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return
		}
		_ = unix.Madvise(room, unix.MADV_NOHUGEPAGE)
		for i := 0; i < size; i += 4096 {
			room[i] = 1
		}
		_ = unix.Munmap(room)
	}
}

// storm lets the collector run again and again while goroutines do what cannot be
// interrupted: they copy much memory at once.
func (v *victim) storm() {
	if v.keep == nil {
		v.keep = make([]byte, 256<<20)
	}
	from, to := v.keep[:128<<20], v.keep[128<<20:]
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				copy(to, from)
			}
		}
	}()
	for range 5 {
		runtime.GC()
	}
	close(stop)
}

// hog computes without a call that Go's scheduler could take the thread away in. It
// does so after 10 ms; the thread that gives it back has no real-time class, and is
// late on a busy machine.
func hog() {
	var now unix.Timespec
	for end := time.Duration(0); ; {
		_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, uintptr(unsafe.Pointer(&now)), 0)
		if at := time.Duration(now.Sec*int64(time.Second) + now.Nsec); end == 0 {
			end = at + holdUp
		} else if at >= end {
			return
		}
	}
}

// beHelper holds up its parent from outside.
func beHelper() {
	runtime.LockOSThread()
	parent := os.Getppid()
	var set unix.CPUSet
	set.Set(victimCPU)
	_ = unix.SchedSetaffinity(0, &set)
	_ = loop.Raise(loopClass + 20)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch strings.TrimSpace(lines.Text()) {
		case "hog":
			hog()
		case "stop":
			_ = unix.Kill(parent, unix.SIGSTOP)
			nap()
			nap()
			_ = unix.Kill(parent, unix.SIGCONT)
		}
	}
}
