package bench

import "github.com/hotline-rtl/hotline/hw"

// PushOf makes a source for the hw.Stream[T] name; an item has the words of each
// field of T in turn. Params are those of the module that declares it.
func PushOf[T any](b *Bench, name string, params any) *Source {
	ports := portsOf[T](name, params)
	return b.Source(ports[0], ports[1], ports[2:]...)
}

// PopOf makes a sink for the hw.Stream[T] name, as PushOf makes a source.
func PopOf[T any](b *Bench, name string, params any) *Sink {
	ports := portsOf[T](name, params)
	return b.Sink(ports[0], ports[1], ports[2:]...)
}

// portsOf are the names of the ports of a stream: valid, ready, fields.
func portsOf[T any](name string, params any) (ports []string) {
	hw.Bind[hw.Stream[T]](params, func(port string) hw.Pin {
		ports = append(ports, name+"_"+port)
		return nil
	})
	return ports
}
