// Package chakra writes timelines of trainings as execution traces of MLCommons Chakra, which
// simulators such as ASTRA-sim replay and other tools display.
//
// A trace is a file for each GPU. All GPUs of a timeline do the same work, so their traces are
// equal. An event of the timeline becomes a node:
//
//	event                   node
//	collective              COMM_COLL_NODE with comm_type and comm_size
//	copy to the GPUs        MEM_LOAD_NODE with tensor_size
//	copy to the host        MEM_STORE_NODE with tensor_size
//	other work of the GPU   COMP_NODE
//	other work              COMP_NODE with is_cpu_op
//
// The package guarantees:
//   - A node has the data dependencies of its event, and a control dependency on the previous event
//     of its resource. All of them are earlier nodes of the file.
//   - Start and duration are rounded to microseconds, as the format demands. The attributes
//     start_ps and duration_ps are exact.
//   - Equal events give equal bytes.
//
// Source: schema/protobuf/et_def.proto of github.com/mlcommons/chakra.
package chakra
