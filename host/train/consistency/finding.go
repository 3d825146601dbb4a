package consistency

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

var kinds = [...]string{"stale read", "wrong read", "lost update", "held slot", "two places"}

// String is the kind in words.
func (k Kind) String() string { return kinds[k] }

// MarshalText implements encoding.TextMarshaler: JSON has the words.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Finding is something that sequential training would not do.
type Finding struct {
	Kind      Kind   `json:"kind"`
	MiniBatch int    `json:"mini_batch"` // that reads, or from which a slot is taken; -1 if it is of none
	Table     int    `json:"table"`      // -1 if it is of no row
	Row       uint32 `json:"row"`
	Age       int    `json:"age"` // of a stale read: by how many updates the row is too old
	Text      string `json:"text"`
}

func (f Finding) String() string {
	text := f.Kind.String()
	if f.MiniBatch >= 0 {
		text += fmt.Sprintf(", mini-batch %d", f.MiniBatch)
	}
	if f.Table >= 0 {
		text += fmt.Sprintf(", table %d, row %d", f.Table, f.Row)
	}
	return text + ": " + f.Text
}
