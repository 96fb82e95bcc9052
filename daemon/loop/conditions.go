package loop

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// A Condition is a degraded part of the program: a setting the program could not
// get, what that means, why, and what a person can do about it.
type Condition struct {
	Name   string    `json:"name"`   // short and stable: "realtime", "memory"
	Value  string    `json:"value"`  // how it is now
	Since  time.Time `json:"since"`  // wall time at which Value became so
	Cause  string    `json:"cause"`  // likely cause, in plain words
	Remedy string    `json:"remedy"` // what to do
}

// Conditions is the register of the parts that are degraded now. It reports a
// change once, and a repeated value not at all. Any goroutine may use it except
// the loop's.
type Conditions struct {
	mu     sync.Mutex
	now    func() time.Time
	change func(c Condition, active bool)
	active map[string]Condition
}

// NewConditions returns an empty register. The register calls change, if not nil,
// once per change with the condition and whether it holds now; change runs under
// the register's lock and must not call back.
func NewConditions(now func() time.Time, change func(c Condition, active bool)) *Conditions {
	if change == nil {
		change = func(Condition, bool) {}
	}
	return &Conditions{now: now, change: change, active: map[string]Condition{}}
}

// Set says that c holds from now on, and fills in Since. A condition that already
// holds with the same value keeps its Since, and Set does not report it again, but
// it takes over the newer cause and remedy: people must read about the present
// trouble, not about its first symptom.
func (r *Conditions) Set(c Condition) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old, had := r.active[c.Name]
	if had && old.Value == c.Value {
		c.Since = old.Since
		r.active[c.Name] = c
		return
	}
	c.Since = r.now()
	r.active[c.Name] = c
	r.change(c, true)
}

// Clear says that the named condition no longer holds.
func (r *Conditions) Clear(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, had := r.active[name]
	if !had {
		return
	}
	delete(r.active, name)
	r.change(c, false)
}

// Put sets or clears c by whether it holds.
func (r *Conditions) Put(c Condition, holds bool) {
	if holds {
		r.Set(c)
		return
	}
	r.Clear(c.Name)
}

// List returns the conditions that hold now, by name.
func (r *Conditions) List() []Condition { return r.ListInto(nil) }

// ListInto is List in the memory of list, which grows where it is too short.
func (r *Conditions) ListInto(list []Condition) []Condition {
	r.mu.Lock()
	defer r.mu.Unlock()
	list = slices.Grow(list[:0], len(r.active))
	for _, c := range r.active {
		list = append(list, c)
	}
	if list == nil {
		list = []Condition{} // none, which JSON shall not call null
	}
	slices.SortFunc(list, func(a, b Condition) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// PrintConditions writes the degraded parts, with cause and remedy.
func PrintConditions(w io.Writer, cs []Condition) {
	if len(cs) == 0 {
		fmt.Fprintln(w, "nothing degraded")
		return
	}
	for _, c := range cs {
		fmt.Fprintf(w, "degraded: %s: %s (since %s)\n", c.Name, c.Value, c.Since.Format("15:04:05"))
		if c.Cause != "" {
			fmt.Fprintf(w, "    cause:  %s\n", c.Cause)
		}
		if c.Remedy != "" {
			fmt.Fprintf(w, "    remedy: %s\n", c.Remedy)
		}
	}
}
