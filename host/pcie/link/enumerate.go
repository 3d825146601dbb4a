package link

import (
	"errors"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// Enumerate searches all buses for functions, as firmware does at boot. It assigns addresses from
// [RootConfig.Devices] to the BARs of each function, reproducibly, and applies the settings in want
// as far as the function supports them. It returns the functions found. GPUs and switches have no
// configuration space and are not found.
//
// Enumerate runs the kernel and must not be called from within an event. It fails if a function
// responds incorrectly or its BARs do not fit.
func (rc *RootComplex) Enumerate(want Straps) ([]pcie.ID, error) {
	if err := want.Check(); err != nil {
		return nil, err
	}
	var found []pcie.ID
	for bus := range 256 {
		id := pcie.NewID(bus, 0, 0)
		v, err := rc.ConfigRead(id, 0)
		if absent(v, err) {
			continue
		}
		f := &host{rc: rc, id: id, err: err}
		f.setUp(want)
		if f.err != nil {
			return found, fmt.Errorf("link: enumeration of %v: %w", id, f.err)
		}
		found = append(found, id)
	}
	return found, nil
}

// absent reports whether no function responded to the read of an ID.
func absent(v uint32, err error) bool {
	var failed *ConfigError
	return errors.As(err, &failed) && failed.Code == UnsupportedRequest || err == nil && v == math.MaxUint32
}

// host configures a function. After an error, all its methods do nothing.
type host struct {
	rc  *RootComplex
	id  pcie.ID
	err error
}

func (h *host) read(at int) (v uint32) {
	if h.err == nil {
		v, h.err = h.rc.ConfigRead(h.id, at)
	}
	return v
}

func (h *host) write(at int, v uint32, enables uint8) {
	if h.err == nil {
		h.err = h.rc.ConfigWrite(h.id, at, v, enables)
	}
}

// setUp sizes and assigns BAR 0 and configures the function within its capabilities.
func (h *host) setUp(want Straps) {
	if kind := h.read(config.HeaderType&^3) >> 16 & 0x7f; kind != 0 && h.err == nil {
		h.err = fmt.Errorf("header type %d, expected 0", kind)
	}
	window := h.place()
	express := h.find(config.ExpressID)
	can := h.read(express + config.DeviceCapabilities)
	want.MPS = min(want.MPS, 128<<(can&7))
	want.ExtendedTags = want.ExtendedTags && can>>5&1 != 0
	h.setUpDigests(want.ECRC)
	for _, w := range setup(want, window.Base, h.find) {
		h.write(w.at, w.value, w.enables)
	}
	if h.err == nil {
		h.rc.route(h.id, window)
	}
}

// setUpDigests enables ECRC within the function's capabilities, and generation also in the root
// complex.
func (h *host) setUpDigests(generate bool) {
	h.rc.setECRC(generate)
	aer := extended(h.read, config.AERID)
	if aer == 0 || h.err != nil {
		return
	}
	can := h.read(aer + config.AERControl)
	w := digests(aer, generate)
	w.value &= can << 1 // each enable bit follows its capability bit
	h.write(w.at, w.value, w.enables)
}

// place sizes BAR 0 and returns a window for it. The function does not respond at the BAR
// meanwhile.
func (h *host) place() Window {
	h.write(config.Command, 0, 0x3)
	h.write(config.BAR0, math.MaxUint32, 0xf)
	bar := h.read(config.BAR0)
	size := uint64(^(bar &^ 0xf)) + 1
	switch {
	case h.err != nil:
	case bar&^0xf == 0 || bar&7 != 0:
		h.err = fmt.Errorf("BAR 0 reads %#x after writing ones, expected memory of 32 bits", bar)
	default:
		var w Window
		w, h.err = h.rc.assign(h.id, size)
		return w
	}
	return Window{}
}

// find returns the offset of a capability. It fails if the list lacks the capability or does not
// end.
func (h *host) find(id int) int {
	at := int(h.read(config.Capabilities) & 0xfc)
	for range 48 {
		if at == 0 || h.err != nil {
			break
		}
		dw := h.read(at)
		if int(dw&0xff) == id {
			return at
		}
		at = int(dw >> 8 & 0xfc)
	}
	if h.err == nil {
		h.err = fmt.Errorf("no capability %#x in its list", id)
	}
	return 0
}

// assign assigns an address range to a BAR, aligned to its size.
func (rc *RootComplex) assign(id pcie.ID, size uint64) (Window, error) {
	if w, ok := rc.assigned[id]; ok && w.Size == size {
		return w, nil
	}
	all := rc.cfg.Devices
	for base := (all.Base + size - 1) &^ (size - 1); base+size <= all.Base+all.Size; base += size {
		w := Window{base, size}
		if rc.routed(w) == nil {
			rc.assigned[id] = w
			return w, nil
		}
	}
	return Window{}, fmt.Errorf("no place for a BAR of %#x bytes in %v", size, all)
}

// route routes a window to a function in all bridges on the path.
func (rc *RootComplex) route(id pcie.ID, w Window) {
	h := &rc.hub
	for rc.portOf(w.Base) == nil {
		p := h.ids[id]
		if p.below() == id {
			h.claim(id, []Window{w}, p)
			return
		}
		h = &p.link.ports[Up].own.(*Switch).hub
	}
}
