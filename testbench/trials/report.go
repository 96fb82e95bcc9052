package trials

import (
	"slices"

	"fieldbrain/testbench/plant"
)

// A Report says what a roster's drives came to.
type Report struct {
	Set      string    `json:"set"`
	Pilots   []string  `json:"pilots"` // the judged one first
	Drives   int       `json:"drives"`
	Profiles []Profile `json:"profiles"`
	Goals    []Goal    `json:"goals"`
	Pass     bool      `json:"pass"` // every goal is reached that the roster says something about
	Older    []Older   `json:"older,omitempty"`

	by Program // that made the report
}

// A Profile is one kind of car.
type Profile struct {
	Name     plant.Profile `json:"name"`
	Worlds   int           `json:"worlds"`
	Sums     []Sum         `json:"sums"` // in the order of the pilots
	Against  []Comparison  `json:"against"`
	Families []Family      `json:"families"`

	records map[string][]Record // by pilot, in the order of the worlds
}

// A Family is the part of a profile that one family makes.
type Family struct {
	Name   string `json:"name"`
	Worlds int    `json:"worlds"`
	Sums   []Sum  `json:"sums"`

	records map[string][]Record
}

// NewReport sums up a roster whose drives are all in the journal; it leaves out
// worlds that some pilot has not driven.
func NewReport(p *Roster, j *Journal) *Report {
	r := &Report{Set: p.Set.String(), by: j.own}
	for _, pilot := range p.Pilots {
		r.Pilots = append(r.Pilots, pilot.Name)
	}
	for _, name := range p.Profiles {
		one := Profile{Name: name, records: map[string][]Record{}}
		for _, w := range p.List() {
			if w.Profile != name {
				continue
			}
			drives, all := whole(p, j, w)
			if !all {
				continue
			}
			f, extra := one.family(w.Family), p.extra(w)
			f.Worlds++
			if !extra {
				one.Worlds++
			}
			for _, d := range drives {
				if !extra {
					one.records[d.Pilot] = append(one.records[d.Pilot], d)
				}
				f.records[d.Pilot] = append(f.records[d.Pilot], d)
				r.credit(j, w, d.Pilot)
				r.Drives++
			}
		}
		one.sum(r.Pilots)
		r.Profiles = append(r.Profiles, one)
	}
	r.judge()
	return r
}

// whole returns the drives of a world, if all are there.
func whole(p *Roster, j *Journal, w World) (drives []Record, all bool) {
	for _, pilot := range p.drivers(w) {
		d, is := j.Record(w, pilot.Name)
		if !is {
			return nil, false
		}
		drives = append(drives, d)
	}
	return drives, true
}

// family returns the profile's part of a name.
func (p *Profile) family(name string) *Family {
	for i := range p.Families {
		if p.Families[i].Name == name {
			return &p.Families[i]
		}
	}
	p.Families = append(p.Families, Family{Name: name, records: map[string][]Record{}})
	return &p.Families[len(p.Families)-1]
}

// sum fills in the figures.
func (p *Profile) sum(pilots []string) {
	for _, name := range pilots {
		p.Sums = append(p.Sums, NewSum(name, p.records[name]))
		for i := range p.Families {
			if f := &p.Families[i]; len(f.records[name]) > 0 {
				f.Sums = append(f.Sums, NewSum(name, f.records[name]))
			}
		}
	}
	for _, name := range pilots[1:] {
		p.Against = append(p.Against, compare(name, p.records[pilots[0]], p.records[name]))
	}
}

// has returns the family's part of the profile, nil when it was not driven.
func (p *Profile) has(family string) *Family {
	i := slices.IndexFunc(p.Families, func(f Family) bool { return f.Name == family })
	if i < 0 {
		return nil
	}
	return &p.Families[i]
}
