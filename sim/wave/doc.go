// Package wave records what the signals of a running design do: as a VCD file
// for a wave viewer, or as text for reports and tests. An engine that records
// drives a Recorder. The values of cycle n are the settled ones just before
// clock edge n+1; the waves show them from clock edge n on.
package wave
