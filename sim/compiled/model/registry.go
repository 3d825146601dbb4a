package model

import (
	"sync"

	"github.com/hotline-rtl/hotline/sim"
)

var (
	mutex  sync.RWMutex
	byHash = map[string]func() sim.Simulator{}
)

// Register makes the model of the design with this hash available. A generated
// package does so when it is imported.
func Register(hash string, make func() sim.Simulator) {
	mutex.Lock()
	defer mutex.Unlock()
	byHash[hash] = make
}

// Lookup is a new model of the design with this hash; false if none is
// registered.
func Lookup(hash string) (sim.Simulator, bool) {
	mutex.RLock()
	make, ok := byHash[hash]
	mutex.RUnlock()
	if !ok {
		return nil, false
	}
	return make(), true
}
