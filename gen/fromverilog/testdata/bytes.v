module bytes (input clk, input [3:0] we, input other, input [3:0] addr, addr2, input [31:0] d, output reg [31:0] q, output [31:0] now, input [5:0] wide, output [31:0] beyond);
  reg [31:0] ram [0:15];
  integer i, j;
  initial for (j = 0; j < 16; j = j + 1) ram[j] = j * 32'h01020304;
  always @(posedge clk) begin
    for (i = 0; i < 4; i = i + 1)
      if (we[i]) ram[addr][8*i +: 8] <= d[8*i +: 8];
    if (other) ram[addr2][15:0] <= ~d[15:0];
    q <= ram[addr];
  end
  assign now = ram[addr2];
  assign beyond = ram[wide]; // the memory has 16 words
endmodule
