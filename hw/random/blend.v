// Foreign Verilog of random designs; extern.go has the models.

module blend_logic #(
  parameter WIDTH = 1,
  parameter KEY = 0
) (
  input  wire [WIDTH-1:0] A,
  input  wire [WIDTH-1:0] b,
  output wire [WIDTH-1:0] y,
  output wire [WIDTH-1:0] Z_out,
  output wire [WIDTH-1:0] q
);
  localparam [WIDTH-1:0] KEYS = KEY;
  assign y = ~(A ^ KEYS);
  assign Z_out = b ^ q;
  assign q = {WIDTH{1'b0}};
endmodule

module blend_state #(
  parameter WIDTH = 1,
  parameter KEY = 0
) (
  input  wire             ck,
  input  wire [WIDTH-1:0] A,
  input  wire [WIDTH-1:0] b,
  output wire [WIDTH-1:0] y,
  output wire [WIDTH-1:0] Z_out,
  output reg  [WIDTH-1:0] q
);
  localparam [WIDTH-1:0] KEYS = KEY;
  assign y = ~(A ^ KEYS);
  assign Z_out = b ^ q;
  always @(posedge ck) q <= (q << 1 | q >> (WIDTH - 1)) ^ A;
endmodule

module blend_reset #(
  parameter WIDTH = 1,
  parameter KEY = 0,
  parameter START = "zero"
) (
  input  wire             ck,
  input  wire             low,
  input  wire [WIDTH-1:0] A,
  input  wire [WIDTH-1:0] b,
  output wire [WIDTH-1:0] y,
  output wire [WIDTH-1:0] Z_out,
  output reg  [WIDTH-1:0] q
);
  localparam [WIDTH-1:0] KEYS = KEY;
  assign y = ~(A ^ KEYS);
  assign Z_out = b ^ q;
  always @(posedge ck)
    if (!low) q <= START == "key" ? KEYS : {WIDTH{1'b0}};
    else q <= (q << 1 | q >> (WIDTH - 1)) ^ A;
endmodule
