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

// Register makes the model of the design with this hash available. A generated
// package does so when it is imported. Models have several lanes in a word, the
// first one in its least significant bits, and in arrays of them; where memory has
// the most significant byte first, none is available.
func Register(hash string, make func(Level) sim.Simulator) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return
	}
	mutex.Lock()
	defer mutex.Unlock()
	byHash[hash] = make
}

// Lookup is a new model of the design with this hash, at a level that this processor
// has; false if none is registered.
func Lookup(hash string, l Level) (sim.Simulator, bool) {
	mutex.RLock()
	make, ok := byHash[hash]
	mutex.RUnlock()
	if !ok {
		return nil, false
	}
	return make(l), true
}
