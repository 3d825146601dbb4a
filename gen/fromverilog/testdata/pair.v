module lane #(parameter WIDTH = 4) (input clk, input unused, input [WIDTH-1:0] d, output reg [WIDTH-1:0] q, output [WIDTH-1:0] sum);
  reg [WIDTH-1:0] last;
  always @(posedge clk) begin last <= d; q <= sum; end
  assign sum = last + d;
endmodule
module pair (input clk, input [7:0] a, b, output [7:0] x, y, output [3:0] z);
  wire [7:0] middle;
  lane #(.WIDTH(8)) first (.clk(clk), .unused(clk), .d(a), .q(middle));
  lane #(.WIDTH(8)) second (.clk(clk), .unused(1'b0), .d(middle ^ b), .q(x), .sum(y));
  lane narrow (.clk(clk), .unused(a[0]), .d(b[3:0]), .q(z), .sum());
endmodule
