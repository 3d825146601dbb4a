package bench

import "github.com/hotline-rtl/hotline/hw"

// PushOf returns a new source for the hw.Stream[T] called name. An item contains the words of each
// field of T in order. Params are the parameters of the module that declares the stream.
func PushOf[T any](b *Bench, name string, params any) *Source {
	ports := portsOf[T](name, params)
	return b.Source(ports[0], ports[1], ports[2:]...)
}

// PopOf returns a new sink for the hw.Stream[T] called name. Items and params are as in PushOf.
func PopOf[T any](b *Bench, name string, params any) *Sink {
	ports := portsOf[T](name, params)
	return b.Sink(ports[0], ports[1], ports[2:]...)
}

// portsOf returns the names of the ports of a stream: valid, ready, fields.
func portsOf[T any](name string, params any) (ports []string) {
	hw.Bind[hw.Stream[T]](params, func(port string) hw.Pin {
		ports = append(ports, name+"_"+port)
		return nil
	})
	return ports
}
