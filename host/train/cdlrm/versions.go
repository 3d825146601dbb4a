package cdlrm

// key is a row: table and index.
type key uint64

func keyOf(table int, index uint32) key { return key(table)<<32 | key(index) }

func (k key) table() int    { return int(k >> 32) }
func (k key) index() uint32 { return uint32(k) }

// versions count the updates of rows, so that it is known how old a copy is: it lacks
// those that were made and are not in it. What a copy lacks, it lacks forever.
type versions struct {
	made map[key]uint32 // by the mini-batches so far
	host map[key]uint32 // of those, in CPU memory
}

func newVersions() versions { return versions{map[key]uint32{}, map[key]uint32{}} }

// ages are how many rows that mini-batches have read lack so many updates.
type ages [5]int64

// ageLimits are the most updates that each of ages but the last stands for.
var ageLimits = [...]uint32{1, 2, 4, 8}

func (a *ages) add(lacking uint32) {
	if lacking == 0 {
		return
	}
	for i, most := range ageLimits {
		if lacking <= most {
			a[i]++
			return
		}
	}
	a[len(a)-1]++
}
