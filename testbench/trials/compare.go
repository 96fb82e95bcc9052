package trials

import "fieldbrain/verdict"

// A Comparison is the judged pilot against another one in the same worlds.
type Comparison struct {
	Pilot    string           `json:"pilot"`    // the other one
	Contact  verdict.Contrast `json:"contact"`  // drives in which only one of them touched something
	Arrival  verdict.Contrast `json:"arrival"`  // drives in which only one of them arrived
	Time     verdict.Interval `json:"time"`     // judged over other, where both arrived; no rounds when there are none
	Coverage verdict.Gap      `json:"coverage"` // judged minus other, in the worlds that may be explored
	Share    verdict.Gap      `json:"oracle"`   // of what the map allows, all worlds
	BARN     verdict.Gap      `json:"barn"`     // navigation metric, in the worlds with a place to go to
	Standing verdict.Gap      `json:"standing_s"`
	Circling verdict.Gap      `json:"circling_s"`
}

// compare pairs two pilots' drives of the same worlds in the same order.
func compare(name string, ours, theirs []Record) Comparison {
	c := Comparison{Pilot: name}
	c.Contact = contrast(ours, theirs, everyone, touched)
	c.Arrival = contrast(ours, theirs, aimed, (*Record).Reached)
	c.Coverage = gap(ours, theirs, exploring, func(r *Record) float64 { return r.Coverage })
	c.Share = gap(ours, theirs, everyone, func(r *Record) float64 { return r.Oracle })
	c.BARN = gap(ours, theirs, aimed, func(r *Record) float64 { return value(r.BARN) })
	c.Standing = gap(ours, theirs, everyone, func(r *Record) float64 { return r.Standing })
	c.Circling = gap(ours, theirs, everyone, func(r *Record) float64 { return r.Circling })
	var a, b []float64
	for i := range ours {
		if ours[i].Reached() && theirs[i].Reached() && *ours[i].Arrived > 0 && *theirs[i].Arrived > 0 {
			a, b = append(a, *ours[i].Arrived), append(b, *theirs[i].Arrived)
		}
	}
	if times, err := verdict.Pairs(a, b); err == nil { // it refuses no pairs at all
		c.Time = times
	}
	return c
}

// contrast counts the worlds in which only one of two did something; all zero
// when none is asked.
func contrast(ours, theirs []Record, asked, did func(r *Record) bool) verdict.Contrast {
	var a, b []bool
	for i := range ours {
		if asked(&ours[i]) {
			a, b = append(a, did(&ours[i])), append(b, did(&theirs[i]))
		}
	}
	c, err := verdict.Discordant(a, b)
	if err != nil {
		return verdict.Contrast{P: 1}
	}
	return c
}

// Difference is the mean difference of a figure of two pilots' drives in the same
// worlds, in the same order.
func Difference(ours, theirs []Record, of func(r *Record) float64) verdict.Gap {
	return gap(ours, theirs, everyone, of)
}

// Discordant counts the worlds in which only one of two pilots did something.
func Discordant(ours, theirs []Record, did func(r *Record) bool) verdict.Contrast {
	return contrast(ours, theirs, everyone, did)
}

// gap is the mean difference of a figure; all zero when none is asked.
func gap(ours, theirs []Record, asked func(r *Record) bool, of func(r *Record) float64) verdict.Gap {
	var a, b []float64
	for i := range ours {
		if asked(&ours[i]) {
			a, b = append(a, of(&ours[i])), append(b, of(&theirs[i]))
		}
	}
	g, err := verdict.Difference(a, b)
	if err != nil {
		return verdict.Gap{}
	}
	return g
}

// gaps are the differences in the order of the table.
func (c *Comparison) gaps() []verdict.Gap {
	return []verdict.Gap{c.Coverage, c.Share, c.BARN, c.Standing, c.Circling}
}
