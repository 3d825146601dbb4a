package pcie

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConfigRules checks what 2.2.7 forbids in configuration requests.
func TestConfigRules(t *testing.T) {
	for _, make := range []func() *TLP{
		func() *TLP { return NewConfigRead(0, 1, 0x100, 0x10, 0xf) },
		func() *TLP { return NewConfigWrite(0, 1, 0x100, 0x10, 42, 0) },
	} {
		require.NoError(t, make().Check(128, 128))
		for _, spoil := range []func(*TLP){
			func(x *TLP) { x.Length = 2; x.Data = append(x.Data, x.Data...) }, func(x *TLP) { x.LastBE = 1 },
			func(x *TLP) { x.TC = 1 }, func(x *TLP) { x.Attr = RelaxedOrdering }, func(x *TLP) { x.Attr = IDOrdering }, func(x *TLP) { x.AT = 2 },
		} {
			x := make()
			spoil(x)
			require.ErrorIs(t, x.Check(0, 0), ErrMalformed, "%v", x)
		}
		require.Equal(t, NonPosted, make().Class())
	}
	require.Equal(t, 0, NewConfigRead(0, 1, 0x100, 0, 0xf).DataCredits())
	require.Equal(t, 1, NewConfigWrite(0, 1, 0x100, 0, 0, 0xf).DataCredits())
}

// TestConfigCompletions: completions have four bytes at lower address 0 for any enables, and only
// reads have data.
func TestConfigCompletions(t *testing.T) {
	read, write := NewConfigRead(8, 1, 0x100, 0x13c, 0x4), NewConfigWrite(8, 1, 0x100, 0x13c, 42, 0x4)
	data, none := NewConfigDone(read, 0x100, 0x44332211), NewConfigDone(write, 0x100, 0)
	require.Equal(t, "CplD 01:00.0>00:01.0 tag=001 SC bc=4 la=00 len=1", data.String())
	require.Equal(t, "Cpl 01:00.0>00:01.0 tag=001 SC bc=4 la=00 len=0", none.String())

	e := NewExpect(read, 64, 128)
	_, err := e.Accept(none)
	require.ErrorIs(t, err, ErrUnexpected)
	short := *data
	short.ByteCount = 1
	_, err = e.Accept(&short)
	require.ErrorIs(t, err, ErrUnexpected)
	b, err := e.Accept(data)
	require.NoError(t, err)
	require.Equal(t, []byte{0x11, 0x22, 0x33, 0x44}, b)
	require.Zero(t, e.Left)

	e = NewExpect(write, 64, 128)
	_, err = e.Accept(data)
	require.ErrorIs(t, err, ErrUnexpected)
	require.Equal(t, 4, e.Left)
	_, err = e.Accept(none)
	require.NoError(t, err)
	require.Zero(t, e.Left)

	addr, n := read.Span()
	e = NewExpect(read, 64, 128)
	_, err = e.Accept(NewFailure(read, 0x100, addr, n, UR))
	require.NoError(t, err)
	require.Zero(t, e.Left)
}
