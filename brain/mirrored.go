package brain

import "fieldbrain/field"

// mirrored is which patterns the engine that does not step has. Patterns hardly
// ever change: only those of another version are copied, part by part, and of
// these only what is not 0.
type mirrored struct {
	wanted [field.MaxPatterns]float32 // versions of the engine that steps
	has    [field.MaxPatterns]float32 // and of the other
	parts  [field.MaxPatterns]uint16  // bit n: part n of the wanted one is not 0
	done   uint16                     // parts of `next` that were copied
	next   int                        // the pattern that is being copied
}

// note reads a library that was just copied.
func (m *mirrored) note(sheet []float32) {
	c := field.NewCatalogue(sheet)
	for k := range m.wanted {
		if v := c.Version(k); v != m.wanted[k] {
			m.wanted[k], m.parts[k] = v, c.Parts(k)
			if k == m.next {
				m.done = 0 // begin anew: parts of two versions are none
			}
		}
	}
}

// forget is for another engine, which has nothing.
func (m *mirrored) forget() { *m = mirrored{} }

// missing reports whether the other engine lacks a pattern.
func (m *mirrored) missing() bool { return m.wanted != m.has }

// move copies one part of a pattern that the other engine lacks, if there is any.
func (m *mirrored) move(f *Failover, from, to field.Engine) {
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
func (m *mirrored) part(f *Failover, from, to field.Engine) bool {
	k := m.next
	for n := 0; m.wanted[k] != 0 && m.parts[k]>>n != 0; n++ {
		if m.parts[k]>>n&1 == 0 || m.done>>n&1 == 1 {
			continue
		}
		if f.move(field.PatternSheet(k, n), from, to) {
			m.done |= 1 << n
		}
		return true
	}
	m.has[k] = m.wanted[k]
	return false
}
