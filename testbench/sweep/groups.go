package sweep

import (
	"math"
	"strings"

	"fieldbrain/verdict"
)

// A Share is a part of a number of drives, with the 95 % interval of the true one.
type Share struct {
	Held int     `json:"held"`
	Of   int     `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A Mean is one of a number of drives, with the 95 % interval of the true one.
type Mean struct {
	Of   int     `json:"of"` // drives that have the figure
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A Group is every seed of one kind of drive.
type Group struct {
	World  string `json:"world"` // scenario or family
	Pilot  string `json:"pilot"`
	Engine string `json:"engine"`
	Values string `json:"values,omitempty"` // of the parameters
	Drives int    `json:"drives"`
	Failed int    `json:"failed"` // jobs that no worker could drive

	Pass     Share   `json:"pass"`    // hold every condition of their world
	Contact  Share   `json:"contact"` // touched something
	Fell     Share   `json:"fell"`    // over a table's edge
	Distance Mean    `json:"distance_m"`
	Coverage Mean    `json:"coverage"`
	Share    Mean    `json:"oracle"` // of what the true map allows
	Standing Mean    `json:"standing_s"`
	Circling Mean    `json:"circling_s"`
	Steering Mean    `json:"steering_dps"`
	Seconds  float64 `json:"sim_seconds"` // in all
	Took     float64 `json:"took_s"`      // of workers' time, in all

	members []*Result
}

// A Contrast is a group against the first group of the same world and engine.
type Contrast struct {
	World    string           `json:"world"`
	Engine   string           `json:"engine"`
	Group    string           `json:"group"`    // pilot and values
	Against  string           `json:"against"`  // the first one's
	Pass     verdict.Contrast `json:"pass"`     // drives that only one of them passed
	Distance verdict.Gap      `json:"distance"` // m
	Coverage verdict.Gap      `json:"coverage"`
	Same     bool             `json:"same"` // every pair drove the same, bit for bit
}

// label writes parameters for a table.
func label(values []Setting) string {
	list := make([]string, len(values))
	for i, s := range values {
		list[i] = s.String()
	}
	return strings.Join(list, ", ")
}

// name is what tells groups of one world and engine apart.
func (g *Group) name() string { return strings.TrimSuffix(g.Pilot+", "+g.Values, ", ") }

// groups sorts results into groups, in the order in which they come.
func groups(results []*Result) (list []*Group) {
	type key struct{ world, pilot, engine, values string }
	known := map[key]*Group{}
	for _, r := range results {
		world := r.kind()
		k := key{world, r.Pilot, r.Engine, label(r.Values)}
		g := known[k]
		if g == nil {
			g = &Group{World: world, Pilot: r.Pilot, Engine: r.Engine, Values: k.values}
			known[k] = g
			list = append(list, g)
		}
		g.members = append(g.members, r)
	}
	for _, g := range list {
		g.sum()
	}
	return list
}

// sum fills in the figures.
func (g *Group) sum() {
	for _, r := range g.members {
		g.Took += r.Took
		if r.Drive == nil {
			g.Failed++
			continue
		}
		g.Drives++
		g.Seconds += r.Drive.Seconds
	}
	g.Pass = g.share(func(r *Result) bool { return r.Drive.Pass })
	g.Contact = g.share(func(r *Result) bool { return r.Drive.Collisions > 0 })
	g.Fell = g.share(func(r *Result) bool { return r.Drive.Falls > 0 })
	for name, to := range map[string]*Mean{
		"distance_m": &g.Distance, "coverage": &g.Coverage, "oracle": &g.Share,
		"standing_s": &g.Standing, "circling_s": &g.Circling, "steering_dps": &g.Steering,
	} {
		*to = g.mean(name)
	}
}

// share counts drives.
func (g *Group) share(holds func(r *Result) bool) Share {
	s := Share{Of: g.Drives}
	for _, r := range g.members {
		if r.Drive != nil && holds(r) {
			s.Held++
		}
	}
	s.Low, s.High = verdict.Proportion(s.Held, s.Of)
	return s
}

// resampled is up to how many drives a mean's interval is drawn by bootstrap.
const resampled = 5000

// mean returns the mean of a metric over the drives that have it.
func (g *Group) mean(metric string) Mean {
	var values []float64
	for _, r := range g.members {
		if r.Drive == nil {
			continue
		}
		if v, has := r.Drive.Metric(metric); has && !math.IsNaN(v) && !math.IsInf(v, 0) {
			values = append(values, v)
		}
	}
	n := len(values)
	switch {
	case n == 0:
		return Mean{}
	case n <= resampled:
		gap, err := verdict.Difference(values, make([]float64, n))
		if err != nil {
			return Mean{}
		}
		return Mean{Of: n, Mean: gap.Mean, Low: gap.Low, High: gap.High}
	}
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
	}
	m := sum / float64(n)
	for _, v := range values {
		squares += float64((v - m) * (v - m))
	}
	half := float64(1.96 * math.Sqrt(squares/float64(n-1)/float64(n)))
	return Mean{Of: n, Mean: m, Low: m - half, High: m + half}
}

// contrasts compares every group with the first one of its world and engine.
func contrasts(list []*Group) (found []Contrast) {
	type key struct{ world, engine string }
	base := map[key]*Group{}
	for _, g := range list {
		k := key{g.World, g.Engine}
		if base[k] == nil {
			base[k] = g
			continue
		}
		if c, is := against(g, base[k]); is {
			found = append(found, c)
		}
	}
	return found
}

// against compares two groups over the worlds and seeds of both.
func against(g, base *Group) (c Contrast, is bool) {
	type drive struct {
		world string
		seed  uint64
	}
	theirs := map[drive]*Result{}
	for _, r := range base.members {
		if r.Drive != nil {
			theirs[drive{r.World, r.Seed}] = r
		}
	}
	var pass [2][]bool
	var way, cover [2][]float64
	same := true
	for _, r := range g.members {
		other := theirs[drive{r.World, r.Seed}]
		if r.Drive == nil || other == nil || len(way[0]) == resampled {
			continue
		}
		same = same && r.Digest() == other.Digest()
		for i, r := range []*Result{r, other} {
			pass[i] = append(pass[i], r.Drive.Pass)
			way[i], cover[i] = append(way[i], r.Drive.Distance), append(cover[i], r.Drive.Coverage)
		}
	}
	c = Contrast{World: g.World, Engine: g.Engine, Group: g.name(), Against: base.name(), Same: same}
	var err [3]error
	c.Pass, err[0] = verdict.Discordant(pass[0], pass[1])
	c.Distance, err[1] = verdict.Difference(way[0], way[1])
	c.Coverage, err[2] = verdict.Difference(cover[0], cover[1])
	return c, err == [3]error{}
}
