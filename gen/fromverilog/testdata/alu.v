module alu (input clk, input [3:0] op, input signed [15:0] a, b, input [4:0] amount, output reg signed [15:0] y, output reg less, output [7:0] both);
  reg signed [15:0] r;
  wire [7:0] one = op + 8'd1, two = op ^ 8'd5;
  assign both = one * two; // two operands with names
  always @* begin
    less = a < b;
    case (op)
      0: r = a + b;
      1: r = a - b;
      2: r = a * b;
      3: r = a >>> amount;
      4: r = a >> amount;
      5: r = a << amount;
      6: r = a / b;
      7: r = a % b;
      8: r = {16{a >= b}};
      9: r = -a;
      10: r = ~^{a, b};
      11: r = a[amount[2:0] +: 4];
      12: r = {a[7:0], b[15:8]} ^ {16{^a}};
      13: r = $unsigned(a) / $unsigned(b);
      14: r = {b[7:0], {8{a[3] && !b}}};
      default: r = b[amount[3:0]];
    endcase
  end
  always @(posedge clk) y <= r;
endmodule
