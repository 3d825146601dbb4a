package papers

import "sync"

// once memoizes values by key. It makes each value once, for any number of callers.
type once[K comparable, T any] struct {
	mu   sync.Mutex
	made map[K]func() (T, error)
}

// get returns the value of a key, and calls make for the first caller.
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
