// hotline_verilog_pcie of the small configuration before RTL of verilog-pcie, wired as
// docs/how-to/integration.md says. In place of dma_if_pcie is dma_if_axi, with the same descriptors and
// memories and an AXI4 master behind, so that the whole has the ports of hotline_axi and its
// bench: scripts/verilog-pcie runs it.
module hotline_axi (
  input  wire         clk,
  input  wire         rst,
  input  wire         s_axil_awvalid,
  output wire         s_axil_awready,
  input  wire  [11:0] s_axil_awaddr,
  input  wire   [2:0] s_axil_awprot,
  input  wire         s_axil_wvalid,
  output wire         s_axil_wready,
  input  wire  [31:0] s_axil_wdata,
  input  wire   [3:0] s_axil_wstrb,
  output wire         s_axil_bvalid,
  input  wire         s_axil_bready,
  output wire   [1:0] s_axil_bresp,
  input  wire         s_axil_arvalid,
  output wire         s_axil_arready,
  input  wire  [11:0] s_axil_araddr,
  input  wire   [2:0] s_axil_arprot,
  output wire         s_axil_rvalid,
  input  wire         s_axil_rready,
  output wire  [31:0] s_axil_rdata,
  output wire   [1:0] s_axil_rresp,
  output wire         m_axi_awvalid,
  input  wire         m_axi_awready,
  output wire   [7:0] m_axi_awid,
  output wire  [63:0] m_axi_awaddr,
  output wire   [7:0] m_axi_awlen,
  output wire   [2:0] m_axi_awsize,
  output wire   [1:0] m_axi_awburst,
  output wire   [3:0] m_axi_awcache,
  output wire   [2:0] m_axi_awprot,
  output wire         m_axi_wvalid,
  input  wire         m_axi_wready,
  output wire [127:0] m_axi_wdata,
  output wire  [15:0] m_axi_wstrb,
  output wire         m_axi_wlast,
  input  wire         m_axi_bvalid,
  output wire         m_axi_bready,
  input  wire   [7:0] m_axi_bid,
  input  wire   [1:0] m_axi_bresp,
  output wire         m_axi_arvalid,
  input  wire         m_axi_arready,
  output wire   [7:0] m_axi_arid,
  output wire  [63:0] m_axi_araddr,
  output wire   [7:0] m_axi_arlen,
  output wire   [2:0] m_axi_arsize,
  output wire   [1:0] m_axi_arburst,
  output wire   [3:0] m_axi_arcache,
  output wire   [2:0] m_axi_arprot,
  input  wire         m_axi_rvalid,
  output wire         m_axi_rready,
  input  wire   [7:0] m_axi_rid,
  input  wire [127:0] m_axi_rdata,
  input  wire   [1:0] m_axi_rresp,
  input  wire         m_axi_rlast,
  output wire         irq_req,
  input  wire         irq_ack
);
  // Descriptors of the interface: r_ reads, w_ writes; src_ and snk_ those of the clients.
  wire r_valid, r_ready, w_valid, w_ready, src_valid, src_ready, snk_valid, snk_ready;
  wire r_done, w_done, snk_done, w_imm_en;
  wire [63:0] r_addr, w_addr;
  wire [1:0] r_sel, w_sel;
  wire [15:0] r_place, r_len, w_place, w_len, src_place, src_len, snk_place, snk_len;
  wire [7:0] r_tag, w_tag, src_tag, snk_tag, r_done_tag, w_done_tag;
  wire [3:0] r_error, w_error;
  wire [31:0] w_imm;
  wire [127:0] src_data, snk_data;
  wire [15:0] snk_keep;
  wire src_tvalid, src_tready, src_last, snk_tvalid, snk_tready, snk_last;

  hotline_verilog_pcie hotline (
    .clk(clk), .rst(rst),
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
    .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
    .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
    .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
    .m_axis_dma_read_desc_valid(r_valid), .m_axis_dma_read_desc_ready(r_ready), .m_axis_dma_read_desc_pcie_addr(r_addr),
    .m_axis_dma_read_desc_ram_sel(r_sel), .m_axis_dma_read_desc_ram_addr(r_place), .m_axis_dma_read_desc_len(r_len), .m_axis_dma_read_desc_tag(r_tag),
    .s_axis_dma_read_desc_status_valid(r_done), .s_axis_dma_read_desc_status_tag(r_done_tag), .s_axis_dma_read_desc_status_error(r_error),
    .m_axis_source_desc_valid(src_valid), .m_axis_source_desc_ready(src_ready), .m_axis_source_desc_ram_addr(src_place),
    .m_axis_source_desc_len(src_len), .m_axis_source_desc_tag(src_tag),
    .s_axis_source_data_tvalid(src_tvalid), .s_axis_source_data_tready(src_tready), .s_axis_source_data_tdata(src_data), .s_axis_source_data_tlast(src_last),
    .m_axis_sink_desc_valid(snk_valid), .m_axis_sink_desc_ready(snk_ready), .m_axis_sink_desc_ram_addr(snk_place),
    .m_axis_sink_desc_len(snk_len), .m_axis_sink_desc_tag(snk_tag),
    .m_axis_sink_data_tvalid(snk_tvalid), .m_axis_sink_data_tready(snk_tready), .m_axis_sink_data_tdata(snk_data),
    .m_axis_sink_data_tkeep(snk_keep), .m_axis_sink_data_tlast(snk_last), .s_axis_sink_desc_status_valid(snk_done),
    .m_axis_dma_write_desc_valid(w_valid), .m_axis_dma_write_desc_ready(w_ready), .m_axis_dma_write_desc_pcie_addr(w_addr),
    .m_axis_dma_write_desc_ram_sel(w_sel), .m_axis_dma_write_desc_ram_addr(w_place), .m_axis_dma_write_desc_imm(w_imm),
    .m_axis_dma_write_desc_imm_en(w_imm_en), .m_axis_dma_write_desc_len(w_len), .m_axis_dma_write_desc_tag(w_tag),
    .s_axis_dma_write_desc_status_valid(w_done), .s_axis_dma_write_desc_status_tag(w_done_tag), .s_axis_dma_write_desc_status_error(w_error),
    .irq_req(irq_req), .irq_ack(irq_ack), .cfg_bus_master_enable(1'b1), .cfg_flr(1'b0), .link_up(1'b1)
  );

  // Two segments as wide as the stream: the interface writes the memory of reads, and reads
  // that of writes.
  wire [31:0] in_be, out_be;
  wire [21:0] in_addr, source_addr, out_addr, sink_addr;
  wire [255:0] in_data, source_data, out_data, sink_data;
  wire [1:0] in_valid, in_ready, in_done, source_valid, source_ready, source_resp, source_take;
  wire [1:0] out_valid, out_ready, out_resp, out_take, sink_valid, sink_ready, sink_done;

  dma_if_axi #(
    .AXI_DATA_WIDTH(128), .AXI_ADDR_WIDTH(64), .RAM_ADDR_WIDTH(16), .RAM_SEG_COUNT(2), .TAG_WIDTH(8)
  ) dma (
    .clk(clk), .rst(rst),
    .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize),
    .m_axi_awburst(m_axi_awburst), .m_axi_awlock(), .m_axi_awcache(m_axi_awcache), .m_axi_awprot(m_axi_awprot),
    .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready),
    .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
    .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
    .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arsize(m_axi_arsize),
    .m_axi_arburst(m_axi_arburst), .m_axi_arlock(), .m_axi_arcache(m_axi_arcache), .m_axi_arprot(m_axi_arprot),
    .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready),
    .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast), .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready),
    .s_axis_read_desc_axi_addr(r_addr), .s_axis_read_desc_ram_sel(r_sel), .s_axis_read_desc_ram_addr(r_place), .s_axis_read_desc_len(r_len),
    .s_axis_read_desc_tag(r_tag), .s_axis_read_desc_valid(r_valid), .s_axis_read_desc_ready(r_ready),
    .m_axis_read_desc_status_tag(r_done_tag), .m_axis_read_desc_status_error(r_error), .m_axis_read_desc_status_valid(r_done),
    .s_axis_write_desc_axi_addr(w_addr), .s_axis_write_desc_ram_sel(w_sel), .s_axis_write_desc_ram_addr(w_place), .s_axis_write_desc_imm(w_imm),
    .s_axis_write_desc_imm_en(w_imm_en), .s_axis_write_desc_len(w_len), .s_axis_write_desc_tag(w_tag), .s_axis_write_desc_valid(w_valid), .s_axis_write_desc_ready(w_ready),
    .m_axis_write_desc_status_tag(w_done_tag), .m_axis_write_desc_status_error(w_error), .m_axis_write_desc_status_valid(w_done),
    .ram_wr_cmd_be(in_be), .ram_wr_cmd_addr(in_addr), .ram_wr_cmd_data(in_data), .ram_wr_cmd_valid(in_valid), .ram_wr_cmd_ready(in_ready), .ram_wr_done(in_done),
    .ram_rd_cmd_addr(out_addr), .ram_rd_cmd_valid(out_valid), .ram_rd_cmd_ready(out_ready),
    .ram_rd_resp_data(out_data), .ram_rd_resp_valid(out_resp), .ram_rd_resp_ready(out_take),
    .read_enable(1'b1), .write_enable(1'b1)
  );

  dma_psdpram #(.SIZE(65536), .SEG_COUNT(2), .SEG_DATA_WIDTH(128)) read_memory (
    .clk(clk), .rst(rst),
    .wr_cmd_be(in_be), .wr_cmd_addr(in_addr), .wr_cmd_data(in_data), .wr_cmd_valid(in_valid), .wr_cmd_ready(in_ready), .wr_done(in_done),
    .rd_cmd_addr(source_addr), .rd_cmd_valid(source_valid), .rd_cmd_ready(source_ready),
    .rd_resp_data(source_data), .rd_resp_valid(source_resp), .rd_resp_ready(source_take)
  );

  dma_client_axis_source #(.RAM_ADDR_WIDTH(16), .SEG_COUNT(2), .SEG_DATA_WIDTH(128), .TAG_WIDTH(8)) source (
    .clk(clk), .rst(rst),
    .s_axis_read_desc_ram_addr(src_place), .s_axis_read_desc_len(src_len), .s_axis_read_desc_tag(src_tag), .s_axis_read_desc_id(8'd0),
    .s_axis_read_desc_dest(8'd0), .s_axis_read_desc_user(1'b0), .s_axis_read_desc_valid(src_valid), .s_axis_read_desc_ready(src_ready),
    .m_axis_read_data_tdata(src_data), .m_axis_read_data_tvalid(src_tvalid), .m_axis_read_data_tready(src_tready), .m_axis_read_data_tlast(src_last),
    .ram_rd_cmd_addr(source_addr), .ram_rd_cmd_valid(source_valid), .ram_rd_cmd_ready(source_ready),
    .ram_rd_resp_data(source_data), .ram_rd_resp_valid(source_resp), .ram_rd_resp_ready(source_take),
    .enable(1'b1)
  );

  dma_psdpram #(.SIZE(65536), .SEG_COUNT(2), .SEG_DATA_WIDTH(128)) write_memory (
    .clk(clk), .rst(rst),
    .wr_cmd_be(out_be), .wr_cmd_addr(sink_addr), .wr_cmd_data(sink_data), .wr_cmd_valid(sink_valid), .wr_cmd_ready(sink_ready), .wr_done(sink_done),
    .rd_cmd_addr(out_addr), .rd_cmd_valid(out_valid), .rd_cmd_ready(out_ready),
    .rd_resp_data(out_data), .rd_resp_valid(out_resp), .rd_resp_ready(out_take)
  );

  dma_client_axis_sink #(.RAM_ADDR_WIDTH(16), .SEG_COUNT(2), .SEG_DATA_WIDTH(128), .TAG_WIDTH(8)) sink (
    .clk(clk), .rst(rst),
    .s_axis_write_desc_ram_addr(snk_place), .s_axis_write_desc_len(snk_len), .s_axis_write_desc_tag(snk_tag),
    .s_axis_write_desc_valid(snk_valid), .s_axis_write_desc_ready(snk_ready), .m_axis_write_desc_status_valid(snk_done),
    .s_axis_write_data_tdata(snk_data), .s_axis_write_data_tkeep(snk_keep), .s_axis_write_data_tvalid(snk_tvalid), .s_axis_write_data_tready(snk_tready),
    .s_axis_write_data_tlast(snk_last), .s_axis_write_data_tid(8'd0), .s_axis_write_data_tdest(8'd0), .s_axis_write_data_tuser(1'b0),
    .ram_wr_cmd_be(out_be), .ram_wr_cmd_addr(sink_addr), .ram_wr_cmd_data(sink_data), .ram_wr_cmd_valid(sink_valid), .ram_wr_cmd_ready(sink_ready), .ram_wr_done(sink_done),
    .enable(1'b1), .abort(1'b0)
  );
endmodule
