package vector_test

import (
	"sync"
	"testing"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
)

// members are a scenario of every family, made once: to make one is to solve it.
var members = sync.OnceValues(func() (list []*scenarios.Scenario, err error) {
	for i, name := range family.Names() {
		sc, err := family.Make(name, family.Train, uint64(i+1))
		if err != nil {
			return nil, err
		}
		list = append(list, sc)
	}
	return list, nil
})

// mixed returns a fleet over a world of every family, its cars under random actions.
func mixed(t *testing.T, cars int, isa string) *vector.Fleet {
	t.Helper()
	list, err := members()
	if err != nil {
		t.Fatal(err)
	}
	var sites []vector.Site
	for _, sc := range list {
		sites = append(sites, place(t, sc, 1))
	}
	f, err := vector.New(vector.Options{Cars: cars, Sites: sites, Profile: plant.P1, Seed: 7, ISA: isa})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// roam drives a fleet at random, some steps an action, and resets cars now and then.
func roam(f *vector.Fleet, seed uint64, turns int) {
	dice := noise.New(seed, "roam")
	for turn := range turns {
		for car := range f.Cars() {
			f.Act(car, vector.Action{
				Left: dice.Between(-0.5, 1), Right: dice.Between(-0.5, 1), Pulse: dice.Between(1100e-6, 1900e-6),
			})
		}
		f.Step(1 + turn%60)
		if car := int(dice.Between(0, float64(f.Cars()))); turn%3 == 2 {
			at := int(dice.Between(0, 3))
			f.Reset(car, at, plant.Pose{Heading: dice.Between(-3, 3)}, uint64(turn))
		}
	}
}

// seventeen is the hash of 17 cars that have roamed: it changes only with the model.
const seventeen = 0x24906afda34a5123

// TestOneHash holds every engine, at any number of cars, to one hash, and every machine
// to that of seventeen.
func TestOneHash(t *testing.T) {
	sizes := []int{17, 1, 2, 15, 16, 100}
	most := min(tier.Count(t, "sizes", 3, len(sizes), len(sizes)), tier.Fewer(t, "sizes", len(sizes), 2))
	for _, cars := range sizes[:most] {
		var want uint64
		for i, isa := range append([]string{vector.Go}, vector.ISAs()...) {
			f := mixed(t, cars, isa)
			roam(f, 3, 60)
			if i == 0 {
				if want = f.Hash(); cars == 17 && want != seventeen {
					t.Errorf("hash %#x, on other machines %#x", want, uint64(seventeen))
				}
			} else if have := f.Hash(); have != want {
				t.Errorf("%s, %d cars: hash %#x, pure Go has %#x", isa, cars, have, want)
			}
		}
	}
}

// TestAlone holds a car of a fleet to the same car in a fleet of one, whatever its
// neighbours do.
func TestAlone(t *testing.T) {
	f := mixed(t, 40, "")
	roam(f, 5, 20)
	start := plant.Pose{Heading: 0.3}
	one, err := vector.New(vector.Options{Cars: 1, Sites: []vector.Site{place(t, member(t, family.Names()[2], 3), 1)}, Profile: plant.P1})
	if err != nil {
		t.Fatal(err)
	}
	a := vector.Action{Left: 0.8, Right: 0.7, Pulse: 1600e-6}
	f.Reset(21, 2, start, 99)
	one.Reset(0, 0, start, 99)
	f.Act(21, a)
	one.Act(0, a)
	for i := range 500 {
		f.Step(7)
		one.Step(7)
		if f.Truth(21) != one.Truth(0) || f.Read(21) != one.Read(0) || f.Episode(21) != one.Episode(0) {
			t.Fatalf("turn %d: %+v in a fleet, %+v alone", i, f.Truth(21), one.Truth(0))
		}
	}
	if did := one.Episode(0); did.Odometer < 0.01 || did.Steps != 3500 {
		t.Errorf("it drove %+v", did)
	}
}

// TestSnapshot drives on from a snapshot as without it.
func TestSnapshot(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere")
	f, s := mixed(t, 33, ""), new(vector.Snapshot)
	roam(f, 1, 30)
	f.Save(s)
	roam(f, 2, 30)
	want := f.Hash()
	roam(f, 3, 10)
	if f.Hash() == want {
		t.Error("driving on changes no hash")
	}
	if err := f.Restore(s); err != nil {
		t.Fatal(err)
	}
	roam(f, 2, 30)
	if have := f.Hash(); have != want {
		t.Errorf("hash %#x from the snapshot, %#x without", have, want)
	}
	if err := mixed(t, 100, "").Restore(s); err == nil {
		t.Error("a fleet of 100 takes the snapshot of 33")
	}
}

// TestParts steps a fleet in parts as in one.
func TestParts(t *testing.T) {
	counts := []int{3, 1, 2, 50}
	steps := tier.Count(t, "steps", 250, 700, 700)
	fleet := func() *vector.Fleet {
		f := mixed(t, 100, "")
		for car := range f.Cars() {
			f.Act(car, vector.Action{Left: 0.9, Right: 0.9, Pulse: 1400e-6})
		}
		return f
	}
	whole := fleet()
	whole.Step(steps)
	for _, parts := range counts[:tier.Fewer(t, "counts", len(counts), 1)] {
		split := fleet()
		for part := range parts {
			split.StepPart(part, parts, steps)
		}
		if whole.Hash() != split.Hash() {
			t.Errorf("%d parts drive otherwise than the whole", parts)
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere")
	for _, isa := range vector.ISAs() {
		f := mixed(t, 48, isa)
		n := testing.AllocsPerRun(5, func() {
			f.Act(3, vector.Action{Left: 1, Right: 1})
			f.Step(41)
			_, _, _, _ = f.Read(3), f.Truth(3), f.Episode(3), f.Gap(3)
			f.Reset(5, 1, plant.Pose{}, 8)
		})
		if n != 0 {
			t.Errorf("%s allocates %v times", isa, n)
		}
	}
}

func TestOptions(t *testing.T) {
	good := vector.Options{Cars: 1, Sites: []vector.Site{place(t, member(t, "room", 1), 1)}, Profile: plant.P0}
	for what, spoil := range map[string]func(o *vector.Options){
		"no car":     func(o *vector.Options) { o.Cars = 0 },
		"no site":    func(o *vector.Options) { o.Sites = nil },
		"no world":   func(o *vector.Options) { o.Sites = []vector.Site{{Car: plant.Default()}} },
		"no profile": func(o *vector.Options) { o.Profile = "P7" },
		"no engine":  func(o *vector.Options) { o.ISA = "mmx" },
		"no car's":   func(o *vector.Options) { o.Sites = []vector.Site{{World: good.Sites[0].World}} },
	} {
		o := good
		if spoil(&o); func() error { _, err := vector.New(o); return err }() == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := vector.New(good); err != nil {
		t.Error(err)
	}
}
