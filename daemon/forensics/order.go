package forensics

import (
	"cmp"
	"slices"
	"strings"

	"fieldbrain/files"
)

// Sort sorts bundles by when they were written, the oldest first. Their names bear the
// wall's time, and somebody may have set that clock back in between: the bundles of one
// start of the machine are in the order of its monotonic clock, and those of the present
// start are the newest. Starts before, and what cannot be read, stand where their latest
// name does.
func Sort(kept []Kept) { order(kept, bootID()) }

// order sorts bundles as Sort does, on a machine whose present start has a name.
func order(kept []Kept, boot string) {
	latest := map[string]string{} // name of a start's bundles
	for i := range kept {
		of := kept[i].Bundle.Boot
		latest[of] = max(latest[of], kept[i].Name())
	}
	place := func(k *Kept) (present int, name string) {
		switch of := k.Bundle.Boot; of {
		case "":
			return 0, k.Name()
		case boot:
			return 1, ""
		default:
			return 0, latest[of]
		}
	}
	slices.SortStableFunc(kept, func(a, b Kept) int {
		x, at := place(&a)
		y, other := place(&b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(at, other),
			cmp.Compare(a.Bundle.Miss.Worst.End, b.Bundle.Miss.Worst.End), cmp.Compare(a.Name(), b.Name()))
	})
}

// bootID returns the name of this start of the machine; empty where the kernel does not
// tell.
func bootID() string {
	text, _ := files.Reader{Max: 64}.Read("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text))
}
