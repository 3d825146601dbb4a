// PicoRV32 with a memory that contains a program: sums, products and shifts, with stores and loads
// of words, halves and bytes.
module picorv32_program (
  input clk,
  input resetn,
  output trap,
  output valid,
  output [31:0] addr,
  output [31:0] wdata,
  output [3:0] wstrb,
  output [31:0] rdata
);
  reg [31:0] memory [0:1023];
  initial begin
    memory[0] = 32'h00000093; // addi x1, x0, 0
    memory[1] = 32'h00100113; // addi x2, x0, 1
    memory[2] = 32'h20000193; // addi x3, x0, 0x200
    memory[3] = 32'h00208233; // add x4, x1, x2
    memory[4] = 32'h00010093; // addi x1, x2, 0
    memory[5] = 32'h00020113; // addi x2, x4, 0
    memory[6] = 32'h0041a023; // sw x4, 0(x3)
    memory[7] = 32'h0001a283; // lw x5, 0(x3)
    memory[8] = 32'h02228333; // mul x6, x5, x2
    memory[9] = 32'h001313b3; // sll x7, x6, x1
    memory[10] = 32'h0053c433; // xor x8, x7, x5
    memory[11] = 32'h00418193; // addi x3, x3, 4
    memory[12] = 32'h3ff1f193; // andi x3, x3, 0x3ff
    memory[13] = 32'h2001e193; // ori x3, x3, 0x200
    memory[14] = 32'h00819123; // sh x8, 2(x3)
    memory[15] = 32'h0031c483; // lbu x9, 3(x3)
    memory[16] = 32'h0084e463; // bltu x9, x8, 8
    memory[17] = 32'h40910133; // sub x2, x2, x9
    memory[18] = 32'hfc5ff06f; // jal x0, -60
  end
  assign rdata = memory[addr[11:2]];
  always @(posedge clk) if (valid) begin
    if (wstrb[0]) memory[addr[11:2]][7:0] <= wdata[7:0];
    if (wstrb[1]) memory[addr[11:2]][15:8] <= wdata[15:8];
    if (wstrb[2]) memory[addr[11:2]][23:16] <= wdata[23:16];
    if (wstrb[3]) memory[addr[11:2]][31:24] <= wdata[31:24];
  end
  picorv32 #(.ENABLE_MUL(1), .BARREL_SHIFTER(1)) core (
    .clk(clk), .resetn(resetn), .trap(trap), .mem_valid(valid), .mem_ready(1'b1), .mem_addr(addr), .mem_wdata(wdata),
    .mem_wstrb(wstrb), .mem_rdata(rdata), .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'd0)
  );
endmodule
