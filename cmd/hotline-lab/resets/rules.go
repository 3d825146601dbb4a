package resets

import (
	"slices"

	"github.com/hotline-rtl/hotline/sim"
)

// rule describes the ports of a block. Its payload lists the outputs that carry payload, in
// addition to the payload of streams. Stored outputs are read from a memory: random inputs read the
// memory before they write it, and recorded inputs do not. Held inputs are 0 in random stimuli,
// where other values would violate an invariant of the block. The invariants: lookups begin after
// the slot registers are written, and answers follow lookups.
type rule struct {
	payload      sim.Payload
	stored, held []string
}

var rules = map[string]rule{
	"csr_slave":  {payload: sim.Payload{"write_addr": "write", "write_data": "write", "write_strb": "write", "read_addr": "read"}},
	"soft_reset": {},
	"isa":        {payload: sim.Payload{"csr_read_data": sim.Delayed("csr_read", 1), "csr_read_error": sim.Delayed("csr_read", 1)}},
	"dispatch": {payload: sim.Payload{
		"status": "done", "value0": "done", "value1": "done",
		"lookup_learn": "lookup_start", "lookup_half": "lookup_start", "lookup_words": "lookup_start", "lookup_slots": "lookup_start",
		"lookup_slot_addr": "lookup_slot_we", "lookup_slot_base": "lookup_slot_we",
		"lookup_edram_data": sim.Delayed("lookup_edram_en", 1),
		"lookup_scan_row":   "lookup_result_en", "lookup_result_row": "lookup_result_en",
		"scan_bank": "scan_show",
	}, stored: []string{"lookup_edram_data"}},
	"lookup": {payload: sim.Payload{"edram_row": "edram_en", "result_hit": sim.Delayed("result_en", 1), "result_way": sim.Delayed("result_en", 1)}, stored: []string{"result_hit", "result_way"}, held: []string{"answer_valid", "start"}},
	"eal": {payload: sim.Payload{"scan_changed": sim.Delayed("scan_valid", 1),
		"scan_blocks_valid": sim.Delayed("scan_show", 1), "scan_blocks_rrpv": sim.Delayed("scan_show", 1), "scan_blocks_tag": sim.Delayed("scan_show", 1)},
		stored: []string{"scan_changed", "scan_blocks_valid", "scan_blocks_rrpv", "scan_blocks_tag"}},
	"reduce":      {stored: []string{"data_data"}},
	"dma_read":    {stored: []string{"row_data"}},
	"dma_write":   {},
	"irq_line":    {},
	"read_merge":  {},
	"write_merge": {},
	"write_sum":   {},
}

// recorded returns the payload for recorded inputs.
func (r *run) recorded() sim.Payload { return sim.StreamPayload(r.format.Ports, r.rules.payload) }

// random returns the payload for random inputs.
func (r *run) random() sim.Payload {
	p := r.recorded()
	for _, name := range r.rules.stored {
		p[name] = ""
	}
	return p
}

// randomInputs returns the frames of random inputs for a number of cycles.
func (r *run) randomInputs(seed uint64, cycles int) (in []uint64) {
	s, frame := sim.Random(r.format, seed), make([]uint64, r.format.InWords)
	for range cycles {
		_ = s.Next(frame) // the stimulus never ends
		in = append(in, frame...)
		for _, x := range r.format.In {
			if slices.Contains(r.rules.held, r.format.Ports[x.Port].Name) {
				clear(x.Of(in[len(in)-len(frame):]))
			}
		}
	}
	return in
}
