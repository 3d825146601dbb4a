package papers

import "sync"

// once makes values by key, each once, however many ask for it.
type once[K comparable, T any] struct {
	mu   sync.Mutex
	made map[K]func() (T, error)
}

// get is the value of a key, which make makes if nobody has asked for it.
func (o *once[K, T]) get(key K, make func() (T, error)) (T, error) {
	o.mu.Lock()
	value, ok := o.made[key]
	if !ok {
		if o.made == nil {
			o.made = map[K]func() (T, error){}
		}
		value = sync.OnceValues(make)
		o.made[key] = value
	}
	o.mu.Unlock()
	return value()
}
