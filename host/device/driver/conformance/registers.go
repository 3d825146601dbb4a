package conformance

import (
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// registers: register writes arrive in order, a read returns the last written value, and a write
// changes no other register.
func registers(r *harness) {
	list := []uint64{arch.CSRSQBaseLo, arch.CSRSQBaseHi, arch.CSRCQBaseLo, arch.CSRCQBaseHi}
	for i, offset := range list {
		for v := range uint32(10) {
			r.write(offset, v<<12)
		}
		require.EqualValues(r, 9<<12, r.read(offset))
		r.write(offset, uint32(i)<<16)
	}
	for i, offset := range list {
		require.EqualValues(r, i<<16, r.read(offset))
	}
}
