package failover

import "fieldbrain/field"

// mirrored says which patterns the engine has that does not step. Patterns hardly
// ever change: the fail-over copies those of another version only, part by part,
// and leaves out parts that are 0.
type mirrored struct {
	wanted [field.MaxPatterns]float32 // versions of the engine that steps
	has    [field.MaxPatterns]float32 // and of the other
	parts  [field.MaxPatterns]uint16  // bit n: part n of the wanted one is not 0
	done   uint16                     // parts of `next` that were copied
	next   int                        // the pattern that is being copied
}

// note reads a library that was just copied.
func (m *mirrored) note(cells []float32) {
	c := field.NewCatalogue(cells)
	for k := range m.wanted {
		if v := c.Version(k); v != m.wanted[k] {
			m.wanted[k], m.parts[k] = v, c.Parts(k)
			if k == m.next {
				m.done = 0 // begin anew: parts of two versions are none
			}
		}
	}
}

// forget begins with another engine, which has no patterns.
func (m *mirrored) forget() { *m = mirrored{} }

// missing reports whether the other engine lacks a pattern.
func (m *mirrored) missing() bool { return m.wanted != m.has }

// move copies one part of a pattern that the other engine lacks, if there is any.
func (m *mirrored) move(f *Engine, from, to field.Engine) {
	for range field.MaxPatterns {
		if m.has[m.next] != m.wanted[m.next] {
			if m.part(f, from, to) {
				return
			}
		}
		m.next, m.done = (m.next+1)%field.MaxPatterns, 0
	}
}

// part copies the next part of the present pattern; it returns false when there
// was none left, and the pattern is whole.
func (m *mirrored) part(f *Engine, from, to field.Engine) bool {
	k := m.next
	for n := 0; m.wanted[k] != 0 && m.parts[k]>>n != 0; n++ {
		if m.parts[k]>>n&1 == 0 || m.done>>n&1 == 1 {
			continue
		}
		if f.move(field.PatternSection(k, n), from, to) {
			m.done |= 1 << n
		}
		return true
	}
	m.has[k] = m.wanted[k]
	return false
}
