module crossing (input ca, cb, input ra, input [7:0] d, output [7:0] q);
  reg [7:0] a, b;
  always @(posedge ca or posedge ra) if (ra) a <= 8'h81; else a <= d;
  always @(posedge cb) b <= b + a;
  assign q = b;
endmodule
module clocks (input wr, rd, rst, input [7:0] d, output [7:0] q, r);
  crossing one (.ca(wr), .cb(rd), .ra(rst), .d(d), .q(q));
  crossing two (.ca(rd), .cb(wr), .ra(~rst & d[0]), .d(q), .q(r));
endmodule
