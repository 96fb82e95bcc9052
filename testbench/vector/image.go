package vector

// A Memory is a fleet as an engine outside of this package needs it: the fleet's own
// memory, not a copy. Whoever changes Fields and Feet as Step does has stepped the fleet;
// whoever changes more as Reset does calls Changed.
type Memory struct {
	Cars     int
	Movers   int       // that a car has room for in Feet
	Sensing  bool      // sensors are sampled
	Bearings []float64 // rad, of the sonars, MaxSonars at most

	Fields  []float64 // block, field, lane; the last block is whole
	Keys    []uint64  // block, key, lane: the streams of noise
	Feet    []float64 // car, mover: leg and metres done; empty without movers
	Numbers []float64 // the sites' geometry
	Index   []int32   // where it is, a record per site
	Common  []int32   // of each block, the site of all its cars, -1 where they differ
	Params  []float64 // site, field, lane: of the first Shares sites, those of their cars
	Shares  int

	Names []string // of the streams in Keys; empty for one that is not there
}

// Memory returns the fleet's memory. It belongs to the fleet, and Reset changes it.
func (f *Fleet) Memory() Memory {
	return Memory{
		Cars: f.cars, Movers: f.most, Sensing: f.sensing, Bearings: f.bearings,
		Fields: f.fields, Keys: f.keys, Feet: f.feet, Numbers: f.numbers, Index: f.index, Common: f.common,
		Params: f.params, Shares: len(f.params) / (numParams * Lanes), Names: f.names[:],
	}
}

// UnitName names the stream that a car's floor sensors differ by.
const UnitName = "floor sensors"

// Changed notes that cars were reset outside of this package.
func (f *Fleet) Changed() {
	for block := range f.common {
		f.unite(block)
	}
}

// Starts returns cars that stand at the starts of the fleet's sites, one at each.
func (f *Fleet) Starts() Memory {
	g := *f
	g.cars = len(f.sites)
	g.stand(0)
	return g.Memory()
}

// Spreads returns how far the floor sensors of the sites' cars differ, relative to ideal
// ones, as a standard deviation.
func (f *Fleet) Spreads() []float64 {
	list := make([]float64, len(f.sites))
	for i := range f.sites {
		list[i] = f.sites[i].Car.FloorSpread
	}
	return list
}
