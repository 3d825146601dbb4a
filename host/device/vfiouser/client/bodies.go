//go:build linux

package client

import (
	"encoding/binary"
	"fmt"
)

// U32 encodes 32-bit words as little-endian bytes.
func U32(words ...uint32) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// U64 encodes 64-bit words as little-endian bytes.
func U64(words ...uint64) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// MapBody returns the body of a DMAMap. access is 1 for read, 2 for write and 3 for both.
func MapBody(access uint32, fileOffset, addr, size uint64) []byte {
	return append(U32(32, access), U64(fileOffset, addr, size)...)
}

// UnmapBody returns the body of a DMAUnmap.
func UnmapBody(flags uint32, addr, size uint64) []byte {
	return append(U32(24, flags), U64(addr, size)...)
}

// AccessBody returns the body of an access to a region.
func AccessBody(offset uint64, region, count uint32, data ...byte) []byte {
	return append(append(U64(offset), U32(region, count)...), data...)
}

// IRQBody returns the body of a SetIRQs.
func IRQBody(flags, index, start, count uint32, data ...byte) []byte {
	return append(U32(uint32(20+len(data)), flags, index, start, count), data...)
}

// QEMUVersion returns the body of the VERSION message of QEMU 11.1.
func QEMUVersion() []byte {
	return append(U32(0), (`{"capabilities":{"max_msg_fds":16,"max_data_xfer_size":1048576,"max_dma_maps":65535,"pgsizes":4096,` +
		`"migration":{"pgsize":4096},"write_multiple":true}}` + "\x00")...)
}

// Open connects to a socket and negotiates the version.
func Open(path string) (*Client, error) {
	c, err := Dial(path)
	if err != nil {
		return nil, err
	}
	if _, err := c.Call(Version, QEMUVersion()); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Read reads n bytes of a region.
func (c *Client) Read(region uint32, offset uint64, n int) ([]byte, error) {
	b, err := c.Call(RegionRead, AccessBody(offset, region, uint32(n)))
	if err != nil {
		return nil, err
	}
	if want := AccessBody(offset, region, uint32(n)); len(b) != 16+n || string(b[:16]) != string(want) {
		return nil, fmt.Errorf("client: answer % x to a read of %d bytes at %#x of region %d", b, n, offset, region)
	}
	return b[16:], nil
}

// Write writes to a region and waits for the answer.
func (c *Client) Write(region uint32, offset uint64, data ...byte) error {
	want := AccessBody(offset, region, uint32(len(data)))
	b, err := c.Call(RegionWrite, append(want[:16:16], data...))
	if err == nil && string(b) != string(want) {
		return fmt.Errorf("client: answer % x to a write of %d bytes at %#x of region %d", b, len(data), offset, region)
	}
	return err
}
