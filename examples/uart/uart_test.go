package uart_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/uart"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// loop sends bytes from tx to rx and takes the first taken bytes.
func loop(p uart.UART, text string, taken int) hwtest.Drive {
	return func(s sim.Simulator) error {
		tb := sim.Bind[uart.Ports](s, p)
		got, lost, levels := []byte{}, uint64(0), ""
		for cycle := range (10*p.Divider + 1) * (len(text) + 1) {
			sent := cycle / (10*p.Divider + 1) // a byte needs ten bits, and one cycle to be accepted
			tb.Send.Valid.Poke(0)
			if sent < len(text) {
				tb.Send.Valid.Poke(1)
				tb.Send.Data.Poke(uint64(text[sent]))
			}
			if ready := cycle%(10*p.Divider+1) == 0 || sent == len(text); (tb.Send.Ready.Peek() == 1) != ready {
				return fmt.Errorf("in cycle %d it is ready or not: %v", cycle, !ready)
			}
			tb.RX.Poke(tb.TX.Peek())
			levels += fmt.Sprint(tb.TX.Peek())
			lost += tb.Lost.Peek()
			if wait := 4 + p.Divider/2 + 9*p.Divider; (tb.Got.Valid.Peek() == 1) != (cycle == wait) && cycle <= wait {
				return fmt.Errorf("the first byte comes in cycle %d or not in %d", cycle, wait)
			}
			tb.Got.Ready.Poke(0)
			if tb.Got.Valid.Peek() == 1 && len(got) < taken {
				tb.Got.Ready.Poke(1)
				got = append(got, byte(tb.Got.Data.Peek()))
			}
			if err := s.Step(); err != nil {
				return err
			}
		}
		if want := text[:taken]; string(got) != want || int(lost) != max(0, len(text)-taken-1) {
			return fmt.Errorf("got %q and lost %d, want %q", got, lost, want)
		}
		return line(p, text, levels)
	}
}

// line compares the levels of a line with bytes.
func line(p uart.UART, text, levels string) error {
	want := ""
	for _, c := range []byte(text) {
		want += "1"
		frame := fmt.Sprintf("1%08b0", c) // stop bit, data, start bit; sent from the end
		for i := len(frame) - 1; i >= 0; i-- {
			for range p.Divider {
				want += frame[i : i+1]
			}
		}
	}
	if levels[:len(want)] != want {
		return fmt.Errorf("the line was\n%s, want\n%s", levels, want)
	}
	return nil
}

// spike drives the line low for half a bit, which is not a byte, and then sends a valid byte.
func spike(p uart.UART) hwtest.Drive {
	return func(s sim.Simulator) error {
		tb := sim.Bind[uart.Ports](s, p)
		for cycle := range 12 * p.Divider {
			tb.RX.Poke(1)
			if cycle > 2 && cycle < 2+p.Divider/2 {
				tb.RX.Poke(0)
			}
			if tb.Got.Valid.Peek() == 1 {
				return fmt.Errorf("a spike is a byte")
			}
			if err := s.Step(); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestUART(t *testing.T) {
	for _, divider := range []int{4, 7} {
		p := uart.UART{Divider: divider}
		hwtest.Run(t, p, loop(p, "Hotline \x00\xff", 10))
		hwtest.Run(t, p, loop(p, "lost", 1))
	}
	p := uart.UART{Divider: 7}
	hwtest.Resets(t, p, loop(p, "\x01\xa5", 2))
	hwtest.Run(t, p, spike(p))
	p = uart.UART{Divider: 4} // here the initial spike is over before the receiver samples the line
	hwtest.Resets(t, p, loop(p, "\x01\xa5", 2), "uart.rx_line")
	hwtest.Run(t, uart.UART{Divider: 4}, hwtest.Random(5000))
}

func TestDivider(t *testing.T) {
	_, err := hw.Elaborate(uart.UART{Divider: 3})
	require.ErrorContains(t, err, "[param] Divider is 3, expected at least 4")
}
