package cdlrm

// key identifies a row: table and index.
type key uint64

func keyOf(table int, index uint32) key { return key(table)<<32 | key(index) }

func (k key) table() int    { return int(k >> 32) }
func (k key) index() uint32 { return uint32(k) }

// versions count the updates of rows. The age of a copy is the number of updates that it lacks. A
// copy never gets an update that it lacks.
type versions struct {
	made map[key]uint32 // by the mini-batches so far
	host map[key]uint32 // in CPU memory
}

func newVersions() versions { return versions{map[key]uint32{}, map[key]uint32{}} }

// ages is a histogram of the rows that mini-batches have read, by the number of updates that they
// lack.
type ages [5]int64

// ageLimits are the upper bounds of the buckets of ages, except the last.
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
