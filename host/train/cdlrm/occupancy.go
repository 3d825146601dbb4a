package cdlrm

import "github.com/hotline-rtl/hotline/host/dlrm"

// occupancy records which rows of a table are cached and where, like the occupancy tables in CPU
// memory. Empty sets take no memory.
type occupancy struct {
	sets, ways int
	first      int // number of its first slot among the slots of all tables
	held       map[uint32][]slot
}

// slot is a way of a set.
type slot struct {
	full    bool
	index   uint32 // of the row
	pinned  int    // first mini-batch of the latest window that reads it
	updates uint32 // number of updates in the row
}

// newOccupancies returns the occupancies of all tables, and the total number of slots. A table with
// no more rows than sets has a slot for each row.
func newOccupancies(tables []dlrm.Table, o Options) (list []occupancy, slots int) {
	prime := NextPrime(o.Sets)
	for _, t := range tables {
		c := occupancy{sets: prime, ways: o.Ways, first: slots, held: map[uint32][]slot{}}
		if t.Rows <= o.Sets {
			c.sets, c.ways = t.Rows, 1
		}
		list = append(list, c)
		slots += c.sets * c.ways
	}
	return list, slots
}

// set returns the set of a row.
func (c *occupancy) set(index uint32) uint32 { return index % uint32(c.sets) }

// number returns the number of a way of a row's set, among the slots of all tables.
func (c *occupancy) number(index uint32, way int) int {
	return c.first + int(c.set(index))*c.ways + way
}

// find returns the slot of a row and its number, or nil if the row is not cached.
func (c *occupancy) find(index uint32) (s *slot, number int) {
	set := c.held[c.set(index)]
	for way := range set {
		if set[way].full && set[way].index == index {
			return &set[way], c.number(index, way)
		}
	}
	return nil, 0
}

// unpinned returns the ways of a row's set that are not pinned by the window that starts with
// mini-batch first.
func (c *occupancy) unpinned(index uint32, first int) []int {
	set := c.held[c.set(index)]
	ways := make([]int, 0, c.ways)
	for way := range c.ways {
		if set == nil || !set[way].full || set[way].pinned != first {
			ways = append(ways, way)
		}
	}
	return ways
}

// way returns the slot of a way of a row's set.
func (c *occupancy) way(index uint32, way int) *slot {
	set := c.set(index)
	if c.held[set] == nil {
		c.held[set] = make([]slot, c.ways)
	}
	return &c.held[set][way]
}

// NextPrime returns the smallest prime that is at least n. The number of sets of a cache is such a
// prime.
func NextPrime(n int) int {
	for n = max(n, 2); !prime(n); n++ {
	}
	return n
}

func prime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}
