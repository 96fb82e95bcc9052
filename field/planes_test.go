package field_test

import (
	"strings"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

// TestThicken: the kernel between planes sums to 1 as the one between bins does, and is
// its mean over two blocks of bins.
func TestThicken(t *testing.T) {
	for _, half := range [][]int32{field.Excite(), field.Inhibit()} {
		for _, thick := range []int{1, 2, 4} {
			got := field.Thicken(half, thick)
			sum := got[0]
			for d, w := range got[1:] {
				sum += 2 * w
				if w > got[d] || w < 0 {
					t.Errorf("%d bins: weights %v do not fall", thick, got)
				}
			}
			if sum != field.One || len(got) != len(half) {
				t.Errorf("%d bins: %v sums to %d", thick, got, sum)
			}
			mean := 0.0 // between the bins of two planes side by side
			for i := range thick {
				for j := range thick {
					if d := thick + i - j; d < len(half) {
						mean += float64(half[d]) / float64(thick)
					}
				}
			}
			if off := float64(got[1]) - mean; off > 1 || off < -1 {
				t.Errorf("%d bins: weight %d, the blocks' mean is %v", thick, got[1], mean)
			}
		}
	}
}

// TestValidatePlanes: fewer planes need three axes, no displacement, and a trace as thick
// as its source.
func TestValidatePlanes(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(table *[field.Channels]field.Channel)
		want   string // in the error; empty: none
	}{
		{"16", func(table *[field.Channels]field.Channel) { field.Reduce(table, 16) }, ""},
		{"8", func(table *[field.Channels]field.Channel) { field.Reduce(table, 8) }, ""},
		{"12", func(table *[field.Channels]field.Channel) { table[field.FirstFree].Planes = 12 }, "12 planes, must be 0 for all 32, 16 or 8"},
		{"negative", func(table *[field.Channels]field.Channel) { table[field.FirstFree].Planes = -16 }, "-16 planes"},
		{"axes", func(table *[field.Channels]field.Channel) { table[field.Ground].Planes = 16 }, "need the axes XYZ; its mask is XZ"},
		{"moved", func(table *[field.Channels]field.Channel) {
			table[field.FirstFree].Planes, table[field.FirstFree].Egocentric = 16, true
		}, "an egocentric channel has all 32"},
		{"trace", func(table *[field.Channels]field.Channel) { table[field.TargetSeen].Planes = 16 }, "0 planes differ from 16 of its source TARGET"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := field.Default()
			c.change(&p.Table)
			switch err := p.Validate(); {
			case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			case c.want == "" && p.Whole() == nil:
				t.Error("it counts as whole")
			}
		})
	}
	p := field.Default()
	if field.Reduce(&p.Table, 8); field.Reduced(&p.Table) != 8 {
		t.Errorf("%d planes", field.Reduced(&p.Table))
	}
	if field.Reduce(&p.Table, field.Side); p.Whole() != nil || field.Reduced(&p.Table) != field.Side || p.Table != field.Default().Table {
		t.Error("32 planes are not the default")
	}
}

// TestPlanesReadAsBins: what is written comes back, the first bin of each plane for all
// its bins, in either step.
func TestPlanesReadAsBins(t *testing.T) {
	src, dst := make([]float32, field.Cells), make([]float32, field.Cells)
	for i := range src {
		src[i] = float32(i)
	}
	for _, planes := range field.Planes() {
		for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
			p := field.Default()
			field.Reduce(&p.Table, planes)
			e, err := cpu.New(p, cpu.Options{ISA: "auto", Threads: 1, Step: step})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			e.Write(field.TargetSeen, src)
			e.Read(field.TargetSeen, dst)
			few := make([]float32, field.Cells)
			e.Distinct(field.TargetSeen, few)
			for i := range dst {
				if want := float32(i - i%(field.Side/planes)); dst[i] != want || few[i] != want {
					t.Fatalf("%d planes, %v: cell %d is %v and %v, want %v", planes, step, i, dst[i], few[i], want)
				}
			}
		}
	}
}
