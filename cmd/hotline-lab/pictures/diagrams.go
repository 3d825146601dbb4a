package pictures

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// Paths of the blocks that are drawn. The row that the program learns is in bank 2.
const (
	engine = "lookup.engine[0].unit."
	bank   = "eal.bank[2].unit."
)

var diagrams = []diagram{
	{
		file:  "reference/timing-lookup.svg",
		title: "Four lookups of an engine in a classify",
		text:  "Each word passes walk, row id, randomizer and EAL. Answers arrive in any order and are committed in order.",
		windows: []window{
			{when: map[string]uint64{engine + "next": 1, engine + "learn": 0}, before: 1, cycles: 23},
		},
		signals: []signal{
			{group: "walk", name: "next", path: engine + "next"},
			{group: "walk", name: "word", path: engine + "walk_row", valid: engine + "next"},
			{group: "row id", name: "id", path: engine + "id", valid: engine + "id_valid"},
			{group: "randomizer, 4 stages", name: "bank", path: engine + "randomizer_out_id", valid: engine + "randomizer_out_valid", bits: 3},
			{group: "requests to the EAL, with their tickets", name: "even banks", path: engine + "request_ticket[0]", valid: engine + "request_valid[0]"},
			{group: "requests to the EAL, with their tickets", name: "odd banks", path: engine + "request_ticket[1]", valid: engine + "request_valid[1]"},
			{group: "answers of the EAL, with their tickets", name: "banks 1, 5", path: engine + "answer_ticket[1]", valid: engine + "answer_valid[1]"},
			{group: "answers of the EAL, with their tickets", name: "banks 2, 6", path: engine + "answer_ticket[2]", valid: engine + "answer_valid[2]"},
			{group: "answers of the EAL, with their tickets", name: "banks 3, 7", path: engine + "answer_ticket[3]", valid: engine + "answer_valid[3]"},
			{group: "commit", name: "committed", path: engine + "window_commit_row", valid: engine + "window_commit_valid"},
			{group: "commit", name: "hit", path: engine + "window_commit_hit", valid: engine + "window_commit_valid"},
		},
		follow: []event{{"word", "0"}, {"id", "1"}, {"bank", "2"}, {"even banks", "0"}, {"banks 2, 6", "0"}, {"committed", "0"}},
		notes: []note{
			{event{"next", "1"}, "The engine takes a word per cycle. Its row id is base + word, two cycles later."},
			{event{"bank", "2"}, "After four rounds, the low bits of the permuted id select the bank."},
			{event{"banks 2, 6", "0"}, "Banks answer in any order; the ticket names the lookup."},
			{event{"committed", "0"}, "Results are committed in the order of the words."},
		},
	},
	{
		file:  "reference/timing-eal.svg",
		title: "A bank of the EAL: learn, then probe",
		text:  "A learning access that changes its set takes a second cycle of the memory, for the write. A probe takes one.",
		windows: []window{
			{when: map[string]uint64{bank + "access_valid": 1, bank + "learn": 1}, before: 1, cycles: 13},
			{when: map[string]uint64{bank + "access_valid": 1, bank + "learn": 0}, before: 1, cycles: 7},
		},
		signals: []signal{
			{group: "request", name: "learn", path: bank + "learn"},
			{group: "request", name: "valid", path: bank + "access_valid"},
			{group: "request", name: "ready", path: bank + "access_ready"},
			{group: "request", name: "set", path: bank + "access_set", valid: bank + "access_valid"},
			{group: "match: compare with the set", name: "in match", path: bank + "match_set", valid: bank + "match_valid"},
			{group: "match: compare with the set", name: "found", path: bank + "match_hit", valid: bank + "match_valid"},
			{group: "finish: answer, and write what changed", name: "in finish", path: bank + "finish_set", valid: bank + "finish_valid"},
			{group: "finish: answer, and write what changed", name: "write", path: bank + "update"},
			{group: "answer", name: "answer", path: bank + "answer_valid[0]"},
			{group: "answer", name: "hit", path: bank + "answer_hit[0]", valid: bank + "answer_valid[0]"},
		},
		follow: []event{{"set", "33"}, {"in match", "33"}, {"in finish", "33"}, {"answer", "1"}},
		notes: []note{
			{event{"set", "33"}, "The row of set 33 is learned for the first time. It is not found."},
			{event{"ready", "0"}, "The same row again: it waits while its set is in the pipeline."},
			{event{"write", "1"}, "The set is written: the row is inserted, or its RRPV becomes 0 at a hit."},
			{event{"learn", "0"}, "Probes change nothing, so one enters per cycle."},
		},
	},
	{
		file:  "reference/timing-descriptor.svg",
		title: "A read of 128 bytes at the boundary",
		text:  "A descriptor, eight beats of data after the latency of the link, and a status.",
		windows: []window{
			{when: map[string]uint64{"m_axis_read_desc_valid": 1, "m_axis_read_desc_len": 128}, before: 2, cycles: 441},
		},
		signals: []signal{
			{group: "m_axis_read_desc", name: "valid", path: "m_axis_read_desc_valid"},
			{group: "m_axis_read_desc", name: "ready", path: "m_axis_read_desc_ready"},
			{group: "m_axis_read_desc", name: "len", path: "m_axis_read_desc_len", valid: "m_axis_read_desc_valid"},
			{group: "m_axis_read_desc", name: "tag", path: "m_axis_read_desc_tag", valid: "m_axis_read_desc_valid"},
			{group: "s_axis_read_data", name: "tvalid", path: "s_axis_read_data_tvalid"},
			{group: "s_axis_read_data", name: "tready", path: "s_axis_read_data_tready"},
			{group: "s_axis_read_data", name: "tid", path: "s_axis_read_data_tid", valid: "s_axis_read_data_tvalid"},
			{group: "s_axis_read_data", name: "tdata[7:0]", path: "s_axis_read_data_tdata", valid: "s_axis_read_data_tvalid", bits: 8},
			{group: "s_axis_read_desc_status", name: "status", path: "s_axis_read_desc_status_valid"},
			{group: "s_axis_read_desc_status", name: "error", path: "s_axis_read_desc_status_error", valid: "s_axis_read_desc_status_valid"},
		},
		follow: []event{{"tag", "0"}, {"tid", "0"}, {"status", "1"}},
		notes: []note{
			{event{"valid", "1"}, "A descriptor is accepted in a cycle in which valid and ready are 1. From then on its tag is outstanding."},
			{event{"tvalid", "1"}, "The data arrives with the tag of the descriptor: here 8 beats of 16 bytes."},
			{event{"status", "1"}, "One status for the descriptor frees the tag."},
		},
	},
	{
		file:  "reference/timing-interrupt.svg",
		title: "From the doorbell to the interrupt",
		text:  "The driver writes sq_tail. The accelerator reads the command, executes it, writes the completion and requests an interrupt.",
		windows: []window{
			{when: map[string]uint64{"s_axil_awvalid": 1, "s_axil_awaddr": arch.CSRSQTail, "s_axil_wdata": 1}, before: 1, cycles: 462},
		},
		signals: []signal{
			{group: "registers", name: "doorbell", path: "s_axil_wvalid"},
			{group: "command", name: "read", path: "m_axis_read_desc_valid"},
			{group: "command", name: "arrives", path: "s_axis_read_data_tvalid"},
			{group: "command", name: "dispatched", path: "isa.command_valid"},
			{group: "command", name: "done", path: "isa.done"},
			{group: "completion", name: "write", path: "m_axis_write_desc_valid"},
			{group: "completion", name: "data", path: "m_axis_write_data_tvalid"},
			{group: "completion", name: "status", path: "s_axis_write_desc_status_valid"},
			{group: "interrupt", name: "irq_req", path: "irq_req"},
			{group: "interrupt", name: "irq_ack", path: "irq_ack"},
		},
		follow: []event{{"doorbell", "1"}, {"read", "1"}, {"arrives", "1"}, {"dispatched", "1"}, {"done", "1"}, {"write", "1"}, {"data", "1"}, {"status", "1"}, {"irq_req", "1"}, {"irq_ack", "1"}},
		notes: []note{
			{event{"doorbell", "1"}, "The driver rings the doorbell: it writes the tail of the command ring."},
			{event{"arrives", "1"}, "The command arrives in 4 beats, after the latency of the link."},
			{event{"done", "1"}, "The command, an s_wr, is executed."},
			{event{"irq_req", "1"}, "The completion has left before the interrupt is requested."},
		},
	},
}
