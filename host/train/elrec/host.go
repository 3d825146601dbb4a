package elrec

import (
	"cmp"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
)

// host is a parameter server for the tables in host memory. A queue sends rows to the GPUs, and
// another queue returns steps.
//
// Mini-batch m is fetched when mini-batch m-queue+1 begins, and its steps are applied in host
// memory when mini-batch m+queue-1 has ended. So fetched rows lack the steps of up to 2 queue - 2
// previous mini-batches, and a row must stay in the cache for one step more.
type host struct {
	cluster *cluster.Cluster
	machine *server.Server
	tables  *cluster.Tables
	queue   int
	life    int // mini-batches that a row stays in the cache after its latest step
	most    int // rows of a mini-batch
	dim     int
	rate    float32

	fetched  []*rows // the queue to the GPUs, oldest first
	pushed   []*rows // the queue of steps
	toGPUs   []*server.Region
	steps    *server.Region
	cache    *cache
	prefetch int // number of queue entries used so far
	push     int
}

// rows is an entry of a queue.
type rows struct {
	keys []key
	at   map[key]int // place of a row in the entry
	slot int         // of the entry in its queue
}

// newHost allocates host memory for some tables. The queues are allocated by reserve.
func newHost(c *cluster.Cluster, s *server.Server, from *train.State, queue int, has func(int) bool) *host {
	h := &host{cluster: c, machine: s, tables: cluster.NewSomeTables(s.Host, from, has), queue: queue, life: 2*queue - 1, dim: from.Model.Dim, rate: from.Model.LearningRate}
	for t, table := range from.Model.Tables {
		if has(t) {
			h.most += table.Rows
		}
	}
	return h
}

// reserve allocates queues and cache for mini-batches of the given number of lookups.
func (h *host) reserve(lookups int) {
	all := h.most
	h.most = min(h.most, lookups)
	if h.most == 0 {
		return
	}
	h.steps = h.machine.Host.Alloc("gradient queue", h.queue*h.most*h.rowBytes())
	for _, g := range h.machine.GPUs {
		h.toGPUs = append(h.toGPUs, g.Memory.Alloc("prefetch queue", h.queue*h.most*h.rowBytes()))
	}
	// Rows of the first mini-batches stay longer, because no steps are applied at first.
	h.cache = newCache(h.machine, min(all, (h.life+h.queue-1)*h.most), h.rowBytes())
}

func (h *host) rowBytes() int { return valueBytes * h.dim }

// offset returns the offset of row i of an entry in a queue.
func (h *host) offset(r *rows, i int) int { return (r.slot*h.most + i) * h.rowBytes() }

// newRows returns an entry with the distinct keys, in order.
func newRows(keys []key, slot int) *rows {
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.index, b.index)) })
	r := &rows{keys: slices.Compact(keys), at: map[key]int{}, slot: slot}
	for i, k := range r.keys {
		r.at[k] = i
	}
	return r
}

// fetch copies the rows of a mini-batch from host memory to the GPUs.
func (h *host) fetch(keys []key) error {
	r := newRows(keys, h.prefetch%h.queue)
	h.prefetch++
	h.fetched = append(h.fetched, r)
	if h.machine.Config.Valueless {
		return nil
	}
	row := make([]float32, h.dim)
	for i, k := range r.keys {
		if err := h.tables.Read(k.table, k.index, row); err != nil {
			return err
		}
		for _, g := range h.toGPUs {
			if err := g.WriteFloat32s(h.offset(r, i), row); err != nil {
				return err
			}
		}
	}
	return nil
}

// synchronise replaces rows of the oldest mini-batch in the queue by newer rows of the cache, and
// returns their number.
func (h *host) synchronise() (n int, err error) {
	r, row := h.fetched[0], make([]float32, h.dim)
	for i, k := range r.keys {
		slot, ok := h.cache.at[k]
		if !ok {
			continue
		}
		n++
		for g, region := range h.toGPUs {
			if err := h.cache.gpus[g].ReadFloat32s(slot*h.rowBytes(), row); err != nil {
				return n, err
			}
			if err := region.WriteFloat32s(h.offset(r, i), row); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// row reads a row of the current mini-batch on a GPU.
func (h *host) row(g int, k key, dst []float32) error {
	r := h.fetched[0]
	return h.toGPUs[g].ReadFloat32s(h.offset(r, r.at[k]), dst)
}

// update applies the steps of a mini-batch to the rows on the GPUs, keeps these rows in the caches,
// and pushes the steps into their queue.
func (h *host) update(steps []dlrm.RowGrad, w train.Watch) error {
	r, row := h.fetched[0], make([]float32, h.dim)
	h.fetched = h.fetched[1:]
	p := &rows{keys: r.keys, at: r.at, slot: h.push % h.queue}
	h.push++
	h.pushed = append(h.pushed, p)
	for _, s := range steps {
		k := key{s.Table, s.Index}
		slot := h.cache.keep(k, h.life, w)
		if h.machine.Config.Valueless {
			continue
		}
		for g, region := range h.toGPUs {
			if err := region.ReadFloat32s(h.offset(r, r.at[k]), row); err != nil {
				return err
			}
			dlrm.UpdateRow(row, s.Grad, -h.rate)
			if err := h.cache.gpus[g].WriteFloat32s(slot*h.rowBytes(), row); err != nil {
				return err
			}
		}
		h.cluster.Ledger().Pushed(h.rowBytes())
		if err := h.steps.Deliver(h.offset(p, p.at[k]), s.Grad); err != nil {
			return err
		}
	}
	return nil
}

// drain applies the oldest steps of the queue in host memory. All rows in the cache age by one
// mini-batch. It returns the number of updated rows.
func (h *host) drain(w train.Watch) (int, error) {
	p, row, step := h.pushed[0], make([]float32, h.dim), make([]float32, h.dim)
	h.pushed = h.pushed[1:]
	h.cache.age(w)
	if h.machine.Config.Valueless {
		return len(p.keys), nil
	}
	for i, k := range p.keys {
		if err := h.steps.Inspect(h.offset(p, i), step); err != nil {
			return 0, err
		}
		if err := h.tables.Read(k.table, k.index, row); err != nil {
			return 0, err
		}
		dlrm.UpdateRow(row, step, -h.rate)
		if err := h.tables.Write(k.table, k.index, row); err != nil {
			return 0, err
		}
	}
	return len(p.keys), nil
}

// read reads the newest version of a row, from the cache or host memory.
func (h *host) read(k key, dst []float32) error {
	if h.cache != nil {
		if slot, ok := h.cache.at[k]; ok {
			return h.cache.gpus[0].ReadFloat32s(slot*h.rowBytes(), dst)
		}
	}
	return h.tables.Read(k.table, k.index, dst)
}
