// Registers with initial values: an output, a part of a word, one with a reset, one that is never
// assigned.
module start #(
  parameter STEP = 3
) (
  input CLK,
  input Arst,
  input En,
  output reg [70:0] Count,
  output [7:0] Mixed,
  output [3:0] Fixed,
  output reg Flag
);
  reg [3:0] low = 4'b0110, high;
  reg [3:0] never = 4'd9;
  initial begin
    Count = 71'h40_0000_0000_0000_0005;
    Flag = 1;
  end
  assign Mixed = {high, low};
  assign Fixed = never;
  always @(posedge CLK) if (En) begin
    Count <= Count + STEP;
    {high, low} <= {low, high} + 8'd1;
  end
  always @(posedge CLK or posedge Arst)
    if (Arst) Flag <= 1'b0;
    else Flag <= Flag ^ Count[0];
endmodule
