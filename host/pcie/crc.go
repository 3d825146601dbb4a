package pcie

import "hash/crc32"

// variant marks the bits of the first DW that a switch may change: Type[0] and EP. The ECRC is
// computed as if they were 1 (2.7.1).
var variant = [4]byte{0x01, 0x00, 0x40, 0x00}

// ECRC returns the end-to-end CRC of an encoded TLP, header and payload without the digest. The TLP
// must have at least four bytes. The CRC covers the TD bit. On the wire, its least significant byte
// is first.
func ECRC(tlp []byte) uint32 {
	first := [4]byte(tlp)
	for i := range first {
		first[i] |= variant[i]
	}
	return crc32.Update(crc32.ChecksumIEEE(first[:]), crc32.IEEETable, tlp[4:])
}

// ECRC returns the digest of this TLP as if TD were set. The fields of the TLP must fit the
// encoding.
func (t *TLP) ECRC() uint32 {
	var buf [16]byte
	h := t.header(&buf)
	h[2] |= 0x80 // TD
	return crc32.Update(ECRC(h), crc32.IEEETable, t.Data)
}

// LCRC returns the link CRC of an encoded TLP with its 12-bit sequence number (3.6.2). On the wire,
// its least significant byte is first.
func LCRC(seq uint16, tlp []byte) uint32 {
	crc := crc32.ChecksumIEEE([]byte{byte(seq >> 8 & 0xf), byte(seq)})
	return crc32.Update(crc, crc32.IEEETable, tlp)
}

// dllpTable is for polynomial 100Bh, least significant bit first.
var dllpTable = func() (table [256]uint16) {
	for i := range table {
		crc := uint16(i)
		for range 8 {
			crc = crc>>1 ^ 0xd008*(crc&1)
		}
		table[i] = crc
	}
	return table
}()

// DLLPCRC returns the 16-bit CRC of the four bytes of a data-link-layer packet (3.5.1). On the
// wire, its least significant byte is first.
func DLLPCRC(dllp [4]byte) uint16 {
	crc := uint16(0xffff)
	for _, b := range dllp {
		crc = crc>>8 ^ dllpTable[byte(crc)^b]
	}
	return ^crc
}
