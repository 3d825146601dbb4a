package link

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// TestMessagesOfErrors: severity and masks determine the message to the root complex. Its registers
// keep the first source and record whether there were more messages.
func TestMessagesOfErrors(t *testing.T) {
	r := newHarness(t, nil)
	poison := func() {
		r.link.Inject(func(dir Direction, _ des.Time, x *pcie.TLP) Fate {
			x.EP = dir == Down && x.Kind == pcie.MWr
			return Fate{}
		})
		require.NoError(t, r.rc.Write32(r.ep.BAR().Base+8, 5))
		r.run()
		r.link.Inject(nil)
	}
	set := func(at int, v uint32) { require.NoError(t, r.rc.ConfigWrite(r.ep.ID(), at, v, 0xf)) }
	poison()
	id := r.ep.ID()
	want := RootErrors{Status: RootUncorrectable | RootNonFatal, UncorrectableSource: id, Messages: [3]uint64{0, 1, 0}}
	require.Equal(t, want, r.rc.Errors())
	require.EqualValues(t, 1<<12, r.configRead(aer+config.UncorrectableStatus))
	require.EqualValues(t, 12, r.configRead(aer+config.AERControl)&0x1f)
	for i, v := range []uint32{0x40004001, 0x0000000f, 0xfe000008, 0} {
		require.Equal(t, v, r.configRead(aer+config.HeaderLog+4*i), "header of the write")
	}
	require.NotZero(t, r.configRead(config.Command)>>16&config.DetectedParityError)

	set(aer+config.UncorrectableSeverity, 1<<12)
	poison()
	want.Status |= RootMultipleUncorrectable | RootFatal
	want.Messages[2]++
	require.Equal(t, want, r.rc.Errors())

	set(aer+config.UncorrectableMask, 1<<12)
	poison()
	require.Equal(t, want, r.rc.Errors(), "masked")

	r.rc.ClearErrors()
	require.Zero(t, r.rc.Errors())
	set(aer+config.UncorrectableMask, 0)
	poison()
	require.EqualValues(t, RootUncorrectable|RootFirstFatal|RootFatal, r.rc.Errors().Status)
	require.Zero(t, r.rc.OwnErrors().DW(aer+config.UncorrectableStatus))
}

// TestOwnErrorsOfTheRoot: the root complex records its own errors, with its own ID as the source.
func TestOwnErrorsOfTheRoot(t *testing.T) {
	r := newHarness(t, nil)
	r.write(1<<40, []byte{1, 2, 3, 4}, 1) // beyond memory
	r.run()
	require.Equal(t, RootErrors{Status: RootUncorrectable | RootNonFatal, UncorrectableSource: r.rc.ID(), Messages: [3]uint64{0, 1, 0}}, r.rc.Errors())
	own := r.rc.OwnErrors()
	require.EqualValues(t, 1<<20, own.DW(aer+config.UncorrectableStatus))
	require.EqualValues(t, 0x60000001, own.DW(aer+config.HeaderLog))
	require.EqualValues(t, 1<<8, own.DW(aer+config.HeaderLog+8), "the address")

	r.read(nowhere, 64, 2) // the reader gets an error
	r.run()
	require.EqualValues(t, 1<<13, own.DW(aer+config.CorrectableStatus))
	require.EqualValues(t, 1, r.rc.Errors().Messages[config.NonFatal])
	require.NotZero(t, r.configRead(config.Command)>>16&config.ReceivedMasterAbort)
}

// TestRefusedRegister: a register access that the core refuses is an error of the function.
func TestRefusedRegister(t *testing.T) {
	for status, want := range map[pcie.Status]config.Error{pcie.CA: config.CompleterAbort, pcie.UR: config.UnsupportedRequest} {
		r := newHarness(t, nil)
		require.NoError(t, r.rc.ConfigWrite(r.ep.ID(), aer+config.CorrectableMask, 0, 0xf))
		r.core.refuse[4] = status
		_, err := r.rc.Read32(r.ep.BAR().Base + 4)
		require.Error(t, err)
		r.run()
		require.EqualValues(t, 1<<want.Bit(), r.configRead(aer+config.UncorrectableStatus))
		require.Equal(t, status == pcie.CA, r.configRead(config.Command)>>16&config.SignaledTargetAbort != 0)
		require.Equal(t, RootErrors{Status: RootCorrectable, CorrectableSource: r.ep.ID(), Messages: [3]uint64{1, 0, 0}}, r.rc.Errors())
	}
}

// TestSwitchTellsTheRoot: a switch reports errors at its ports to the root complex.
func TestSwitchTellsTheRoot(t *testing.T) {
	k := des.NewKernel()
	rc, err := NewRootComplex(k, DefaultRootConfig(), des.NewMemory("host", 1<<30))
	require.NoError(t, err)
	sw := NewSwitch(k, pcie.NewID(2, 0, 0), SwitchLatency)
	sw.report(config.ECRCError, nil) // not attached, so nothing is sent
	_, err = rc.Attach(DefaultConfig(), sw)
	require.NoError(t, err)
	sw.report(config.ECRCError, nil)
	require.NoError(t, k.Run(nil))
	require.EqualValues(t, 1<<19, sw.OwnErrors().DW(aer+config.UncorrectableStatus))
	require.Equal(t, RootErrors{Status: RootUncorrectable | RootNonFatal, UncorrectableSource: sw.ID(), Messages: [3]uint64{0, 1, 0}}, rc.Errors())
}
