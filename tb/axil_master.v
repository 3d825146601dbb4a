// An AXI4-Lite master with one access at a time and random gaps between address, data and response.
// Ports change at the falling edge of the clock.

`timescale 1ns / 1ps
`default_nettype none

module axil_master (
  input  wire        clk,
  input  wire        rst,
  output reg  [11:0] awaddr,
  output reg         awvalid,
  input  wire        awready,
  output reg  [31:0] wdata,
  output reg   [3:0] wstrb,
  output reg         wvalid,
  input  wire        wready,
  input  wire  [1:0] bresp,
  input  wire        bvalid,
  output reg         bready,
  output reg  [11:0] araddr,
  output reg         arvalid,
  input  wire        arready,
  input  wire [31:0] rdata,
  input  wire  [1:0] rresp,
  input  wire        rvalid,
  output reg         rready
);
  // The current access, until asked falls, and its response.
  reg        asked = 1'b0;
  reg        writing;
  reg [11:0] address;
  reg [31:0] value;
  reg  [3:0] strobes;
  reg  [1:0] response;

  task write(input [11:0] a, input [31:0] v, input [3:0] s);
    begin
      writing = 1'b1;
      address = a;
      value = v;
      strobes = s;
      asked = 1'b1;
      wait (!asked);
    end
  endtask

  // Returns the data in value.
  task read(input [11:0] a);
    begin
      writing = 1'b0;
      address = a;
      asked = 1'b1;
      wait (!asked);
    end
  endtask

  reg [31:0] state = 32'h3;
  function integer random(input integer below); // xorshift32, like the generator of the link
    begin
      state = state ^ (state << 13);
      state = state ^ (state >> 17);
      state = state ^ (state << 5);
      random = {1'b0, state[31:1]} % below;
    end
  endfunction

  integer gaps = 3; // maximum length of a gap, plus 1

  reg     address_taken, data_taken;
  integer address_wait, data_wait;

  task write_access;
    begin
      address_taken = 1'b0;
      data_taken = 1'b0;
      address_wait = random(gaps);
      data_wait = random(gaps);
      awaddr = address;
      wdata = value;
      wstrb = strobes;
      while (!address_taken || !data_taken) begin
        awvalid = !address_taken && address_wait == 0;
        wvalid = !data_taken && data_wait == 0;
        @(posedge clk);
        address_taken = address_taken || awvalid && awready === 1'b1;
        data_taken = data_taken || wvalid && wready === 1'b1;
        if (address_wait > 0) address_wait = address_wait - 1;
        if (data_wait > 0) data_wait = data_wait - 1;
        @(negedge clk);
      end
      awvalid = 1'b0;
      wvalid = 1'b0;
      repeat (random(gaps)) @(negedge clk);
      bready = 1'b1;
      @(posedge clk);
      while (bvalid !== 1'b1) @(posedge clk);
      response = bresp;
      @(negedge clk);
      bready = 1'b0;
    end
  endtask

  task read_access;
    begin
      araddr = address;
      arvalid = 1'b1;
      @(posedge clk);
      while (arready !== 1'b1) @(posedge clk);
      @(negedge clk);
      arvalid = 1'b0;
      repeat (random(gaps)) @(negedge clk);
      rready = 1'b1;
      @(posedge clk);
      while (rvalid !== 1'b1) @(posedge clk);
      value = rdata;
      response = rresp;
      @(negedge clk);
      rready = 1'b0;
    end
  endtask

  initial begin
    awvalid = 1'b0;
    wvalid = 1'b0;
    bready = 1'b0;
    arvalid = 1'b0;
    rready = 1'b0;
  end

  // asked is set after a falling edge of the clock.
  always begin
    wait (asked);
    if (writing) write_access;
    else read_access;
    asked = 1'b0;
  end

  stream_check #(.NAME("s_axil_aw")) check_aw (.clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .payload(1'b0));
  stream_check #(.NAME("s_axil_w")) check_w (.clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .payload(1'b0));
  stream_check #(.NAME("s_axil_ar")) check_ar (.clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .payload(1'b0));
  stream_check #(.NAME("s_axil_b"), .WIDTH(2)) check_b (.clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .payload(bresp));
  stream_check #(.NAME("s_axil_r"), .WIDTH(34)) check_r (.clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .payload({rresp, rdata}));
endmodule

`default_nettype wire
