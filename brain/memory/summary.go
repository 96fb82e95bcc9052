package memory

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"fieldbrain/field"
)

// A ChannelSummary says what stands in a channel.
type ChannelSummary struct {
	Channel int     `json:"channel"`
	Name    string  `json:"name"`
	Mass    float64 `json:"mass"` // total output in cells at full output
	Peak    float32 `json:"peak"` // largest activation
}

// A SlotSummary says how well one slot of the senses is predicted.
type SlotSummary struct {
	Slot       int     `json:"slot"`
	Confidence float32 `json:"confidence"` // 0..1
	Error      float64 `json:"error"`      // root mean square, of 0..1
}

// A PatternSummary describes one remembered situation.
type PatternSummary struct {
	Pattern int     `json:"pattern"`
	Score   float32 `json:"score"` // -1..1, how it turned out
	Uses    float32 `json:"uses"`  // times it became the best match
	Fresh   float32 `json:"fresh"` // exp(-age/1 h)
}

// Patterns describes the library's patterns by number; nothing where there is no
// library or one of another channel table.
func (s *Snapshot) Patterns(table *[field.Channels]field.Channel) []PatternSummary {
	var l field.Library
	shelf := field.NewShelf(table)
	if len(s.Field[field.LibrarySection]) == 0 || !l.Restore(s.Field[field.LibrarySection], &shelf) {
		return nil
	}
	all := []PatternSummary{}
	for k := range field.MaxPatterns {
		if l.Version[k] != 0 {
			all = append(all, PatternSummary{Pattern: k, Score: l.Score[k], Uses: l.Uses[k], Fresh: l.Fresh[k]})
		}
	}
	return all
}

// Channels returns what stands in every channel that the snapshot holds.
func (s *Snapshot) Channels(table *[field.Channels]field.Channel) []ChannelSummary {
	var all []ChannelSummary
	for c := range table {
		if len(s.Field[c]) == 0 {
			continue
		}
		sum := ChannelSummary{Channel: c, Name: table[c].Name, Peak: s.Field[c][0]}
		for _, u := range s.Field[c] {
			sum.Mass += float64(table[c].Regime.Kind.Output(u)) / field.One
			sum.Peak = max(sum.Peak, u)
		}
		all = append(all, sum)
	}
	return all
}

// Slots returns how well every slot that ever was valid is predicted.
func (s *Snapshot) Slots() []SlotSummary {
	var p field.Predictor
	if len(s.Field[field.PredictorSection]) == 0 || !p.Restore(s.Field[field.PredictorSection]) {
		return nil
	}
	var all []SlotSummary
	for slot, met := range p.Met {
		if met != 0 {
			all = append(all, SlotSummary{Slot: slot, Confidence: p.Result.Confidence[slot], Error: math.Sqrt(float64(p.E2[slot]))})
		}
	}
	return all
}

// A Difference says how far two snapshots are apart in one section.
type Difference struct {
	Section  string  `json:"section"`
	Name     string  `json:"name,omitempty"` // of a channel
	Relative float64 `json:"relative"`       // |a-b| / |a|, in the sense of L2; 1 where a is zero
	Largest  float64 `json:"largest"`        // difference of two numbers
	Only     string  `json:"only,omitempty"` // "first" or "second" where the other has no such section
}

// Diff returns what differs between two snapshots, section by section. Of the brain
// it names the numbers that differ, see Changed.
func Diff(a, b *Snapshot, table *[field.Channels]field.Channel) []Difference {
	var all []Difference
	for i := range a.Field {
		name, number := nameOf(field.Section(i))
		d := Difference{Section: Section{Name: name, Number: number}.String()}
		if i < field.Channels {
			d.Name = table[i].Name
		}
		x, y := a.Field[i], b.Field[i]
		switch {
		case len(x) == 0 && len(y) == 0:
			continue
		case len(y) == 0:
			d.Only = "first"
		case len(x) == 0:
			d.Only = "second"
		default:
			if d.Relative, d.Largest = apart(x, y); d.Largest == 0 {
				continue
			}
		}
		all = append(all, d)
	}
	return append(all, diffParts(a.Parts, b.Parts)...)
}

// diffParts returns the differences between the patterns of two snapshots, by
// number.
func diffParts(a, b []Part) (all []Difference) {
	for len(a)+len(b) > 0 {
		first := len(b) == 0 || len(a) > 0 && a[0].Section <= b[0].Section
		second := len(a) == 0 || len(b) > 0 && b[0].Section <= a[0].Section
		var x, y Part
		if first {
			x, a = a[0], a[1:]
		}
		if second {
			y, b = b[0], b[1:]
		}
		k, n, _ := max(x.Section, y.Section).Pattern()
		d := Difference{Section: fmt.Sprintf("pattern %d part %d", k, n)}
		switch {
		case !second:
			d.Only = "first"
		case !first:
			d.Only = "second"
		default:
			length := max(len(x.Cells), len(y.Cells)) // zeros at the end are left out
			if d.Relative, d.Largest = apart(padded(x.Cells, length), padded(y.Cells, length)); d.Largest == 0 {
				continue
			}
		}
		all = append(all, d)
	}
	return all
}

// padded returns cells with zeros up to a length.
func padded(cells []float32, length int) []float32 {
	return append(slices.Clip(cells), make([]float32, length-len(cells))...)
}

// apart returns the relative L2 distance of two rows and their largest
// difference.
func apart(x, y []float32) (relative, largest float64) {
	var sum, norm float64
	for i := range x {
		d := float64(x[i]) - float64(y[i])
		sum += float64(d * d)
		norm += float64(float64(x[i]) * float64(x[i]))
		largest = max(largest, math.Abs(d))
	}
	if norm == 0 {
		return 1, largest
	}
	return math.Sqrt(sum / norm), largest
}

// A Change is a number of the brain's state that differs.
type Change struct {
	Name   string `json:"name"`
	First  any    `json:"first"`
	Second any    `json:"second"`
}

// Changed returns which numbers of the brain's state differ, in its order. Of a
// table, as the belief is, it says how many cells do.
func Changed(a, b *Snapshot) []Change {
	return changed(nil, "", reflect.ValueOf(a.Brain), reflect.ValueOf(b.Brain))
}

// changed adds to all what differs between two structs of one type.
func changed(all []Change, prefix string, x, y reflect.Value) []Change {
	const list = 64 // elements that people can compare
	for i := range x.NumField() {
		p, q, name := x.Field(i), y.Field(i), prefix+x.Type().Field(i).Name
		switch {
		case p.Equal(q):
		case p.Kind() == reflect.Struct:
			all = changed(all, name+".", p, q)
		case p.Kind() == reflect.Array && p.Len() > list:
			n := 0
			for j := range p.Len() {
				if !p.Index(j).Equal(q.Index(j)) {
					n++
				}
			}
			all = append(all, Change{Name: name, First: fmt.Sprintf("%d cells", p.Len()), Second: fmt.Sprintf("%d of them differ", n)})
		default:
			all = append(all, Change{Name: name, First: p.Interface(), Second: q.Interface()})
		}
	}
	return all
}
