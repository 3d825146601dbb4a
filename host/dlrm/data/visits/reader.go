package visits

import (
	"errors"
	"io"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

const (
	past         = 20 // visits of a history
	steps        = past + 1
	mostVisits   = 200 // visits of a user that are used
	leastHistory = 10  // minimum number of visits of a user with an input
)

// points returns the number of inputs of each kind of a user with n visits.
func points(n int) int {
	return []int{0, 1, 3, 6, 10}[min(max(n, 0)/leastHistory, 4)]
}

// point is an input of a window.
type point struct {
	user   uint32 // index in the window
	number uint8  // index among the user's inputs; even inputs are positive
}

// person is a user of a window.
type person struct {
	id      uint32
	history []visit
}

// reader reads a log, window by window.
type reader struct {
	log    *Log
	users  *users
	window int   // index of the next window
	skip   int64 // number of inputs to skip
	people []person
	points []point // remaining inputs
}

// Read implements data.Reader.
func (r *reader) Read(b *dlrm.Batch, n int) error {
	before := b.Len()
	for b.Len()-before < n {
		for len(r.points) == 0 {
			if err := r.next(); errors.Is(err, io.EOF) && b.Len() > before {
				return nil
			} else if err != nil {
				return err
			}
		}
		r.build(r.points[0], b)
		r.points = r.points[1:]
	}
	return nil
}

// Close closes the open file.
func (r *reader) Close() error { return r.users.in.Close() }

// next reads the next window and shuffles its inputs.
func (r *reader) next() error {
	if r.window == len(r.log.found.Windows) {
		return io.EOF
	}
	r.people, r.points = r.people[:0], nil
	for range windowUsers {
		id, visits, err := r.users.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		n := 2 * points(min(len(visits), mostVisits)-1)
		if n == 0 {
			continue
		}
		for number := range n {
			r.points = append(r.points, point{uint32(len(r.people)), uint8(number)})
		}
		r.people = append(r.people, person{id, slices.Clone(history(visits))})
	}
	random := detmath.NewStream(r.log.seed, keyShuffle, uint64(r.window))
	for i := len(r.points) - 1; i > 0; i-- {
		j := below(random, i+1)
		r.points[i], r.points[j] = r.points[j], r.points[i]
	}
	r.window++
	skip := min(r.skip, int64(len(r.points)))
	r.points, r.skip = r.points[skip:], r.skip-skip
	return nil
}

// Kinds of random numbers, used as the second word of their keys.
const (
	keyShuffle uint64 = iota
	keyPoint
)

// below returns a random number below n, which must be far below 2^32.
func below(r *detmath.Stream, n int) int { return int(r.Uint64() >> 32 * uint64(n) >> 32) }

// build appends an input.
func (r *reader) build(p point, b *dlrm.Batch) {
	person := r.people[p.user]
	random := detmath.NewStream(r.log.seed, keyPoint, uint64(person.id), uint64(p.number))
	h, positive := person.history, p.number%2 == 0
	end := 0 // end of the history
	if positive {
		first := min(past, len(h)-1)
		end = first + below(random, len(h)-first)
	} else {
		first := min(past-1, len(h)-1)
		end = first + below(random, len(h)-first) + 1
	}
	for step := range past {
		if at := end - past + step; at >= 0 {
			r.step(b, step, person.id, h[at])
		} else {
			r.padding(b, step, person.id)
		}
	}
	label := float32(0)
	if positive {
		r.step(b, past, person.id, h[end])
		label = 1
	} else {
		r.step(b, past, person.id, r.unseen(random, h))
	}
	b.Labels = append(b.Labels, label)
}

// step appends a time step.
func (r *reader) step(b *dlrm.Batch, step int, user uint32, v visit) {
	ids := r.log.ids
	b.Dense = append(b.Dense, float32(step)/steps)
	b.Sparse = append(b.Sparse, ids.Row(userColumn, uint64(user)), ids.Row(itemColumn, uint64(v.item)),
		ids.Row(categoryColumn, uint64(v.category)))
}

// padding appends a time step before the beginning of a history.
func (r *reader) padding(b *dlrm.Batch, step int, user uint32) {
	b.Dense = append(b.Dense, float32(step)/steps)
	b.Sparse = append(b.Sparse, r.log.ids.Row(userColumn, uint64(user)), 0, 0)
}

// tries limits the search for an item that a user has not seen, because there may be none.
const tries = 100

// unseen returns an item that is not in a history.
func (r *reader) unseen(random *detmath.Stream, h []visit) visit {
	found := r.log.found
	var v visit
	for range tries {
		n := below(random, len(found.CategoryOf))
		v = visit{item: uint32(found.IDs[itemColumn].ID(uint32(n))), category: uint32(found.IDs[categoryColumn].ID(found.CategoryOf[n]))}
		if !slices.ContainsFunc(h, func(seen visit) bool { return seen.item == v.item }) {
			break
		}
	}
	return v
}
