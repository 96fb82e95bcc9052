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

// The validated regimes of B.4 follow; their number is the count of localised
// axes.

// SEL1 decides strictly along one axis: one peak, little hysteresis.
func SEL1() Regime { return Regime{"SEL1", Amari, -5, 17.5, 0, 1.7} }

// HYS1 decides along one axis and sticks to it.
func HYS1() Regime { return Regime{"HYS1", Amari, -5, 20, 0, 1.5} }

// MEM1 keeps one peak along one axis after its input has gone: working memory.
func MEM1() Regime { return Regime{"MEM1", Amari, -5, 25, 0, 1.5} }

// DET1 shows several peaks along one axis, as long as their inputs last.
func DET1() Regime { return Regime{"DET1", Amari, -5, 20, 20, 0.1} }

// SEL2 decides in the plane.
func SEL2() Regime { return Regime{"SEL2", Amari, -5, 30, 0, 0.40} }

// MEM2 keeps one peak in the plane: working memory.
func MEM2() Regime { return Regime{"MEM2", Amari, -5, 35, 0, 0.25} }

// DET2 shows several peaks in the plane, as long as their inputs last.
func DET2() Regime { return Regime{"DET2", Amari, -5, 25, 25, 0.02} }

// SEL3 decides in space.
func SEL3() Regime { return Regime{"SEL3", Amari, -5, 45, 0, 0.08} }

// MEM3 keeps one peak in space: working memory.
func MEM3() Regime { return Regime{"MEM3", Amari, -5, 60, 0, 0.08} }

// LIN holds population codes and preferences, without lateral interaction.
func LIN() Regime { return Regime{"LIN", Linear, 0, 0, 0, 0} }

// MEMT is the memory trace of a perception channel.
func MEMT() Regime { return Regime{"TRACE", Memory, 0, 0, 0, 0} }

// AVGT is the leaky average of a decision channel.
func AVGT() Regime { return Regime{"AVERAGE", Leaky, 0, 0, 0, 0} }

// MAPT is the regime of the obstacle, hazard and visited maps.
func MAPT() Regime { return Regime{"MAP", Mapping, 0, 0, 0, 0} }

// Regimes returns the table of B.4 in its order, for listings and tests. The
// last four regimes above are no rows of it.
func Regimes() []Regime {
	return []Regime{SEL1(), HYS1(), MEM1(), DET1(), SEL2(), MEM2(), DET2(), SEL3(), MEM3()}
}
