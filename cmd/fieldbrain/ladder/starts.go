package ladder

import (
	"fmt"

	"fieldbrain/brain/quality"
	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/verdict"
)

// A start is a field with less than all of it from the first tick on: what engine.planes
// and engine.gpu_storage choose. It runs at full quality.
type start struct {
	name   string
	planes int
	halves bool // the processor rounds as a card of half precision does, which saves no time
}

// starts returns what the configuration can choose besides the whole field, the least
// loss first. A graphics card chooses for itself: bench gpu.
func starts(c config.Engine) (list []start) {
	if c.Kind == "cuda" {
		return nil
	}
	for _, n := range field.Planes()[1:] {
		list = append(list, start{name: fmt.Sprintf("%d planes", n), planes: n})
	}
	return append(list, start{name: "halves", planes: field.Side, halves: true})
}

// over returns the configuration with the start chosen.
func (s start) over(settings config.Config) config.Config {
	settings.Engine.Planes, settings.Engine.Halves = s.planes, s.halves
	settings.Engine.Quality = quality.Ladder()[0].Name
	return settings
}

// compareStarts fills in the rows of the starts, whose contenders stand in their order,
// and claims that fewer planes are faster than the next more. Where nothing moved in any
// channel of three axes, the collapsed step leaves them out and there is nothing to claim.
func (r *Report) compareStarts(list []start, full, again *contender, of []*contender, size float64) error {
	if len(list) == 0 {
		return nil
	}
	whole := r.Rungs[0]
	whole.Name = fmt.Sprintf("%d planes", field.Side)
	r.Starts = []Row{whole}
	above := again
	for i, s := range list {
		c := of[i]
		row := c.row(quality.Ladder()[0], size)
		row.Name, row.Emulated = s.name, s.halves
		var err error
		if row.SpeedUp, err = verdict.Pairs(full.turns, c.turns); err != nil {
			return fmt.Errorf("ladder: %s: %w", s.name, err)
		}
		r.Starts = append(r.Starts, row)
		if s.halves || !full.spatial && !dense(full) {
			continue
		}
		ratio, err := verdict.Pairs(above.turns, c.turns)
		if err != nil {
			return fmt.Errorf("ladder: %s: %w", s.name, err)
		}
		name := fmt.Sprintf("%s faster than %s", s.name, r.Starts[i].Name)
		r.StartClaims = append(r.StartClaims, verdict.Claim{Name: name, Direction: verdict.AtLeast, Limit: 1}.Judge(ratio))
		above = c
	}
	return nil
}

// dense reports whether a contender computes every cell, moved or not.
func dense(c *contender) bool {
	return c.Processor != nil && c.Processor.Layout().Step == field.Dense
}

// memory returns how many bytes activations and outputs of the field take, 0 on a card.
func memory(c *contender) float64 {
	if c.Processor == nil {
		return 0
	}
	return float64(c.Processor.Layout().Cells) * (4 + 2)
}
