// A first bench around the generated Verilog of configs/small.hcl: reset, wait
// until the EAL is cleared, read the identity register over AXI4-Lite. The
// streams are idle. State begins unknown, and an unknown signal is never taken for
// one that is 1. Run it with
//
//   hotline gen --out build/small
//   cd build/small && iverilog -g2005 -o tb ../../tb/hotline_tb.v -f hotline.f && vvp tb
//
// Add +vcd to the last command for hotline_tb.vcd.

`timescale 1ns / 1ps
`default_nettype none

module hotline_tb;
  localparam [31:0] IDENTITY = 32'h484f544c; // "HOTL"
  localparam [11:0] CSR_ID = 12'h000;
  localparam [11:0] CSR_STATUS = 12'h024;

  reg clk = 1'b0;
  reg rst = 1'b1;
  always #1.4285 clk = !clk; // 350 MHz

  reg  [11:0] araddr = 12'd0;
  reg         arvalid = 1'b0;
  wire        arready;
  wire [31:0] rdata;
  wire  [1:0] rresp;
  wire        rvalid;
  reg         rready = 1'b0;

  hotline dut (
    .clk                           (clk),
    .rst                           (rst),
    .s_axil_awaddr                 (12'd0),
    .s_axil_awprot                 (3'd0),
    .s_axil_awvalid                (1'b0),
    .s_axil_awready                (),
    .s_axil_wdata                  (32'd0),
    .s_axil_wstrb                  (4'd0),
    .s_axil_wvalid                 (1'b0),
    .s_axil_wready                 (),
    .s_axil_bresp                  (),
    .s_axil_bvalid                 (),
    .s_axil_bready                 (1'b1),
    .s_axil_araddr                 (araddr),
    .s_axil_arprot                 (3'd0),
    .s_axil_arvalid                (arvalid),
    .s_axil_arready                (arready),
    .s_axil_rdata                  (rdata),
    .s_axil_rresp                  (rresp),
    .s_axil_rvalid                 (rvalid),
    .s_axil_rready                 (rready),
    .m_axis_read_desc_dma_addr     (),
    .m_axis_read_desc_len          (),
    .m_axis_read_desc_tag          (),
    .m_axis_read_desc_cls          (),
    .m_axis_read_desc_valid        (),
    .m_axis_read_desc_ready        (1'b1),
    .s_axis_read_data_tdata        (128'd0),
    .s_axis_read_data_tkeep        (16'd0),
    .s_axis_read_data_tid          (8'd0),
    .s_axis_read_data_tuser        (1'b0),
    .s_axis_read_data_tlast        (1'b0),
    .s_axis_read_data_tvalid       (1'b0),
    .s_axis_read_data_tready       (),
    .s_axis_read_desc_status_tag   (8'd0),
    .s_axis_read_desc_status_error (4'd0),
    .s_axis_read_desc_status_valid (1'b0),
    .m_axis_write_desc_dma_addr    (),
    .m_axis_write_desc_len         (),
    .m_axis_write_desc_tag         (),
    .m_axis_write_desc_valid       (),
    .m_axis_write_desc_ready       (1'b1),
    .m_axis_write_data_tdata       (),
    .m_axis_write_data_tkeep       (),
    .m_axis_write_data_tid         (),
    .m_axis_write_data_tlast       (),
    .m_axis_write_data_tvalid      (),
    .m_axis_write_data_tready      (1'b1),
    .s_axis_write_desc_status_tag  (7'd0),
    .s_axis_write_desc_status_error(4'd0),
    .s_axis_write_desc_status_valid(1'b0),
    .irq_req                       (),
    .irq_ack                       (1'b0),
    .cfg_bus_master_enable         (1'b0),
    .cfg_flr                       (1'b0),
    .link_up                       (1'b1)
  );

  // Reads a register; the value is in rdata afterwards. Comparisons with === tell X
  // from 0 and 1.
  task read(input [11:0] addr);
    begin
      @(negedge clk);
      araddr = addr;
      arvalid = 1'b1;
      rready = 1'b1;
      @(posedge clk);
      while (arready !== 1'b1) @(posedge clk);
      @(negedge clk);
      arvalid = 1'b0;
      while (rvalid !== 1'b1) @(negedge clk);
      if (rresp !== 2'b00) begin
        $display("FAIL: register %h answers with %b", addr, rresp);
        $finish;
      end
    end
  endtask

  integer tries;

  initial begin
    #5000 $display("FAIL: no answer");
    $finish;
  end

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("hotline_tb.vcd");
      $dumpvars(0, hotline_tb);
    end
    repeat (4) @(negedge clk);
    rst = 1'b0;
    read(CSR_STATUS);
    for (tries = 0; tries < 100 && rdata[1] !== 1'b1; tries = tries + 1) begin
      @(negedge clk);
      read(CSR_STATUS);
    end
    if (rdata[1] !== 1'b1) begin
      $display("FAIL: status %h, not ready after %0d reads", rdata, tries + 1);
      $finish;
    end
    @(negedge clk);
    read(CSR_ID);
    if (rdata === IDENTITY) $display("PASS: identity %h, ready after %0d reads", rdata, tries + 1);
    else $display("FAIL: identity %h, expected %h", rdata, IDENTITY);
    $finish;
  end
endmodule

`default_nettype wire
