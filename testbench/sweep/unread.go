package sweep

import (
	"fmt"
	"slices"
	"strings"
)

// An Unread is a parameter whose values made the same drives, bit for bit.
type Unread struct {
	Key   string `json:"key"`
	World string `json:"world"` // scenario or family
	Pilot string `json:"pilot"`
	Pairs int    `json:"pairs"` // drives that differ in nothing but its value
}

// unread lists, in the order of the results, every parameter of which a pilot's drives in a
// world show nothing.
func unread(results []*Result) (list []Unread) {
	type about struct{ key, world, pilot string }
	type drive struct {
		about
		world, file, engine, others string
		seed                        uint64
	}
	first := map[drive]*Result{}
	place, read := map[about]int{}, map[about]bool{}
	for _, r := range results {
		if r.Drive == nil {
			continue
		}
		for i, s := range r.Values {
			a := about{s.Key, r.kind(), r.Pilot}
			others := label(slices.Delete(slices.Clone(r.Values), i, i+1))
			d := drive{a, r.World, r.File, r.Engine, others, r.Seed}
			other := first[d]
			if other == nil {
				first[d] = r
				continue
			}
			if _, known := place[a]; !known {
				place[a] = len(list)
				list = append(list, Unread{Key: a.key, World: a.world, Pilot: a.pilot})
			}
			list[place[a]].Pairs++
			read[a] = read[a] || other.Digest() != r.Digest()
		}
	}
	return slices.DeleteFunc(list, func(u Unread) bool { return read[about{u.Key, u.World, u.Pilot}] })
}

// String says it for people. Engines compute the same bits by design.
func (u Unread) String() string {
	why := "nothing reads it there, or nothing came of it"
	if strings.HasPrefix(u.Key, "engine.") {
		why = "it changed how the field was computed, and not what"
	}
	return fmt.Sprintf("%s, %s: the same drives, bit for bit, with every value of %s (%d pairs): %s", u.World, u.Pilot, u.Key, u.Pairs, why)
}
