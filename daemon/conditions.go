package daemon

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// A Condition is a degraded part of the program: something that was wanted and
// is not so, what that means, why, and what a person can do about it.
type Condition struct {
	Name   string    `json:"name"`   // short and stable: "realtime", "memory"
	Value  string    `json:"value"`  // how it is now
	Since  time.Time `json:"since"`  // wall time at which Value became so
	Cause  string    `json:"cause"`  // likely cause, in plain words
	Remedy string    `json:"remedy"` // what to do
}

// Conditions is the register of what is degraded at the moment. A change is
// reported once; repeating the same value is free of noise. It may be used by
// any goroutine except the loop's.
type Conditions struct {
	mu     sync.Mutex
	now    func() time.Time
	change func(c Condition, active bool)
	active map[string]Condition
}

// NewConditions returns an empty register. change, if not nil, is called once
// per change with the condition and whether it holds now; it runs under the
// register's lock and must not call back.
func NewConditions(now func() time.Time, change func(c Condition, active bool)) *Conditions {
	if change == nil {
		change = func(Condition, bool) {}
	}
	return &Conditions{now: now, change: change, active: map[string]Condition{}}
}

// Set says that c holds from now on. Since is filled in here; a condition that
// already holds with the same value keeps its own and is not reported again,
// yet takes over the newer cause and remedy: what people read must be about the
// trouble there is now, not about its first symptom.
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

// List returns what holds now, by name.
func (r *Conditions) List() []Condition {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]Condition, 0, len(r.active))
	for _, c := range r.active {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Condition) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
