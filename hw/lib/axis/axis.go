package axis

import "github.com/hotline-rtl/hotline/hw"

// Stream carries beats of type T, a record whose fields have the names of the specification:
// name=tdata and so on.
type Stream[T any] struct {
	Valid hw.Bits `hw:"name=tvalid"`
	Ready hw.Bits `hw:"back,name=tready"`
	Data  T       `hw:"inline"`
}

// Fire returns 1 in cycles that transfer a beat.
func (s Stream[T]) Fire() hw.Bits { return s.Valid.And(s.Ready) }

// Channel converts s to a stream of package hw, for use with other components.
func (s Stream[T]) Channel() hw.Stream[T] { return hw.Stream[T](s) }
