package sweep

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/strict"
	"fieldbrain/testbench/family"
)

// check returns everything wrong with the values of a file.
func (f *File) check(known func(pilot string) bool) strict.Complaints {
	c := &complaints{}
	c.add(len(f.Scenarios)+len(f.Families) > 0, "scenarios", `write scenarios = ["room"] or families = ["clutter"]`, "names no world, and families no family")
	c.add(f.Seconds >= 0 && f.Seconds <= maxSeconds, "seconds", "choose 0 to 604800", "is %g", f.Seconds)
	c.add(f.Twice >= 0 && f.Twice <= 1, "twice", "choose 0 to 1", "is %g", f.Twice)
	c.add(f.Seeds.First >= 0 && f.Seeds.First <= maxSeed, "seeds.first", fmt.Sprintf("choose 0 to %d", int64(maxSeed)), "is %d", f.Seeds.First)
	c.add(f.Seeds.Count >= 1 && f.Seeds.Count <= MaxJobs, "seeds.count", fmt.Sprintf("choose 1 to %d", MaxJobs), "is %d", f.Seeds.Count)
	for _, list := range []struct {
		key   string
		names []string
	}{{"scenarios", f.Scenarios}, {"families", f.Families}, {"pilots", f.Pilots}, {"engines", f.Engines}} {
		c.names(list.key, list.names)
	}
	c.add(len(f.Pilots) > 0, "pilots", `write pilots = ["brain"], or leave the key out`, "names nobody")
	c.add(len(f.Engines) > 0, "engines", `write engines = ["auto"], or leave the key out`, "names none")
	for i, name := range f.Pilots {
		c.add(known(name), element("pilots", i), "fieldbrain sim --help names them", "%.100q drives nothing", name)
	}
	c.worlds(f)
	c.parameters(f)
	if len(c.found) == 0 {
		n, fits := f.size()
		c.add(fits, "seeds.count", "take fewer seeds, worlds, pilots, engines or values", "makes %s drives, more than %d", n, MaxJobs)
	}
	return c.found
}

// names refuses lists with a name twice, and absurdly long ones.
func (c *complaints) names(key string, list []string) {
	c.add(len(list) <= maxNames, key, fmt.Sprintf("at most %d", maxNames), "names %d", len(list))
	sorted := slices.Sorted(slices.Values(list[:min(len(list), maxNames)]))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			c.add(false, key, "name each once", "names %.100q twice", sorted[i])
			return
		}
	}
}

// worlds looks for every world: what cannot be opened now would fail in every job.
func (c *complaints) worlds(f *File) {
	if len(f.Scenarios) > maxNames || len(f.Families) > maxNames {
		return
	}
	for i, name := range f.Scenarios {
		if _, err := family.Open(name); err != nil {
			c.add(false, element("scenarios", i), "fieldbrain sim --list names the built-in ones, fieldbrain scenario check looks at a file", "%.100q: %v", name, oneLine(err))
		}
	}
	for i, name := range f.Families {
		if family.Title(name) == "" {
			remedy := "fieldbrain sim --list names them"
			if like := strict.Nearest(name, family.Names()); like != "" {
				remedy = "did you mean " + like + "?"
			}
			c.add(false, element("families", i), remedy, "%.100q is no family of worlds", name)
		}
	}
}

// element is the key of a list's element: a key has one complaint, a list as many as it has
// wrong names.
func element(key string, i int) string { return fmt.Sprintf("%s.%d", key, i) }

// oneLine returns the first line of an error.
func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// parameters looks at keys and the kinds of values; what the keys mean, and which
// values they take, the batch finds.
func (c *complaints) parameters(f *File) {
	seen := map[string]bool{}
	for i, p := range f.Parameters {
		at := fmt.Sprintf("parameter.%d", i)
		c.add(!seen[p.Key], at+".key", "give all its values in one [[parameter]]", "%.100q stands twice", p.Key)
		seen[p.Key] = true
		c.add(sweepable(p.Key), at+".key", "a key of [brain] or [law], loop.period, engine.threads, engine.step, engine.planes, engine.quality, or scenario.KEY; pilots, engines and seeds have keys of their own", "%.100q cannot be swept", p.Key)
		c.add(len(p.Values) > 0, at+".values", "write values = [0.2, 0.3]", "has none")
		c.add(len(p.Values) <= maxNames, at+".values", fmt.Sprintf("at most %d", maxNames), "has %d", len(p.Values))
		literals := map[string]bool{}
		for _, v := range p.Values {
			text, err := literal(v)
			c.add(err == nil, at+".values", "write numbers, texts, or true and false", "holds %s", strict.KindOf(v))
			c.add(err != nil || !literals[text], at+".values", "write each once", "holds %.100s twice", text)
			literals[text] = true
		}
	}
}

// InScenario begins a parameter that is a key of the world.
const InScenario = "scenario."

// configured lists the keys of the configuration that a drive in virtual time may
// depend on, besides those of sections [brain] and [law].
func configured() []string {
	return []string{"loop.period", "engine.threads", "engine.step", "engine.planes", "engine.quality"}
}

// sweepable reports whether a key may be swept.
func sweepable(key string) bool {
	if rest, is := strings.CutPrefix(key, InScenario); is {
		return rest != ""
	}
	return strings.HasPrefix(key, "brain.") || strings.HasPrefix(key, "law.") || slices.Contains(configured(), key)
}

// size returns how many drives the file asks for, and whether that is allowed.
func (f *File) size() (text string, fits bool) {
	n := float64(f.Seeds.Count) * float64(len(f.Scenarios)+len(f.Families)) * float64(len(f.Pilots)) * float64(len(f.Engines))
	for _, p := range f.Parameters {
		n *= float64(len(p.Values))
	}
	return fmt.Sprintf("%.0f", n), n <= MaxJobs
}
