package randomdesigns

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/sim"
)

// inspected is an engine whose state can be read and written.
type inspected interface {
	sim.Inspector
	Write(i, word int, value []uint64)
}

// member is the state of one design in a batch. Its paths equal the paths of the same design
// outside a batch.
type member struct {
	sim.Writable
	list    []sim.State
	numbers []int
}

func (b *member) State() []sim.State { return b.list }

func (b *member) Write(i, word int, value []uint64) { b.Writable.Write(b.numbers[i], word, value) }

// powerUp initializes each design of a batch with the random state of its seed.
func powerUp(s sim.Writable) {
	parts := map[string]*member{}
	for i, x := range s.State() {
		name, path, _ := strings.Cut(x.Path, ".")
		if parts[name] == nil {
			parts[name] = &member{Writable: s}
		}
		x.Path = path
		parts[name].list = append(parts[name].list, x)
		parts[name].numbers = append(parts[name].numbers, i)
	}
	for name, part := range parts {
		var seed uint64
		fmt.Sscanf(name, "seed%d", &seed) // random.Together names it like this
		sim.PowerUp(part, seed)
	}
}
