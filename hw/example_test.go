package hw_test

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// FIFO is a queue in one clock domain.
type FIFO struct {
	Width int `hcl:"width"`
	Depth int `hcl:"depth"` // a power of two
}

// FIFOPorts are the ports of FIFO.
type FIFOPorts struct {
	Push, Pop hw.Stream[hw.Bits]
	Level     hw.Bits
}

// Build describes the queue.
func (p FIFO) Build(m *hw.Module) FIFOPorts {
	io := FIFOPorts{
		Push:  m.Sink("push", p.Width),
		Pop:   m.Source("pop", p.Width),
		Level: m.Out("level", hw.CountWidth(p.Depth)),
	}
	mem := m.Mem("mem", p.Depth, p.Width)
	head := m.Reg("head", hw.IndexWidth(p.Depth), 0)
	tail := m.Reg("tail", hw.IndexWidth(p.Depth), 0)
	count := m.Reg("count", hw.CountWidth(p.Depth), 0)
	push, pop := io.Push.Fire().As("do_push"), io.Pop.Fire().As("do_pop")

	io.Push.Ready.Set(count.Ne(hw.K(p.Depth)))
	io.Pop.Valid.Set(count.Ne(hw.K(0)))
	io.Pop.Data.Set(mem.Read(head))
	io.Level.Set(count)

	m.When(push, func() {
		mem.Write(tail, io.Push.Data)
		tail.Set(tail.Inc())
	})
	m.When(pop, func() { head.Set(head.Inc()) })
	m.When(push.And(pop.Not()), func() {
		count.Set(count.Inc())
	}).ElseWhen(pop.And(push.Not()), func() {
		count.Set(count.Dec())
	})
	return io
}

// A module is a struct of parameters with a Build method. Its name derives from
// the parameters.
func ExampleElaborate() {
	d, err := hw.Elaborate(FIFO{Width: 32, Depth: 16})
	fmt.Println(err)
	fmt.Print(d)
	// Output:
	// <nil>
	// module fifo clock reset {
	//   parameter "width" "32"
	//   parameter "depth" "16"
	//   input push_valid : 1 group "push"
	//   output push_ready : 1 group "push"
	//   input push_data : 32 group "push"
	//   output pop_valid : 1 group "pop"
	//   input pop_ready : 1 group "pop"
	//   output pop_data : 32 group "pop"
	//   output level : 5
	//   reg head : 4 reset 4'd0
	//   reg tail : 4 reset 4'd0
	//   reg count : 5 reset 5'd0
	//   wire do_push : 1
	//   wire do_pop : 1
	//   mem mem : 16x32
	//   do_push = and(push_valid, push_ready)
	//   do_pop = and(pop_valid, pop_ready)
	//   push_ready = ne(count, 5'd16)
	//   pop_valid = ne(count, 5'd0)
	//   pop_data = mem[head]
	//   level = count
	//   when do_push {
	//     mem[tail] = push_data
	//     tail = add(tail, 4'd1)
	//   }
	//   when do_pop {
	//     head = add(head, 4'd1)
	//   }
	//   when and(do_push, not(do_pop)) {
	//     count = add(count, 5'd1)
	//   } else when and(do_pop, not(do_push)) {
	//     count = sub(count, 5'd1)
	//   }
	// }
}

// Elaborate reports all mistakes together.
func ExampleElaborate_errors() {
	_, err := hw.Elaborate(Clumsy{})
	fmt.Println(err)
	// Output:
	// example_test.go:112 < example_test.go:99: clumsy: [driver] output "q" has no driver
	// example_test.go:113 < example_test.go:99: clumsy: [width] operands of 8 and 4 bits; use Ext, SExt or Trunc
	// example_test.go:114 < example_test.go:99: clumsy: [direction] input "a" cannot be set
}

// Clumsy contains several mistakes.
type Clumsy struct{}

// Build describes the module.
func (Clumsy) Build(m *hw.Module) struct{ A, B, Q hw.Bits } {
	a, b, q := m.In("a", 8), m.In("b", 4), m.Out("q", 8) // ca1
	a.Add(b)                                             // ca2
	a.Set(hw.K(3))                                       // ca3
	return struct{ A, B, Q hw.Bits }{a, b, q}
}

// Bank is an array of queues.
type Bank struct{ Lanes int }

// BankPorts are the ports of Bank: bit or element i belongs to lane i.
type BankPorts struct {
	Valid, Any hw.Bits
	Data, Q    hw.Vec
}

// Build describes the array.
func (p Bank) Build(m *hw.Module) BankPorts {
	io := BankPorts{
		Valid: m.In("valid", p.Lanes),
		Any:   m.Out("any", 1),
		Data:  m.InVec("data", p.Lanes, 8),
		Q:     m.OutVec("q", p.Lanes, 8),
	}
	busy := m.WireVec("busy", p.Lanes, 1)
	m.For("lane", p.Lanes, func(i hw.Index) {
		f := hw.Inst(m, "queue", FIFO{Width: 8, Depth: 4})
		f.Push.Valid.Set(io.Valid.Unpack(1).At(i))
		f.Push.Data.Set(io.Data.At(i).Xor(i.Times(2).Plus(1).Bits(8)))
		f.Pop.Ready.Set(hw.K(1))
		busy.At(i).Set(f.Pop.Valid)
		io.Q.At(i).Set(f.Pop.Data)
	})
	io.Any.Set(busy.Pack().Any())
	return io
}

// The For remains a loop in the output: its body contains a single instance and exists four times.
// Equal parameters yield one module.
func ExampleModule_For() {
	d, err := hw.Elaborate(Bank{Lanes: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range d.Modules {
		fmt.Println(m.Name)
	}
	d.Modules = d.Modules[1:]
	fmt.Print(d)
	// Output:
	// fifo
	// bank
	// module bank clock reset {
	//   parameter "lanes" "4"
	//   input valid : 4
	//   output any : 1
	//   input data : 4x8
	//   output q : 4x8
	//   wire busy : 4x1
	//   for lane 4 {
	//     inst queue : fifo
	//     pin queue_push_valid : 1 -> queue.push_valid
	//     pin queue_push_ready : 1 <- queue.push_ready
	//     pin queue_push_data : 8 -> queue.push_data
	//     pin queue_pop_valid : 1 <- queue.pop_valid
	//     pin queue_pop_ready : 1 -> queue.pop_ready
	//     pin queue_pop_data : 8 <- queue.pop_data
	//     pin queue_level : 3 <- queue.level
	//     queue_push_valid = unpack:4x1(valid)[lane]
	//     queue_push_data = xor(data[lane], loop:8(lane*2+1))
	//     queue_pop_ready = 1'd1
	//     busy[lane] = queue_pop_valid
	//     q[lane] = queue_pop_data
	//   }
	//   any = ne(pack(busy), 4'h0)
	// }
}

// Door is a state machine.
type Door struct{}

// DoorPorts are the ports of Door.
type DoorPorts struct{ Open, Close, Moving hw.Bits }

// Build describes the machine.
func (Door) Build(m *hw.Module) DoorPorts {
	m.Doc("A door that opens and shuts.")
	io := DoorPorts{Open: m.In("open", 1), Close: m.In("close", 1), Moving: m.Out("moving", 1)}
	door := hw.FSM[struct{ Shut, Opens, Wait, Shuts hw.State }](m, "state")
	io.Moving.Set(hw.K(0))
	door.Shut.Do(func() { m.When(io.Open, door.Opens.Next) })
	door.Opens.Do(func() {
		io.Moving.Set(hw.K(1))
		door.Wait.Next()
	})
	door.Wait.Do(func() { m.When(io.Close, door.Shuts.Next) })
	door.Shuts.Do(func() {
		io.Moving.Set(hw.K(1))
		m.When(io.Open, door.Opens.Next).Else(door.Shut.Next)
	})
	return io
}

// A state is a handle. Its method Next can be passed as the body of a When.
func ExampleFSM() {
	d, err := hw.Elaborate(Door{})
	fmt.Println(err)
	fmt.Print(d)
	// Output:
	// <nil>
	// module door clock reset {
	//   doc "A door that opens and shuts."
	//   enum state 2 shut = 2'd0 opens = 2'd1 wait = 2'd2 shuts = 2'd3
	//   input open : 1
	//   input close : 1
	//   output moving : 1
	//   reg state : 2 reset 2'd0 enum state
	//   moving = 1'd0
	//   switch state {
	//     case 2'd0"STATE_SHUT" {
	//       when open {
	//         state = 2'd1"STATE_OPENS"
	//       }
	//     }
	//     case 2'd1"STATE_OPENS" {
	//       moving = 1'd1
	//       state = 2'd2"STATE_WAIT"
	//     }
	//     case 2'd2"STATE_WAIT" {
	//       when close {
	//         state = 2'd3"STATE_SHUTS"
	//       }
	//     }
	//     case 2'd3"STATE_SHUTS" {
	//       moving = 1'd1
	//       when open {
	//         state = 2'd1"STATE_OPENS"
	//       } else {
	//         state = 2'd0"STATE_SHUT"
	//       }
	//     }
	//   }
	// }
}
