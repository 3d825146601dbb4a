package shadow

import "fmt"

// Kind is what is wrong.
type Kind int

// The kinds of findings.
const (
	StaleRead Kind = iota
	WrongRead
	LostUpdate
	HeldSlot
	TwoPlaces
)

// String is the kind in words.
func (k Kind) String() string {
	return [...]string{"stale read", "wrong read", "lost update", "held slot", "two places"}[k]
}

// Finding is something that sequential training would not do.
type Finding struct {
	Kind      Kind
	MiniBatch int // that reads, or from which a slot is taken; -1 at the end of a training
	Table     int // -1 is the dense part
	Row       uint32
	Age       int // of a stale read: by how many updates the row is too old
	Text      string
}

func (f Finding) String() string {
	return fmt.Sprintf("%v: mini-batch %d, table %d, row %d: %s", f.Kind, f.MiniBatch, f.Table, f.Row, f.Text)
}
