module fifo #(parameter WIDTH = 70, DEPTH = 5) (
  input clk, input rst, input push, input pop, input [WIDTH-1:0] in,
  output [WIDTH-1:0] out, output full, output empty);
  reg [WIDTH-1:0] mem [0:DEPTH-1];
  reg [2:0] head, tail, used;
  assign full = used == DEPTH, empty = used == 0, out = mem[head];
  wire do_push = push & ~full, do_pop = pop & ~empty;
  function [2:0] next(input [2:0] x); next = x == DEPTH - 1 ? 0 : x + 1; endfunction
  always @(posedge clk) begin
    if (do_push) mem[tail] <= in;
    if (rst) begin head <= 0; tail <= 0; used <= 0; end
    else begin
      if (do_push) tail <= next(tail);
      if (do_pop) head <= next(head);
      used <= used + do_push - do_pop;
    end
  end
endmodule
