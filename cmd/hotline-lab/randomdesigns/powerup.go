package randomdesigns

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/sim"
)

// inspected is an engine whose state can be seen and set.
type inspected interface {
	sim.Inspector
	Write(i, word int, value []uint64)
}

// beside is the state of one of the designs that an engine runs side by side, under
// the paths that it has when the design runs alone.
type beside struct {
	sim.Writable
	list    []sim.State
	numbers []int
}

func (b *beside) State() []sim.State { return b.list }

func (b *beside) Write(i, word int, value []uint64) { b.Writable.Write(b.numbers[i], word, value) }

// powerUp gives each of the designs side by side the random state of its seed.
func powerUp(s sim.Writable) {
	parts := map[string]*beside{}
	for i, x := range s.State() {
		name, path, _ := strings.Cut(x.Path, ".")
		if parts[name] == nil {
			parts[name] = &beside{Writable: s}
		}
		x.Path = path
		parts[name].list = append(parts[name].list, x)
		parts[name].numbers = append(parts[name].numbers, i)
	}
	for name, part := range parts {
		var seed uint64
		fmt.Sscanf(name, "seed%d", &seed) // as irgen.Together names it
		sim.PowerUp(part, seed)
	}
}
