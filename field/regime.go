package field

// A Kind is the update rule of a channel.
type Kind uint8

// The update rules.
const (
	Amari   Kind = iota // the core equation with lateral interaction
	Linear              // the core equation without it; output clip(u, 0, 1)
	Memory              // gated trace of another channel's output (B.5.2)
	Leaky               // running average of another channel's output
	Mapping             // egocentric map written from beams and flags (B.5.1)
)

// A Regime is the set of constants that decides which instabilities a channel
// has: detection, selection or working memory (specification B.4).
type Regime struct {
	Name       string
	Kind       Kind
	Resting    float32 // h, resting level
	Excitation float32 // c_exc, gain of the Gaussian of sigma 2 bins
	Inhibition float32 // c_inh, gain of the Gaussian of sigma 4 bins
	Global     float32 // c_glob, global inhibition per cell of output
}

// The validated regimes (B.4). The number is the count of localised axes.
var (
	SEL1 = Regime{"SEL1", Amari, -5, 17.5, 0, 1.7} // strict decision, one peak, little hysteresis
	HYS1 = Regime{"HYS1", Amari, -5, 20, 0, 1.5}   // sticky decision
	MEM1 = Regime{"MEM1", Amari, -5, 25, 0, 1.5}   // working memory of one item
	DET1 = Regime{"DET1", Amari, -5, 20, 20, 0.1}  // several input-driven peaks
	SEL2 = Regime{"SEL2", Amari, -5, 30, 0, 0.40}  // decision in the plane
	MEM2 = Regime{"MEM2", Amari, -5, 35, 0, 0.25}  // memory in the plane
	DET2 = Regime{"DET2", Amari, -5, 25, 25, 0.02} // several peaks in the plane
	SEL3 = Regime{"SEL3", Amari, -5, 45, 0, 0.08}  // decision in space
	MEM3 = Regime{"MEM3", Amari, -5, 60, 0, 0.08}  // memory in space
	LIN  = Regime{"LIN", Linear, 0, 0, 0, 0}       // population codes, preferences
	MEMT = Regime{"TRACE", Memory, 0, 0, 0, 0}     // memory trace of a perception channel
	AVGT = Regime{"AVERAGE", Leaky, 0, 0, 0, 0}    // leaky average of a decision channel
	MAPT = Regime{"MAP", Mapping, 0, 0, 0, 0}      // obstacle, hazard and visited maps
)

// Regimes returns the table of B.4 in its order, for listings and tests.
func Regimes() []Regime {
	return []Regime{SEL1, HYS1, MEM1, DET1, SEL2, MEM2, DET2, SEL3, MEM3}
}
