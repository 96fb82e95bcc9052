package replay

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/daemon/recording"
	"fieldbrain/field"
)

// RunParts replays files as Run does what Open and Seek give, in parts at once, so many at a
// time: each from one frozen brain to the next, where it must end as that one is, to the
// last byte. So every tick follows from the first one. From the first part on of which that
// does not hold, the rest is replayed in one piece, and that is what is reported.
func RunParts(paths []string, from time.Duration, o Options, jobs int) (*Report, error) {
	began, busy := time.Now(), processorTime()
	p := &parts{paths: paths, from: from, options: o}
	if err := p.divide(); err != nil {
		return nil, err
	}
	p.run(jobs)
	report, err := p.report()
	if report != nil {
		report.Took, report.Busy = time.Since(began), processorTime()-busy
	}
	return report, err
}

// parts are those of one recording.
type parts struct {
	paths   []string
	from    time.Duration
	options Options
	begun   time.Duration // instant of the first tick that is replayed
	all     []part

	mu   sync.Mutex
	done time.Duration // of the recording, by all parts
}

// A part goes from where another ends to the next frozen brain.
type part struct {
	begin  time.Duration // of the recording, for Seek
	before uint64        // tick with which the next part begins, 0: none does
	report *Report
	err    error
}

// divide looks for the frozen brains between which the recording is replayed.
func (p *parts) divide() error {
	c, start, err := p.open(p.from)
	if err != nil {
		return err
	}
	defer c.Close()
	p.all = []part{{begin: p.from}}
	first := uint64(0)
	if start != nil {
		first = start.Tick
	}
	var t recording.Tick
	for met := false; !met || t.Input.Tick < first; met = true {
		if c.Next(&t) != nil { // whoever replays it says why
			return nil
		}
	}
	p.begun = t.At()
	if p.options.Until > 0 {
		p.options.end, p.options.Until = p.begun+p.options.Until, 0
	}
	list, err := c.joints()
	if err != nil {
		return err
	}
	for _, j := range list {
		last := &p.all[len(p.all)-1]
		if j.tick <= first || p.options.end > 0 && c.begun+j.at >= p.options.end {
			continue
		}
		first, last.before = j.tick, j.tick
		p.all = append(p.all, part{begin: j.at})
	}
	return nil
}

// open opens the recording anew, from so much of it on.
func (p *parts) open(from time.Duration) (*Chain, *recording.Frozen, error) {
	c, err := Open(p.paths...)
	if err != nil {
		return nil, nil, err
	}
	start, err := c.Seek(from)
	if err != nil {
		return nil, nil, errors.Join(err, c.Close())
	}
	return c, start, nil
}

// A joint is a frozen brain on which one part ends and the next begins.
type joint struct {
	tick uint64
	at   time.Duration // of the recording
}

// joints returns the frozen brains of all files in their order.
func (c *Chain) joints() (list []joint, err error) {
	_, _, err = c.frozen(func(tick uint64, at time.Duration) bool {
		list = append(list, joint{tick, at - c.begun})
		return false
	})
	slices.SortFunc(list, func(a, b joint) int { return cmp.Compare(a.tick, b.tick) })
	return list, err
}

// run replays the parts.
func (p *parts) run(jobs int) {
	places := make(chan struct{}, max(jobs, 1))
	var busy sync.WaitGroup
	defer busy.Wait()
	for i := range p.all {
		places <- struct{}{}
		busy.Go(func() {
			defer func() { <-places }()
			p.all[i].report, p.all[i].err = p.one(i)
		})
	}
}

// one replays a part, and what it does at its end.
func (p *parts) one(i int) (*Report, error) {
	s := &p.all[i]
	c, start, err := p.open(s.begin)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	o := p.options
	o.Start, o.Differ, o.before, o.Onward = start, c.Differ, s.before, false
	if s.before > 0 {
		if o.next, err = c.frozenOf(s.before); err != nil {
			return nil, err
		}
	}
	o.Progress = p.progress()
	return Run(c, &c.Head, o)
}

// progress returns what tells how far one part is, nil where nobody asks.
func (p *parts) progress() func(done time.Duration) {
	if p.options.Progress == nil {
		return nil
	}
	told := time.Duration(0)
	return func(done time.Duration) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done += done - told
		told = done
		p.options.Progress(p.done)
	}
}

// report joins the parts' reports, up to the first part that does not lead to the next: from
// there on it replays in one piece.
func (p *parts) report() (*Report, error) {
	whole := 0
	for whole < len(p.all) && p.all[whole].whole() {
		whole++
	}
	if whole == len(p.all) {
		return p.join(whole - 1), nil
	}
	if r := p.all[whole].report; whole > 0 && (r == nil || r.Ticks == 0) {
		whole-- // what it lacks is missing behind that one
	}
	rest := &p.all[whole]
	c, start, err := p.open(rest.begin)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	o := p.options
	o.Start, o.Differ = start, c.Differ
	if rest.report, rest.err = Run(c, &c.Head, o); rest.err != nil {
		return nil, rest.err
	}
	return p.join(whole), nil
}

// whole reports whether a part came out as recorded and leads to the next.
func (s *part) whole() bool {
	return s.err == nil && s.report.Exact() && (s.before == 0 || s.report.joins)
}

// join joins the reports up to one.
func (p *parts) join(last int) *Report {
	r := *p.all[0].report
	for i := 1; i <= last; i++ {
		m := p.all[i].report
		r.Ticks, r.Answers, r.Fields = r.Ticks+m.Ticks, r.Answers+m.Answers, r.Fields+m.Fields
		r.Length, r.last = m.last-p.begun, m.last
		r.Causes |= m.Causes
		r.First, r.Others, r.Told, r.Speed, r.Turn, r.Stopped, r.Hash = m.First, m.Others, m.Told, m.Speed, m.Turn, m.Stopped, m.Hash
	}
	r.Joints = last
	return &r
}

// frozenOf returns the frozen brain that goes on with a tick.
func (c *Chain) frozenOf(tick uint64) (*recording.Frozen, error) {
	f, _, err := c.frozen(func(n uint64, _ time.Duration) bool { return n == tick })
	if err == nil && f == nil {
		err = fmt.Errorf("replay: the frozen brain of tick %d is gone", tick)
	}
	return f, err
}

// is reports whether the mind is as a frozen one, to the last byte.
func (s *Session) is(f *recording.Frozen) (bool, error) {
	if s.mind.Brain.Ticks() != f.Tick {
		return false, nil
	}
	table := field.PiCarX()
	frost, err := memory.NewFrost(s.mind.Brain, &table)
	if err == nil {
		err = frost.All(s.mind.Processor)
	}
	var data []byte
	if err == nil {
		data, err = frost.EncodeInto(nil, memory.Header{})
	}
	if err != nil {
		return false, err
	}
	a, err := memory.Parse(data)
	if err != nil {
		return false, err
	}
	b, err := memory.Parse(f.Data)
	if err != nil {
		return false, err
	}
	return slices.EqualFunc(a.Sections, b.Sections, func(a, b memory.Section) bool {
		return a.Name == b.Name && a.Number == b.Number && bytes.Equal(a.Content, b.Content)
	}), nil
}
