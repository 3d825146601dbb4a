package pcie

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachBitOfACompletion flips each bit of the fields that match a completion to its request and
// position. The changed completion is unexpected, and the original is still accepted afterwards.
//
//	requester 16, tag 10, traffic class 3, attributes 3, byte count 13, lower address 7
func TestEachBitOfACompletion(t *testing.T) {
	request := NewRead(NewID(0x5a, 0x15, 5), 0x2a5, 0x1234, 96)
	request.TC, request.Attr = 5, 2
	for _, c := range []struct {
		field string
		bits  int
		flip  func(x *TLP, bit int)
	}{
		{"requester", 16, func(x *TLP, bit int) { x.Requester ^= 1 << bit }},
		{"tag", 10, func(x *TLP, bit int) { x.Tag ^= 1 << bit }},
		{"traffic class", 3, func(x *TLP, bit int) { x.TC ^= 1 << bit }},
		{"attributes", 3, func(x *TLP, bit int) { x.Attr ^= 1 << bit }},
		{"byte count", 13, func(x *TLP, bit int) { x.ByteCount ^= 1 << bit }},
		{"lower address", 7, func(x *TLP, bit int) { x.LowerAddr ^= 1 << bit }},
	} {
		for bit := range c.bits {
			good := NewCompletion(request, NewID(1, 0, 0), request.Addr, 96, 96)
			bad := *good
			c.flip(&bad, bit)
			e := NewExpect(request, 64, 256)
			_, err := e.Accept(&bad)
			require.ErrorIs(t, err, ErrUnexpected, "%s, bit %d", c.field, bit)
			b, err := e.Accept(good)
			require.NoError(t, err)
			require.Len(t, b, 96)
		}
	}
}
