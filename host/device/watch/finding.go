package watch

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Kind is the kind of a finding.
type Kind string

// The kinds of findings. The address is an offset in BAR 0, except for Unmapped.
const (
	// NoRegister is an access to an address of the BAR without a register.
	NoRegister Kind = "no_register"
	// ReadOnly is a write to a register that the driver can only read.
	ReadOnly Kind = "read_only"
	// PartialWrite is a write of a part of a register, which the device refuses.
	PartialWrite Kind = "partial_write"
	// Poll is a register that the driver read many times in sequence, with the same answer, while
	// nothing else happened on the link.
	Poll Kind = "poll"
	// EarlyDoorbell is a doorbell before both ring addresses were written since the last reset.
	EarlyDoorbell Kind = "early_doorbell"
	// FullRing is a doorbell while the completion ring is full of entries that the driver has not
	// returned.
	FullRing Kind = "full_ring"
	// Unmapped is a page of memory that the card accessed although the host had not mapped it.
	Unmapped Kind = "unmapped"
)

// Finding is a mistake that occurred once or repeatedly.
type Finding struct {
	Kind    Kind     `json:"kind"`
	Address uint64   `json:"address"`
	Count   int64    `json:"count"`
	First   des.Time `json:"first_ps"` // time of the first occurrence
}

// meanings describes the kinds for people.
var meanings = map[Kind]string{
	NoRegister:    "access to an address without a register",
	ReadOnly:      "write to a read-only register",
	PartialWrite:  "write of a part of a register",
	Poll:          "read in sequence with the same answer",
	EarlyDoorbell: "doorbell before both ring addresses were written",
	FullRing:      "doorbell while the completion ring was full of entries that the driver had not returned",
	Unmapped:      "access of the device to a page that is not mapped",
}

// String returns the finding as a line for people.
func (f Finding) String() string {
	where := fmt.Sprintf("%#x", f.Address)
	if r, ok := registers[f.Address]; ok && f.Kind != Unmapped {
		where = r.name
	}
	if f.Count > 1 {
		where += fmt.Sprintf(", %s times", format.Thousands(f.Count))
	}
	return fmt.Sprintf("%s at %s: %s", f.Kind, where, meanings[f.Kind])
}

// register is a register of the device.
type register struct {
	name   string
	writes bool // a driver can write it
}

// registers contains the registers by offset.
var registers = func() map[uint64]register {
	m := map[uint64]register{}
	for _, r := range arch.CSRMap.Registers {
		for w := range r.Words {
			m[uint64(r.At(0, w))] = register{r.WordName(0, w), r.Writes(w)}
		}
	}
	return m
}()

// sorted returns findings in the order of their first occurrence.
func sorted(m map[place]*Finding) []Finding {
	list := make([]Finding, 0, len(m))
	for _, f := range m {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Address, b.Address))
	})
	return list
}
