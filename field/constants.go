package field

// Constants are the parameters as a device reads them: tables and coefficients
// without pointers, computed once from valid Params. The CUDA
// kernels have the same struct: go generate ./gpu/kernels writes it.
type Constants struct {
	Coef     [periods][Channels]Coef // by update period 1, 2, 4, 8
	LineCoef Coef                    // HEADING while a line is followed
	Key      uint32                  // of the run's noise

	Channels     [Channels]PlacedChannel
	NumCouplings int32
	Couplings    [MaxCouplings]PlacedCoupling

	// Displacement (see Warp): per bearing and per range.
	Sin, Cos, Near Row
	// Maps (see Maps): shares per tick, the farthest range that is entered, and
	// the profiles of an edge under the three floor sensors.
	Hit, Clear, Visit                     float32
	KeepObstacle, KeepHazard, KeepVisited float32
	MaxRange                              float32
	EdgeAcross                            [3]Row
	EdgeAlong                             Row

	// Heading input (see HeadingParams).
	Heading             HeadingParams
	Close, Far          Row
	SpreadOn, SpreadOff [8]float32 // the last one is not used
	Ahead, Behind       Row
	Left30, Right30     Row
	Central, Between    [Side]int32

	// Prediction (see Predictor).
	Predict  int32
	Rate     float32
	NumSpots int32
	Spots    [MaxSpots]Spot

	Recall RecallRates // pattern library
}

// A PlacedChannel is one channel as a device reads it: its rule and its Storage.
type PlacedChannel struct {
	Kind, Mask, Egocentric, Source, Trace int32
	Axis, Extent, Local, Key, Pack        [3]int32
	Offset, Size, Repeats, Every          int32
}

// Sets of channels that share an update period, in PlacedChannel.Every.
const (
	EveryTick int32 = iota
	EveryPerception
	EveryTraces
	EveryAssociative
)

// A PlacedCoupling is a Coupling as a device reads it.
type PlacedCoupling struct {
	From, To int32
	Weight   float32
}

// NewConstants computes the constants of valid params for one layout.
func NewConstants(p *Params, l *Layout) *Constants {
	r := newRates(p)
	warp, heading, maps := &r.warp, &r.heading, &r.maps
	k := &Constants{
		Coef: r.coefs.table, LineCoef: r.coefs.heading, Key: p.Key,
		NumCouplings: int32(len(p.Couplings)),
		Sin:          warp[0], Cos: warp[1], Near: warp[2],
		Hit: maps.hit, Clear: maps.clear, Visit: maps.visit,
		KeepObstacle: maps.keep[0], KeepHazard: maps.keep[1], KeepVisited: maps.keep[2],
		MaxRange: maps.maxRange,
		Heading:  p.Heading, Close: heading.eye.Near, Far: heading.eye.Far,
		Ahead: heading.ahead, Behind: heading.behind, Left30: heading.left30, Right30: heading.right30,
	}
	k.Predict, k.Rate = flag(p.Learn.Predict), p.Learn.Rate
	k.Spots, k.NumSpots, k.Recall = r.spots, r.places, r.recall
	copy(k.SpreadOn[:], heading.eye.SpreadOn[:])
	copy(k.SpreadOff[:], heading.eye.SpreadOff[:])
	for i := range Side {
		k.Central[i], k.Between[i] = flag(heading.central[i]), int32(heading.eye.Between[i])
	}
	for i := range k.EdgeAcross {
		k.EdgeAcross[i].gaussian(edgeBin(i), edgeWidth, true)
	}
	k.EdgeAlong.gaussian(RangeBin(edgeRange), edgeWidth, false)
	for i, c := range p.Couplings {
		k.Couplings[i] = PlacedCoupling{From: int32(c.From), To: int32(c.To), Weight: c.Weight}
	}
	k.Channels = PlacedChannels(&p.Table, l)
	return k
}

// PlacedChannels returns the channels of a table as a layout places them.
func PlacedChannels(table *[Channels]Channel, l *Layout) (all [Channels]PlacedChannel) {
	for c := range all {
		all[c] = placed(&table[c], c, &l.Storage[c])
	}
	return all
}

func placed(ch *Channel, c int, s *Storage) PlacedChannel {
	d := PlacedChannel{
		Kind: int32(ch.Regime.Kind), Mask: int32(ch.Mask), Egocentric: flag(ch.Egocentric),
		Source: int32(ch.Source), Trace: int32(ch.Trace),
		Offset: int32(s.Offset), Size: int32(s.Size()), Repeats: int32(s.Repeats),
		Every: everySet(c),
	}
	if ch.Egocentric {
		d.Every = EveryTick
	}
	for i := range 3 {
		d.Axis[i], d.Extent[i], d.Local[i] = int32(s.Axis[i]), int32(s.Extent[i]), flag(s.Local[i])
		d.Key[i], d.Pack[i] = int32(s.Key[i]), int32(s.Pack[i])
	}
	return d
}

// everySet says by which of its periods a Quality updates channel c.
func everySet(c int) int32 {
	probe := Quality{Perception: 2, Traces: 4, Associative: 8}
	switch probe.Every(c) {
	case probe.Perception:
		return EveryPerception
	case probe.Traces:
		return EveryTraces
	case probe.Associative:
		return EveryAssociative
	}
	return EveryTick
}

func flag(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
