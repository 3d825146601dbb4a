//go:build linux

package rootport_test

import (
	"slices"
	"sync"
	"time"

	"github.com/hotline-rtl/hotline/host/device/vfiouser"
)

// late is the delay that a bug adds. It is much longer than the client's wait for an answer.
const late = 50 * time.Millisecond

// bugs contains the injected bugs. Each bug breaks the ordering table.
var bugs = map[string]seed{
	"writes are late": {host: func(h vfiouser.Host) vfiouser.Host {
		return hostBug{Host: h, write: func(addr uint64, p []byte, done func(error)) {
			time.AfterFunc(late, func() { h.WriteDMA(addr, p, done) })
		}}
	}},
	"messages are late": {host: func(h vfiouser.Host) vfiouser.Host {
		return hostBug{Host: h, write: func(addr uint64, p []byte, done func(error)) {
			if addr < messages {
				h.WriteDMA(addr, p, done)
				return
			}
			time.AfterFunc(late, func() { h.WriteDMA(addr, p, done) })
		}}
	}},
	"writes change places": {host: func(h vfiouser.Host) vfiouser.Host {
		var mutex sync.Mutex
		var waits []func()
		release := func() {
			mutex.Lock()
			defer mutex.Unlock()
			for _, f := range slices.Backward(waits) {
				f()
			}
			waits = nil
		}
		return hostBug{Host: h, write: func(addr uint64, p []byte, done func(error)) {
			mutex.Lock()
			defer mutex.Unlock()
			waits = append(waits, func() { h.WriteDMA(addr, p, done) })
			time.AfterFunc(late, release)
		}}
	}},
	"one DMA at a time": {host: func(h vfiouser.Host) vfiouser.Host {
		turn := make(chan struct{}, 1)
		alone := func(dma func(uint64, []byte, func(error))) func(uint64, []byte, func(error)) {
			return func(addr uint64, p []byte, done func(error)) {
				go func() {
					turn <- struct{}{}
					dma(addr, p, func(err error) { <-turn; done(err) })
				}()
			}
		}
		return hostBug{h, alone(h.ReadDMA), alone(h.WriteDMA)}
	}},
	"register writes are late": {device: func(d vfiouser.Device) vfiouser.Device { return lateRegisters{d} }},
}

// hostBug replaces the DMA functions of a host.
type hostBug struct {
	vfiouser.Host
	read, write func(uint64, []byte, func(error))
}

func (h hostBug) ReadDMA(addr uint64, p []byte, done func(error)) {
	if h.read == nil {
		h.Host.ReadDMA(addr, p, done)
		return
	}
	h.read(addr, p, done)
}

func (h hostBug) WriteDMA(addr uint64, p []byte, done func(error)) { h.write(addr, p, done) }

// lateRegisters delays writes of regMark.
type lateRegisters struct{ vfiouser.Device }

func (d lateRegisters) WriteBAR(bar int, offset uint64, b []byte) {
	if offset != regMark {
		d.Device.WriteBAR(bar, offset, b)
		return
	}
	time.AfterFunc(late, func() { d.Device.WriteBAR(bar, offset, b) })
}
