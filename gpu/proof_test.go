package gpu

import (
	"math"
	"strings"
	"testing"

	"fieldbrain/field"
)

// output returns one with a peak over six bearings of HEADING, from x on.
func output(x int) *field.Output {
	o := &field.Output{Obstacle: new([field.Plane]float32)}
	m := &o.Marginals[field.Heading]
	for i, share := range [...]int32{1, 3, 6, 6, 3, 1} {
		m.X[(x+i)%field.Side] = share * field.One / 6
		m.Total += share * field.One / 6
	}
	o.Obstacle[100], o.Blocked[4], o.Heading[x] = 0.5, 0.25, 3
	return o
}

// TestStrays: fp16 explains a little of what is made of the field, nothing of
// the maps, and no peak elsewhere.
func TestStrays(t *testing.T) {
	for _, c := range []struct {
		name, want string
		spoil      func(o *field.Output)
	}{
		{"the same", "", func(*field.Output) {}},
		{"peak beside", "channel 48 has at 8 the sums", func(o *field.Output) { o.Marginals[field.Heading] = output(9).Marginals[field.Heading] }},
		{"peak elsewhere", "channel 48 has at 8 the sums", func(o *field.Output) { o.Marginals[field.Heading] = output(24).Marginals[field.Heading] }},
		{"a tenth of a cell", "", func(o *field.Output) { o.Marginals[field.Heading].X[20] += field.One / 10 }},
		{"one cell more", "", func(o *field.Output) { o.Marginals[field.Heading].Total += field.One }},
		{"two cells and a third more", "has the total", func(o *field.Output) {
			o.Marginals[field.Heading].Total += 7 * field.One / 3
		}},
		{"other axes", "has at 5 the sums", func(o *field.Output) { o.Marginals[field.Speed].Y[5] = 2 * field.One }},
		{"third axis", "has at 31 the sums", func(o *field.Output) { o.Marginals[field.ObstMap].Z[31] = 2 * field.One }},
		{"map", "obstacle map cell 100", func(o *field.Output) { o.Obstacle[100] = math.Nextafter32(0.5, 1) }},
		{"learned", "error of slot 6", func(o *field.Output) { o.Prediction.Error[6] = 1e-7 }},
		{"blocked", "blocked at bearing 4", func(o *field.Output) { o.Blocked[4] = math.Nextafter32(0.25, 1) }},
		{"heading, little", "", func(o *field.Output) { o.Heading[8] += 0.2 }},
		{"heading, much", "heading input at bearing 8", func(o *field.Output) { o.Heading[8] -= 0.3 }},
		{"heading, no number", "heading input at bearing 9", func(o *field.Output) { o.Heading[9] = float32(math.NaN()) }},
	} {
		got := output(8)
		c.spoil(got)
		what := Strays(got, output(8))
		if (what == "") != (c.want == "") || !strings.Contains(what, c.want) {
			t.Errorf("%s: %q, want %q", c.name, what, c.want)
		}
	}
}
