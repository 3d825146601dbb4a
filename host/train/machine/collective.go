package machine

import "github.com/hotline-rtl/hotline/host/des"

// Collectives follow the cost model of nccl-tests: bytes is the size of the buffer of one rank. The
// bus carries 2(n-1)/n of it in an all-reduce and (n-1)/n in other collectives. With one rank, no
// bytes move and no time passes.

// bus returns the bandwidth between a GPU and the other GPUs of its server, in GB/s.
func (m *Machine) bus(gpus int) float64 {
	return m.NVLinkGBPerSecond * min(float64(gpus-1), m.NVLinkPeers)
}

// AllReduce returns the time to sum bytes over nodes servers of gpus GPUs each. One server uses its
// own links. Several servers form one ring through all ranks, which is as fast as its slowest hop,
// the network card.
func (m *Machine) AllReduce(bytes, gpus, nodes int) des.Time {
	if nodes <= 1 {
		return m.inside(2, bytes, gpus)
	}
	return us(m.CollectiveUs) + transfer(m.NICGBPerSecond, 2*othersShare(gpus*nodes)*float64(bytes))
}

// AllGather returns the time in which each GPU gets the parts of all other GPUs, bytes in total. A
// reduce-scatter of bytes takes the same time.
func (m *Machine) AllGather(bytes, gpus, nodes int) des.Time {
	if nodes <= 1 {
		return m.inside(1, bytes, gpus)
	}
	return us(m.CollectiveUs) + transfer(m.NICGBPerSecond, othersShare(gpus*nodes)*float64(bytes))
}

// AllToAll returns the time in which each GPU sends an equal part of its bytes to each other GPU.
// The GPUs of a server share its network card.
func (m *Machine) AllToAll(bytes, gpus, nodes int) des.Time {
	if nodes <= 1 {
		return m.inside(1, bytes, gpus)
	}
	t := transfer(m.NICGBPerSecond, float64(bytes)*othersShare(nodes)*float64(gpus))
	if gpus > 1 {
		t = max(t, transfer(m.bus(gpus), float64(bytes)*float64(gpus-1)/float64(gpus*nodes)))
	}
	return us(m.CollectiveUs) + t
}

// Broadcast returns the time in which GPU 0 sends bytes to all other GPUs, along a chain.
func (m *Machine) Broadcast(bytes, gpus, nodes int) des.Time {
	switch {
	case gpus*nodes <= 1:
		return 0
	case nodes <= 1:
		return us(m.CollectiveUs) + transfer(m.NVLinkGBPerSecond, float64(bytes))
	}
	return us(m.CollectiveUs) + transfer(m.NICGBPerSecond, float64(bytes))
}

// Gloo returns the time to exchange rows, bytes in total, through host memory.
func (m *Machine) Gloo(rows, bytes, gpus int) des.Time {
	if gpus <= 1 {
		return 0
	}
	return us(m.GlooRowUs*float64(rows)) + transfer(m.GlooGBPerSecond, float64(bytes))
}

// inside returns the time to move, passes times, the share of bytes that belongs to other GPUs of a
// server.
func (m *Machine) inside(passes float64, bytes, gpus int) des.Time {
	if gpus <= 1 {
		return 0
	}
	return us(m.CollectiveUs) + transfer(m.bus(gpus), passes*othersShare(gpus)*float64(bytes))
}

// othersShare returns the fraction of a rank's buffer that belongs to other ranks.
func othersShare(ranks int) float64 { return float64(ranks-1) / float64(ranks) }
