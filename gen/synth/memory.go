package synth

import (
	"fmt"
	"io"
	"math"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

const (
	// leastMacro is the minimum number of bits of a memory that is built from macros. A smaller
	// memory is built from flip-flops, and so is a memory that is read without a clock (fitsMacro).
	leastMacro = 1024
	// mostFlipFlops is the maximum number of bits of a memory that is built from flip-flops.
	mostFlipFlops = 65536
	// widest is the maximum width of a macro. A wider memory is split.
	widest = 128
)

// macro is a memory macro with one read/write port, or with one read port and one write port.
type macro struct {
	words, width int
	dual         bool
}

// figures are the results of the model for a macro, in um2, ns, pJ and nW.
type figures struct{ area, access, read, leakage float64 }

// setup is the setup time of the inputs of a macro, in ns. It has the value of the memories in
// OpenROAD's flow (fakeram45), whose pin capacitances are used as well.
const setup = 0.050

// figures evaluates formulas that are fitted to results of CACTI 7 for 45 nm, low operating power,
// 350 K, from 64 x 32 to 8192 x 64. The maximum deviations are:
//
//	access time       10 %
//	area              21 %
//	leakage           17 %
//	energy of a read  47 %
func (m macro) figures() figures {
	words, width := float64(m.words), float64(m.width)
	bits := words * width
	if m.dual {
		return figures{
			area:    0.8282*bits + 22.26*width + 0.206*words,
			access:  0.365 + 0.001341*math.Sqrt(bits),
			read:    0.01089*width + 3.847e-05*bits,
			leakage: 2.178 * bits,
		}
	}
	return figures{
		area:    0.3927*bits + 9.769*width + 0.3746*words,
		access:  0.358 + 0.001037*math.Sqrt(bits),
		read:    0.009242*width + 3.221e-05*bits,
		leakage: 1.769 * bits,
	}
}

func (m macro) bits() int { return m.words * m.width }

// name returns the name of the cell.
func (m macro) name() string {
	ports := "rw"
	if m.dual {
		ports = "r_w"
	}
	return fmt.Sprintf("memory_%dx%d_%s", m.words, m.width, ports)
}

// macroPin is an input of a macro except the clock, and the corresponding port of Yosys' memory
// cell.
type macroPin struct {
	name, port string
	width      int
}

func (m macro) inputs() []macroPin {
	abits := ir.IndexWidth(m.words)
	pins := []macroPin{{"re", "RD_EN", 1}, {"we", "WR_EN", 1}, {"addr", "RD_ADDR", abits}, {"wdata", "WR_DATA", m.width}}
	if m.dual {
		pins = append(pins, macroPin{"waddr", "WR_ADDR", abits})
	}
	return pins
}

// writeMacros writes a liberty library of macros. Their delays are the model's delays times slow.
func writeMacros(w io.Writer, macros map[string]macro, slow float64) {
	fmt.Fprint(w, `library(memories) {
  delay_model : table_lookup;
  time_unit : "1ns";
  voltage_unit : "1V";
  current_unit : "1uA";
  leakage_power_unit : "1nW";
  pulling_resistance_unit : "1kohm";
  capacitive_load_unit (1,ff);
  nom_process : 1;
  nom_temperature : 25;
  nom_voltage : 1.1;
  slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_fall : 80;
  slew_lower_threshold_pct_rise : 20;
  slew_upper_threshold_pct_rise : 80;
  input_threshold_pct_fall : 50;
  input_threshold_pct_rise : 50;
  output_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50;
  power_lut_template(energy) { variable_1 : input_transition_time; index_1 ("0, 1"); }
  lu_table_template(load) { variable_1 : total_output_net_capacitance; index_1 ("5, 500"); }
`)
	for width := 1; width <= widest; width++ {
		fmt.Fprintf(w, "  type(word_%d) { base_type : array; data_type : bit; bit_width : %[1]d; bit_from : %d; bit_to : 0; downto : true; }\n", width, width-1)
	}
	for _, name := range eda.Sorted(macros) {
		macros[name].write(w, slow)
	}
	fmt.Fprintln(w, "}")
}

// write writes the cell of a macro. The energy of a read is consumed in cycles with re, half of it
// at each clock edge.
func (m macro) write(w io.Writer, slow float64) {
	f := m.figures()
	fmt.Fprintf(w, `  cell(%s) {
    area : %.3f;
    interface_timing : true;
    cell_leakage_power : %.3f;
    pin(clk) {
      direction : input; capacitance : 25; clock : true;
      internal_power() {
        when : "re";
        rise_power(energy) { values ("%.3[4]f, %.3[4]f"); }
        fall_power(energy) { values ("%.3[4]f, %.3[4]f"); }
      }
    }
    bus(rdata) {
      bus_type : word_%[5]d; direction : output; max_capacitance : 500;
      timing() {
        related_pin : "clk"; timing_type : rising_edge; timing_sense : non_unate;
        cell_rise(scalar) { values ("%.4[6]f"); }
        cell_fall(scalar) { values ("%.4[6]f"); }
        rise_transition(load) { values ("%.4[7]f, %.4[8]f"); }
        fall_transition(load) { values ("%.4[7]f, %.4[8]f"); }
      }
    }
`, m.name(), f.area, f.leakage, 1000*f.read/2, m.width, slow*f.access, slow*0.009, slow*0.227)
	for _, p := range m.inputs() {
		kind := "pin(" + p.name + ") {"
		if p.width > 1 {
			kind = fmt.Sprintf("bus(%s) { bus_type : word_%d;", p.name, p.width)
		}
		fmt.Fprintf(w, `    %s
      direction : input; capacitance : 5;
      timing() {
        related_pin : "clk"; timing_type : setup_rising;
        rise_constraint(scalar) { values ("%.4[2]f"); }
        fall_constraint(scalar) { values ("%.4[2]f"); }
      }
    }
`, kind, slow*setup)
	}
	fmt.Fprintln(w, "  }")
}
