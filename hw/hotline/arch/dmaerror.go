package arch

import "github.com/hotline-rtl/hotline/hw/enum"

// DMAError is the result of a DMA descriptor. All values but ErrShort are the DMA_ERROR numbers of
// verilog-pcie.
type DMAError uint8

const (
	DMAOK          DMAError = 0
	ErrTimeout     DMAError = 1
	ErrParity      DMAError = 2
	ErrFLR         DMAError = 8
	ErrPoisoned    DMAError = 9
	ErrUnsupported DMAError = 10
	ErrAbort       DMAError = 11
	ErrShort       DMAError = 12 // finished without an error, but with data missing
)

// dmaErrors names each error as the corresponding Status is named.
var dmaErrors = enum.New("dma_error", map[DMAError]string{
	DMAOK: "ok", ErrTimeout: "timeout", ErrParity: "parity", ErrFLR: "flr", ErrPoisoned: "poisoned",
	ErrUnsupported: "unsupported", ErrAbort: "abort", ErrShort: "data_missing",
})

// Enum implements enum.Value.
func (DMAError) Enum() enum.Set { return dmaErrors }

func (e DMAError) String() string { return dmaErrors.Text(uint64(e)) }
