package model

import (
	"encoding/binary"
	"sync"

	"github.com/hotline-rtl/hotline/sim"
)

var (
	mutex  sync.RWMutex
	byHash = map[string]func(Level) sim.Simulator{}
)

// Register makes the model of the design with this hash available. A generated package calls it
// when it is imported. On big-endian machines, Register does nothing: models pack lanes into words
// and arrays in little-endian order.
func Register(hash string, make func(Level) sim.Simulator) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return
	}
	mutex.Lock()
	defer mutex.Unlock()
	byHash[hash] = make
}

// Lookup returns a new model of the design with this hash, at a level that this processor supports.
// It returns false if no model is registered.
func Lookup(hash string, l Level) (sim.Simulator, bool) {
	mutex.RLock()
	make, ok := byHash[hash]
	mutex.RUnlock()
	if !ok {
		return nil, false
	}
	return make(l), true
}
