package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/pcie/config"
)

const aerAt = 0x100

// TestCorrectableErrors: correctable errors set their bits. If the host enables messages, each
// error is reported once until the host clears its bit.
func TestCorrectableErrors(t *testing.T) {
	for _, e := range []config.Error{config.ReceiverError, config.BadTLP, config.BadDLLP, config.ReplayRollover, config.ReplayTimerTimeout} {
		s := newSpace(t)
		control := find(t, s, config.ExpressID) + config.DeviceControl
		severity, tell := s.Report(e, false, nil)
		require.Equal(t, config.Correctable, severity)
		require.False(t, tell, "nobody asked")
		require.EqualValues(t, 1<<e.Bit(), s.DW(aerAt+config.CorrectableStatus), e)
		require.EqualValues(t, 1, s.DW(control)>>16, "Correctable Error Detected")
		require.Zero(t, s.DW(aerAt+config.UncorrectableStatus))

		s.SetDW(control, 1, 1)
		for _, want := range []bool{true, false} {
			if want {
				s.SetDW(aerAt+config.CorrectableStatus, 0xffffffff, 0xf)
			}
			_, tell = s.Report(e, false, nil)
			require.Equal(t, want, tell)
		}
		s.SetDW(aerAt+config.CorrectableStatus, 0xffffffff, 0xf)
		s.SetDW(aerAt+config.CorrectableMask, 1<<e.Bit(), 0xf)
		_, tell = s.Report(e, false, nil)
		require.False(t, tell, "masked")
	}
}

// TestAdvisoryErrors: advisory errors count as correctable and are logged if they are not masked. A
// fatal error is never advisory.
func TestAdvisoryErrors(t *testing.T) {
	s := newSpace(t)
	control := find(t, s, config.ExpressID) + config.DeviceControl
	s.SetDW(control, 0xf, 1)
	tlp := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	severity, tell := s.Report(config.UnsupportedRequest, true, tlp)
	require.Equal(t, config.Correctable, severity)
	require.False(t, tell)
	require.EqualValues(t, 1<<13, s.DW(aerAt+config.CorrectableStatus))
	require.Zero(t, s.DW(aerAt+config.UncorrectableStatus))
	require.EqualValues(t, 0b1001, s.DW(control)>>16)

	s.SetDW(aerAt+config.CorrectableMask, 0, 0xf)
	_, tell = s.Report(config.UnsupportedRequest, true, tlp)
	require.True(t, tell)
	require.EqualValues(t, 1<<20, s.DW(aerAt+config.UncorrectableStatus))
	require.EqualValues(t, 0x01020304, s.DW(aerAt+config.HeaderLog))
	s.SetDW(control, 0x7, 1)
	_, tell = s.Report(config.UnsupportedRequest, true, tlp)
	require.False(t, tell, "unsupported requests have an enable of their own")

	s.SetDW(aerAt+config.UncorrectableSeverity, 1<<16, 0xf)
	severity, tell = s.Report(config.UnexpectedCompletion, true, tlp)
	require.Equal(t, config.Fatal, severity)
	require.True(t, tell)
	require.EqualValues(t, 20, s.DW(aerAt+config.AERControl)&0x1f, "the first")
}

// TestStatusBits: a master data parity error is visible only if the host enables it.
func TestStatusBits(t *testing.T) {
	s := newSpace(t)
	s.SetStatus(config.DetectedParityError | config.MasterDataParityError)
	require.EqualValues(t, 0x8010, s.DW(config.Command)>>16)
	s.SetDW(config.Command, config.CommandParity, 0x3)
	s.SetStatus(config.DetectedParityError | config.MasterDataParityError)
	require.EqualValues(t, 0x8110, s.DW(config.Command)>>16)
	s.SetDW(config.Command, 0xffff0000, 0xc)
	require.EqualValues(t, 0x0010, s.DW(config.Command)>>16)
}

func TestNamesOfErrors(t *testing.T) {
	require.Equal(t, "Malformed TLP", config.MalformedTLP.String())
	require.Equal(t, "Bad DLLP", config.BadDLLP.String())
	require.Equal(t, "Error(63)", config.Error(63).String())
}
