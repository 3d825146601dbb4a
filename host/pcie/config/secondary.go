package config

import (
	"encoding/binary"
	"fmt"
)

// Registers of the Secondary PCI Express capability, relative to its start (7.7.3).
const (
	linkControl3     = 0x04
	laneErrorStatus  = 0x08
	laneEqualization = 0x0c // 2 bytes per lane
)

const (
	// mostLanes is the maximum number of lanes, each with an equalization control register.
	mostLanes = 16
	// firstEqualized is the first generation with link equalization: 8 GT/s.
	firstEqualized = 3
	// equalized contains the bits of Link Status 2 for a successful equalization at 8 GT/s in all
	// phases.
	equalized = 0x1e
)

// Presets that the port above sends during equalization: -6 dB de-emphasis with 3.5 dB preshoot,
// and the receiver hint of -8 dB. The values are an assumption.
const (
	transmitterPreset = 7
	receiverHint      = 2
)

// secondary returns the Secondary PCI Express capability. A function has it if its link can run at
// 8 GT/s. Otherwise, all of it reads 0 and no capability points to it.
func secondary() []Register {
	list := []Register{
		{"Secondary PCI Express", secondaryAt, 4, []Field{
			{Name: "Capability ID", Bits: 16, Kind: Live, About: "19 from 8 GT/s on, else 0"},
			{Name: "Version", Low: 16, Bits: 4, Kind: Live, About: "1, likewise"},
			fixed(20, 12, "Next", 0, ""),
		}},
		{"Link Control 3", secondaryAt + linkControl3, 4, []Field{
			fixed(0, 1, "Perform Equalization", 0, "for the port above"),
			fixed(1, 1, "Link Equalization Request Interrupt Enable", 0, "likewise"),
		}},
		{"Lane Error Status", secondaryAt + laneErrorStatus, 4, []Field{
			fixed(0, mostLanes, "Lane Error Status", 0, "lane errors are not modelled"),
		}},
	}
	for i := range mostLanes {
		list = append(list, Register{fmt.Sprintf("Lane %d Equalization Control", i), secondaryAt + laneEqualization + 2*i, 2, []Field{
			{Name: "Upstream Port 8.0 GT/s Transmitter Preset", Low: 8, Bits: 4, Kind: Live, About: "sent by the port above, for lanes of the slot"},
			{Name: "Upstream Port 8.0 GT/s Receiver Preset Hint", Low: 12, Bits: 3, Kind: Live, About: "likewise"},
		}})
	}
	return list
}

// setEqualized sets the result of an equalization at 8 GT/s with the given number of lanes. For a
// slower link, it removes the capability.
func (s *Space) setEqualized(generation, lanes int) {
	var header, lane uint32
	if generation >= firstEqualized {
		header, lane = 1<<16|SecondaryID, receiverHint<<12|transmitterPreset<<8
		s.put(expressAt+linkControl2, s.DW(expressAt+linkControl2)|equalized<<16)
	}
	var next uint32
	if header != 0 {
		next = secondaryAt
	}
	s.put(serialAt, s.DW(serialAt)&^(0xfff<<20)|next<<20)
	s.put(secondaryAt, header)
	for i := range mostLanes {
		v := lane
		if i >= lanes {
			v = 0
		}
		binary.LittleEndian.PutUint16(s.value[secondaryAt+laneEqualization+2*i:], uint16(v))
	}
}
