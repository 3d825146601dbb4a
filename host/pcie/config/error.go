package config

import "fmt"

// Error is an error defined by AER. Its value is its bit number in the uncorrectable error
// registers, or 32 plus its bit number in the correctable error registers.
type Error uint8

const correctableErrors = 32

// Uncorrectable errors (7.8.4.2).
const (
	DataLinkProtocol     Error = 4
	PoisonedTLP          Error = 12
	FlowControlProtocol  Error = 13
	CompletionTimeout    Error = 14
	CompleterAbort       Error = 15
	UnexpectedCompletion Error = 16
	ReceiverOverflow     Error = 17
	MalformedTLP         Error = 18
	ECRCError            Error = 19
	UnsupportedRequest   Error = 20
)

// Correctable errors (7.8.4.5).
const (
	ReceiverError      Error = correctableErrors + 0
	BadTLP             Error = correctableErrors + 6
	BadDLLP            Error = correctableErrors + 7
	ReplayRollover     Error = correctableErrors + 8
	ReplayTimerTimeout Error = correctableErrors + 12
	AdvisoryNonFatal   Error = correctableErrors + 13
)

// errorNames contains the names of the specification.
var errorNames = []struct {
	error Error
	name  string
}{
	{DataLinkProtocol, "Data Link Protocol Error"},
	{PoisonedTLP, "Poisoned TLP"},
	{FlowControlProtocol, "Flow Control Protocol Error"},
	{CompletionTimeout, "Completion Timeout"},
	{CompleterAbort, "Completer Abort"},
	{UnexpectedCompletion, "Unexpected Completion"},
	{ReceiverOverflow, "Receiver Overflow"},
	{MalformedTLP, "Malformed TLP"},
	{ECRCError, "ECRC Error"},
	{UnsupportedRequest, "Unsupported Request"},
	{ReceiverError, "Receiver Error"},
	{BadTLP, "Bad TLP"},
	{BadDLLP, "Bad DLLP"},
	{ReplayRollover, "REPLAY_NUM Rollover"},
	{ReplayTimerTimeout, "Replay Timer Timeout"},
	{AdvisoryNonFatal, "Advisory Non-Fatal Error"},
}

// Correctable reports whether the error is correctable.
func (e Error) Correctable() bool { return e >= correctableErrors }

// Bit returns the bit number of the error in its registers.
func (e Error) Bit() int { return int(e % correctableErrors) }

// Fatal reports whether the error is fatal after power-up.
func (e Error) Fatal() bool {
	switch e {
	case DataLinkProtocol, FlowControlProtocol, ReceiverOverflow, MalformedTLP:
		return true
	}
	return false
}

func (e Error) String() string {
	for _, n := range errorNames {
		if n.error == e {
			return n.name
		}
	}
	return fmt.Sprintf("Error(%d)", uint8(e))
}
