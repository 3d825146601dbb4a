//go:build linux

package vfiouser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"syscall"
)

// Capabilities contains the capabilities that a client reports.
type Capabilities struct {
	// MaxTransfer is the maximum number of bytes of a DMA message.
	MaxTransfer uint64 `json:"max_data_xfer_size"`
	// MaxFiles is the maximum number of file descriptors that it accepts in a message.
	MaxFiles uint64 `json:"max_msg_fds"`
}

// capabilities is the JSON object of both sides.
type capabilities[T any] struct {
	Capabilities T `json:"capabilities"`
}

// own contains the capabilities that the server reports.
type own struct {
	Capabilities
	MaxMaps  uint64 `json:"max_dma_maps"`
	PageSize uint64 `json:"pgsizes"`
}

// negotiate answers the first message. The major version must be 0.
func (s *session) negotiate(m *message) ([][]byte, error) {
	if m.command != cmdVersion || s.agreed || len(m.body) < 4 {
		return nil, syscall.EINVAL
	}
	if major := le.Uint16(m.body); major != 0 {
		return nil, fmt.Errorf("vfiouser: the client speaks version %d.%d, expected 0: %w", major, le.Uint16(m.body[2:]), syscall.EPROTONOSUPPORT)
	}
	theirs := capabilities[Capabilities]{Capabilities{MaxTransfer: maxTransfer, MaxFiles: 1}}
	if text := m.body[4:]; len(text) > 0 {
		i := bytes.IndexByte(text, 0)
		if i != len(text)-1 || json.Unmarshal(text[:i], &theirs) != nil {
			return nil, syscall.EINVAL
		}
	}
	c := theirs.Capabilities
	if c.MaxTransfer < 1 {
		return nil, syscall.EINVAL
	}
	s.client, s.agreed = c, true
	s.client.MaxTransfer = min(c.MaxTransfer, maxTransfer)
	text, err := json.Marshal(capabilities[own]{own{Capabilities{maxTransfer, maxFiles}, maxWindows, pageBytes}})
	if err != nil {
		return nil, err
	}
	s.server.say(fmt.Sprintf("client speaks version 0.%d: DMA messages of up to %d bytes, %d descriptors", le.Uint16(m.body[2:]), c.MaxTransfer, c.MaxFiles))
	return [][]byte{{0, 0, 0, 0}, append(text, 0)}, nil
}
