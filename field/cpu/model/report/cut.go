package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldbrain/field/cpu/model"
)

// A cut is a loop of the compiler's text.
type cut struct {
	model.Loop
	begin int    // line of the function
	body  string // instructions
}

var (
	named   = regexp.MustCompile(`^\s*// loop: (.+)$`)
	label   = regexp.MustCompile(`^(\.L\w+):`)
	branch  = regexp.MustCompile(`^\s+(?:b|b\.?[a-z]{2}|cbn?z|tbn?z)\s+(?:.*,\s*)?(\.L\w+)\s*$`)
	returns = regexp.MustCompile(`^\s+ret\s*$`)
	call    = regexp.MustCompile(`^\s+(bl|blr|br)\s`)
)

// cutAll finds every loop that the entries have.
func cutAll(text string, entries []model.Entry) ([]cut, error) {
	var all []cut
	for _, e := range entries {
		lines, err := function(text, e.Name)
		if err != nil {
			return nil, err
		}
		found, err := cutLoops(lines, &e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// function returns the lines of one function.
func function(text, name string) ([]string, error) {
	_, rest, found := strings.Cut(text, "\n"+name+":\n")
	body, _, ends := strings.Cut(rest, "\t.size\t"+name+",")
	if !found || !ends {
		return nil, fmt.Errorf("the compiler's text has no function %s", name)
	}
	return strings.Split(body, "\n"), nil
}

// cutLoops cuts the loops of a function out, by name. A loop that was unrolled has its
// name several times within the loop around it.
func cutLoops(lines []string, e *model.Entry) ([]cut, error) {
	type place struct{ begin, end int }
	var list []cut
	marks := map[string]map[place]int{}
	for i, line := range lines {
		m := named.FindStringSubmatch(line)
		if m == nil || e.Loops[m[1]] == 0 { // one that runs once per plane is left out
			continue
		}
		begin, end, found := around(lines, i)
		if !found {
			return nil, fmt.Errorf("no loop is around %q", m[1])
		}
		if marks[m[1]] == nil {
			marks[m[1]] = map[place]int{}
		}
		marks[m[1]][place{begin, end}]++
	}
	for name, places := range marks {
		if len(places) != e.Loops[name] {
			return nil, fmt.Errorf("%d loops %q, want %d", len(places), name, e.Loops[name])
		}
		for p, times := range places {
			body, err := instructions(lines[p.begin : p.end+1])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			list = append(list, cut{model.Loop{Entry: e.Name, Name: name, PerRow: e.PerRow(name) / float64(times)}, p.begin, body})
		}
	}
	if len(marks) != len(e.Loops) {
		return nil, fmt.Errorf("loops %d, want %d", len(marks), len(e.Loops))
	}
	slices.SortFunc(list, func(a, b cut) int { return a.begin - b.begin })
	return list, nil
}

// around returns the smallest loop around a line: from a label to the last branch back to
// it before the function returns. Behind that the compiler puts what it expects seldom.
func around(lines []string, at int) (begin, end int, found bool) {
	most := at
	for most+1 < len(lines) && !returns.MatchString(lines[most]) {
		most++
	}
	for begin = at; begin >= 0; begin-- {
		m := label.FindStringSubmatch(lines[begin])
		if m == nil {
			continue
		}
		for end = most; end > at; end-- {
			if to := branch.FindStringSubmatch(lines[end]); to != nil && to[1] == m[1] {
				return begin, end, true
			}
		}
	}
	return 0, 0, false
}

// instructions leaves out what is none. A call would be counted as nothing.
func instructions(lines []string) (string, error) {
	var b strings.Builder
	for _, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case text == "", strings.HasPrefix(text, "#"), strings.HasPrefix(text, "//"):
			continue
		case strings.HasPrefix(text, "."): // a directive, or a label, which another cut may have
			continue
		case call.MatchString(line):
			return "", fmt.Errorf("it calls: %s", text)
		}
		b.WriteString(line + "\n")
	}
	return b.String(), nil
}
