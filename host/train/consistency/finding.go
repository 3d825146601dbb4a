package consistency

import "fmt"

// Kind classifies a finding.
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

// String returns the name of a kind.
func (k Kind) String() string { return kinds[k] }

// MarshalText implements encoding.TextMarshaler. It encodes the name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Finding is a deviation from sequential training.
type Finding struct {
	Kind      Kind   `json:"kind"`
	MiniBatch int    `json:"mini_batch"` // that reads, or from which a slot is taken; -1 if none
	Table     int    `json:"table"`      // -1 if the finding concerns no row
	Row       uint32 `json:"row"`
	Age       int    `json:"age"` // of a stale read: number of updates that the row lacks
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
