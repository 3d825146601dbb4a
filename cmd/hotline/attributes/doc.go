// Package attributes lists the blocks and attributes of every HCL file that users write. All facts
// come from the decoders: their structs, tags, defaults and ranges.
package attributes
