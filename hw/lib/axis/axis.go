package axis

import "github.com/hotline-rtl/hotline/hw"

// Stream carries beats of type T, a record whose fields have the names of the
// specification: name=tdata and so on.
type Stream[T any] struct {
	Valid hw.Bits `hw:"name=tvalid"`
	Ready hw.Bits `hw:"back,name=tready"`
	Data  T       `hw:"inline"`
}

// Fire is 1 when a beat moves.
func (s Stream[T]) Fire() hw.Bits { return s.Valid.And(s.Ready) }

// Channel is s as a stream of package hw, for other parts.
func (s Stream[T]) Channel() hw.Stream[T] { return hw.Stream[T](s) }
