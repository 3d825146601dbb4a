// A multiplier and an accumulator, as a library of a vendor has them.

`default_nettype none

module MAC #(
  parameter WIDTH = 8,
  parameter OVERFLOW = "WRAP" // or "STAY": at the greatest value
) (
  input  wire                 CLK,
  input  wire                 RST,
  input  wire                 EN,
  input  wire [WIDTH-1:0]     A,
  input  wire [WIDTH-1:0]     B,
  output wire [2*WIDTH-1:0]   P,
  output reg  [2*WIDTH-1:0]   SUM
);
  assign P = {{WIDTH{1'b0}}, A} * {{WIDTH{1'b0}}, B};
  wire [2*WIDTH:0] next = {1'b0, SUM} + {1'b0, P};

  always @(posedge CLK)
    if (RST) SUM <= 0;
    else if (EN) SUM <= next[2*WIDTH] && OVERFLOW == "STAY" ? {2*WIDTH{1'b1}} : next[2*WIDTH-1:0];
endmodule

`default_nettype wire
