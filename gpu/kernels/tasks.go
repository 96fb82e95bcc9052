package kernels

import "fieldbrain/field"

// A Task is what one block of the preparation does: part `Part` of `Parts` of a
// coupling, a channel or a set of stimuli.
type Task struct {
	Kind            int32
	Of, Part, Parts int32
}

// Kinds of tasks, the longest first but for the one that all others wait for.
const (
	taskBring    int32 = iota // the input, which no other block brings where all run at once
	taskMaps                  // maps, heading input, which channels run
	taskTerms                 // prediction, order and amplitudes of stimuli, surprises
	taskProfiles              // Of: axis; 32 stimuli
	taskCouple                // Of: coupling
	taskDisplace              // Of: channel
	taskCarry                 // Of: strategic channel, from 0, the first of some
)

// coupleCells is how many cells of a coupling's source a block sums, where its target
// has axes enough to divide them: several per thread hide the way to the cells.
const coupleCells = 4 * prepThreads

// carried is how many strategic channels one block carries patterns for: mostly for none.
const carried = 4

// prepare lists the tasks of the preparation: what others wait for, then the longest, so
// that the last blocks to start are the short ones.
func (q *Program) prepare(p *field.Params) {
	list := []Task{{Kind: taskBring, Parts: 1}, {Kind: taskMaps, Parts: 1}, {Kind: taskTerms, Parts: 1}}
	const groups = (field.MaxTerms + field.Side - 1) / field.Side
	for axis := range int32(3) {
		for part := range int32(groups) {
			list = append(list, Task{taskProfiles, axis, part, groups})
		}
	}
	for i, k := range p.Couplings {
		from := p.Table[k.From].Mask
		shared := from & p.Table[k.To].Mask
		list = divide(list, Task{Kind: taskCouple, Of: int32(i)}, min(from.Cells()/coupleCells, shared.Cells()))
	}
	for _, c := range q.Moved {
		list = divide(list, Task{Kind: taskDisplace, Of: c}, min(p.Table[c].Mask.Cells()/prepThreads, field.Side))
	}
	if q.Patterns > 0 {
		for j := int32(0); j < field.Strategic; j += carried {
			list = append(list, Task{Kind: taskCarry, Of: j, Parts: 1})
		}
	}
	q.Tasks = list
}

// divide adds the parts of a task, at least one.
func divide(list []Task, t Task, parts int) []Task {
	t.Parts = int32(max(parts, 1))
	for t.Part = range t.Parts {
		list = append(list, t)
	}
	return list
}
