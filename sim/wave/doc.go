// Package wave records the signals of a running design: as a VCD file for a waveform viewer, as text
// for reports and tests, or as a Trace for a picture. ReadVCD reads the files of other programs.
//
//	f, _ := os.Create("run.vcd")
//	v := wave.NewVCD(f, 1000) // picoseconds per cycle
//	s, _ := interp.New(d, interp.Record(v))
//	...                       // run s
//	err := v.Close()
//
// An engine drives a Recorder. The values of cycle n are the final values just before clock edge
// n+1; waveforms show them starting at clock edge n.
package wave
