// Code generated from the register map hotline; DO NOT EDIT.

package arch

// Byte offsets of registers. Control and status registers of the accelerator.
const (
	CSRID             = 0x00
	CSRVersion        = 0x04
	CSRCaps0          = 0x08
	CSRCaps1          = 0x0C
	CSRCaps2          = 0x10
	CSRCaps3          = 0x14
	CSRCaps4          = 0x18
	CSRControl        = 0x20
	CSRStatus         = 0x24
	CSRSQBaseLo       = 0x30
	CSRSQBaseHi       = 0x34
	CSRSQLog2         = 0x38
	CSRSQTail         = 0x3C
	CSRSQHead         = 0x40
	CSRCQBaseLo       = 0x44
	CSRCQBaseHi       = 0x48
	CSRCQLog2         = 0x4C
	CSRCQHead         = 0x50
	CSRCQTail         = 0x54
	CSRError          = 0x58
	CSRRowsAhead      = 0x5C
	CSRLookups        = 0x60
	CSRCacheHits      = 0x64
	CSRLookupCycles   = 0x68
	CSRRowsRead       = 0x6C
	CSRRowsWritten    = 0x70
	CSRDropped        = 0x74
	CSRHotLookups     = 0x78
	CSRConflicts      = 0x7C
	CSRWindowStalls   = 0x80
	CSRQueueStalls    = 0x84
	CSRLearnCycles    = 0x88
	CSRReadsInFlight  = 0x8C
	CSRTagStalls      = 0x90
	CSRLateRows       = 0x94
	CSRWriteStalls    = 0x98
	CSRBytesReadLo    = 0xA0
	CSRBytesReadHi    = 0xA4
	CSRBytesWrittenLo = 0xA8
	CSRBytesWrittenHi = 0xAC
)

// Lowest bits of fields.
const (
	Caps0EnginesLog2Low  = 0
	Caps0BanksLog2Low    = 8
	Caps0BlocksLog2Low   = 16
	Caps0WaysLog2Low     = 24
	Caps1StreamBytesLow  = 0
	Caps1TagsLow         = 16
	Caps2HalfWordsLow    = 0
	Caps3SlotsLow        = 0
	Caps3TablesLow       = 16
	Caps4IDBitsLow       = 0
	Caps4GPUsLow         = 8
	Caps4VectorValuesLow = 16
	ControlEnableBit     = 0
	ControlEnabledBit    = 0
	ControlResetBit      = 1
	ControlResettingBit  = 1
	StatusBusyBit        = 0
	StatusReadyBit       = 1
	StatusHaltedBit      = 2
	StatusOverrunBit     = 3
	StatusNoRingsBit     = 4
	ReadsInFlightNowLow  = 0
	ReadsInFlightMostLow = 16
)
