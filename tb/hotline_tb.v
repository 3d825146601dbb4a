// A test bench for the generated Verilog, for any simulator. It acts as the driver in
// docs/reference/accelerator.md and checks every command with its effect on memory, refusals,
// failed reads and writes, and resets in the middle of commands. Run it in the directory of the
// Verilog (verilog/small, or build/small of hotline gen), with Icarus or with Verilator:
//
//   $ iverilog -g2005 -s hotline_tb -o bench ../../tb/*.v -f hotline.f && vvp bench
//   $ verilator --binary --timing --top hotline_tb ../../tb/*.v -f hotline.f && obj_dir/Vhotline_tb
//
// It prints PASS, or it prints FAIL and ends with a nonzero status. Append +short to the last
// command to run half the cycles, with all kinds of commands and statuses but fewer stalls and
// resets. Append +vcd to write hotline_tb.vcd (Verilator: build with --trace). For other sizes,
// pass -Photline_tb.STREAM_BITS=512 -Photline_tb.TAG_BITS=8 (Icarus) or -GSTREAM_BITS=512
// -GTAG_BITS=8 (Verilator); TAG_BITS is log2 of the number of tags.

`timescale 1ns / 1ps
`default_nettype none

module hotline_tb #(
  parameter STREAM_BITS = 128,
  parameter TAG_BITS = 7
);
  // Constants of docs/reference/accelerator.md.

  localparam [11:0] CSR_ID = 12'h000, CSR_VERSION = 12'h004, CSR_CAPS0 = 12'h008, CSR_CAPS1 = 12'h00c;
  localparam [11:0] CSR_CAPS4 = 12'h018, CSR_CONTROL = 12'h020, CSR_STATUS = 12'h024;
  localparam [11:0] CSR_SQ_BASE = 12'h030, CSR_SQ_LOG2 = 12'h038, CSR_SQ_TAIL = 12'h03c, CSR_SQ_HEAD = 12'h040;
  localparam [11:0] CSR_CQ_BASE = 12'h044, CSR_CQ_LOG2 = 12'h04c, CSR_CQ_HEAD = 12'h050, CSR_CQ_TAIL = 12'h054;
  localparam [11:0] CSR_ERROR = 12'h058, CSR_ROWS_AHEAD = 12'h05c, CSR_LOOKUPS = 12'h060;
  localparam [11:0] CSR_ROWS_READ = 12'h06c, CSR_ROWS_WRITTEN = 12'h070, CSR_DROPPED = 12'h074;
  localparam [31:0] IDENTITY = 32'h484f544c, VERSION = 32'h00020004;
  localparam [31:0] ENABLE = 32'h1, RESET = 32'h2; // bits of control
  localparam [31:0] BUSY = 32'h1, READY = 32'h2, HALTED = 32'h4, OVERRUN = 32'h8; // bits of status

  localparam [7:0] OP_DMA_RD = 8'h01, OP_DMA_WR = 8'h02, OP_V_ADD = 8'h03, OP_V_MUL = 8'h04, OP_S_WR = 8'h05, OP_GPU_RD = 8'h06;
  localparam [7:0] OP_LEARN = 8'h10, OP_CLASSIFY = 8'h11, OP_GATHER = 8'h12, OP_UPDATE = 8'h13, OP_HOTSET = 8'h14, OP_FENCE = 8'h15;
  localparam [7:0] LOAD = 8'h01, HALF = 8'h01; // flags

  localparam [63:0] REG_TABLE = 64'h000, REG_SLOT = 64'h100, REG_HOT = 64'h200, REG_POOLED = 64'h208, REG_GRAD = 64'h210;
  localparam [63:0] REG_MAILBOX = 64'h218, REG_SLOTS = 64'h220, REG_TABLES = 64'h221, REG_ROW_LOG2 = 64'h222, REG_GPUS = 64'h223;
  localparam [63:0] REG_SCALE = 64'h224;

  localparam [7:0] OK = 8'd0, TIMEOUT = 8'd1, POISONED = 8'd9, UNSUPPORTED = 8'd10, ABORT = 8'd11, SHORT = 8'd12, OPCODE = 8'd32;
  localparam [7:0] BAD_CRC = 8'd33, RANGE = 8'd34, FETCH = 8'd35, NO_ROW = 8'd37, ROWS_AHEAD = 8'd38, NO_VECTOR = 8'd39, NO_INPUTS = 8'd40;

  // Addresses. The addresses in GPU 1 are 2^36 bytes above the addresses in GPU 0.

  localparam [63:0] COMMANDS = 64'h0000_0011_0000_1040, COMPLETIONS = 64'h0000_0012_0002_2020;
  localparam [63:0] TABLE0 = 64'h0000_0021_5000_0f74, TABLE1 = 64'h0000_0022_6000_0008;
  localparam [63:0] LEARNED = 64'h0000_0013_0000_000c, CLASSIFIED = 64'h0000_0013_0001_0004, LIST = 64'h0000_0013_0003_0000;
  localparam [63:0] HOTSET = 64'h0000_0014_0000_0fe4, BITMAP = 64'h0000_0014_0040_0004, VECTOR = 64'h0000_0014_0080_0ffc;
  localparam [63:0] HOT = 64'h0000_0080_0000_0004, POOLED = 64'h0000_0081_8000_0000, GRADIENTS = 64'h0000_0082_0000_0ff8;
  localparam [63:0] MAILBOX = 64'h0000_0083_0000_0010;
  localparam [63:0] GPU1 = 64'h0000_0010_0000_0000;

  // Sizes of this run. A row has two beats.

  localparam [63:0] BEAT = STREAM_BITS / 8;
  localparam [63:0] ROW = 2 * BEAT;
  localparam        VALUES = STREAM_BITS / 16;
  localparam        INPUTS = 11;
  localparam        ROWS = 16;      // of each table
  localparam [31:0] TABLE1_ID = 32'd1000;
  localparam [31:0] SCALE = 32'hbdcccccd; // -0.1

  reg clk = 1'b0;
  reg rst = 1'b1;
  reg cfg_flr = 1'b0;
  always #1.4285 clk = !clk; // 350 MHz

  wire [11:0] awaddr, araddr;
  wire        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  wire [31:0] wdata, rdata;
  wire  [3:0] wstrb;
  wire  [1:0] bresp, rresp;
  wire        irq_req;
  wire        irq_level;
  reg         acknowledges = 1'b0;
  reg         stray = 1'b0; // acknowledgements without a request, which must have no effect
  wire        irq_ack = acknowledges || stray && irq_req === 1'b0;

  wire              [63:0] read_desc_dma_addr, write_desc_dma_addr;
  wire              [12:0] read_desc_len, write_desc_len;
  wire        [TAG_BITS:0] read_desc_tag, read_data_tid, read_status_tag;
  wire                     read_desc_cls, read_desc_valid, read_desc_ready;
  wire   [STREAM_BITS-1:0] read_data_tdata, write_data_tdata;
  wire [STREAM_BITS/8-1:0] read_data_tkeep, write_data_tkeep;
  wire                     read_data_tlast, read_data_tuser, read_data_tvalid, read_data_tready;
  wire               [3:0] read_status_error, write_status_error;
  wire                     read_status_valid, write_status_valid;
  wire      [TAG_BITS-1:0] write_desc_tag, write_data_tid, write_status_tag;
  wire                     write_desc_valid, write_desc_ready, write_data_tlast, write_data_tvalid, write_data_tready;
  wire                     bus_master_enable, link_up;

  hotline dut (
    .clk                           (clk),
    .rst                           (rst),
    .s_axil_awaddr                 (awaddr),
    .s_axil_awprot                 (3'd0),
    .s_axil_awvalid                (awvalid),
    .s_axil_awready                (awready),
    .s_axil_wdata                  (wdata),
    .s_axil_wstrb                  (wstrb),
    .s_axil_wvalid                 (wvalid),
    .s_axil_wready                 (wready),
    .s_axil_bresp                  (bresp),
    .s_axil_bvalid                 (bvalid),
    .s_axil_bready                 (bready),
    .s_axil_araddr                 (araddr),
    .s_axil_arprot                 (3'd0),
    .s_axil_arvalid                (arvalid),
    .s_axil_arready                (arready),
    .s_axil_rdata                  (rdata),
    .s_axil_rresp                  (rresp),
    .s_axil_rvalid                 (rvalid),
    .s_axil_rready                 (rready),
    .m_axis_read_desc_dma_addr     (read_desc_dma_addr),
    .m_axis_read_desc_len          (read_desc_len),
    .m_axis_read_desc_tag          (read_desc_tag),
    .m_axis_read_desc_cls          (read_desc_cls),
    .m_axis_read_desc_valid        (read_desc_valid),
    .m_axis_read_desc_ready        (read_desc_ready),
    .s_axis_read_data_tdata        (read_data_tdata),
    .s_axis_read_data_tkeep        (read_data_tkeep),
    .s_axis_read_data_tid          (read_data_tid),
    .s_axis_read_data_tuser        (read_data_tuser),
    .s_axis_read_data_tlast        (read_data_tlast),
    .s_axis_read_data_tvalid       (read_data_tvalid),
    .s_axis_read_data_tready       (read_data_tready),
    .s_axis_read_desc_status_tag   (read_status_tag),
    .s_axis_read_desc_status_error (read_status_error),
    .s_axis_read_desc_status_valid (read_status_valid),
    .m_axis_write_desc_dma_addr    (write_desc_dma_addr),
    .m_axis_write_desc_len         (write_desc_len),
    .m_axis_write_desc_tag         (write_desc_tag),
    .m_axis_write_desc_valid       (write_desc_valid),
    .m_axis_write_desc_ready       (write_desc_ready),
    .m_axis_write_data_tdata       (write_data_tdata),
    .m_axis_write_data_tkeep       (write_data_tkeep),
    .m_axis_write_data_tid         (write_data_tid),
    .m_axis_write_data_tlast       (write_data_tlast),
    .m_axis_write_data_tvalid      (write_data_tvalid),
    .m_axis_write_data_tready      (write_data_tready),
    .s_axis_write_desc_status_tag  (write_status_tag),
    .s_axis_write_desc_status_error(write_status_error),
    .s_axis_write_desc_status_valid(write_status_valid),
    .irq_req                       (irq_req),
    .irq_ack                       (irq_ack),
    .irq_level                     (irq_level),
    .cfg_bus_master_enable         (bus_master_enable),
    .cfg_flr                       (cfg_flr),
    .link_up                       (link_up)
  );

  link #(.STREAM_BITS(STREAM_BITS), .TAG_BITS(TAG_BITS)) host (
    .clk               (clk),
    .rst               (rst || cfg_flr),
    .read_desc_dma_addr(read_desc_dma_addr),
    .read_desc_len     (read_desc_len),
    .read_desc_tag     (read_desc_tag),
    .read_desc_cls     (read_desc_cls),
    .read_desc_valid   (read_desc_valid),
    .read_desc_ready   (read_desc_ready),
    .read_data_tdata   (read_data_tdata),
    .read_data_tkeep   (read_data_tkeep),
    .read_data_tid     (read_data_tid),
    .read_data_tuser   (read_data_tuser),
    .read_data_tlast   (read_data_tlast),
    .read_data_tvalid  (read_data_tvalid),
    .read_data_tready  (read_data_tready),
    .read_status_tag   (read_status_tag),
    .read_status_error (read_status_error),
    .read_status_valid (read_status_valid),
    .write_desc_dma_addr(write_desc_dma_addr),
    .write_desc_len    (write_desc_len),
    .write_desc_tag    (write_desc_tag),
    .write_desc_valid  (write_desc_valid),
    .write_desc_ready  (write_desc_ready),
    .write_data_tdata  (write_data_tdata),
    .write_data_tkeep  (write_data_tkeep),
    .write_data_tid    (write_data_tid),
    .write_data_tlast  (write_data_tlast),
    .write_data_tvalid (write_data_tvalid),
    .write_data_tready (write_data_tready),
    .write_status_tag  (write_status_tag),
    .write_status_error(write_status_error),
    .write_status_valid(write_status_valid),
    .bus_master_enable (bus_master_enable),
    .link_up           (link_up)
  );

  wire reset = rst || cfg_flr;

  axil_master bus (
    .clk    (clk),
    .rst    (reset),
    .awaddr (awaddr),
    .awvalid(awvalid),
    .awready(awready),
    .wdata  (wdata),
    .wstrb  (wstrb),
    .wvalid (wvalid),
    .wready (wready),
    .bresp  (bresp),
    .bvalid (bvalid),
    .bready (bready),
    .araddr (araddr),
    .arvalid(arvalid),
    .arready(arready),
    .rdata  (rdata),
    .rresp  (rresp),
    .rvalid (rvalid),
    .rready (rready)
  );

  integer checks = 0;
  integer submitted = 0; // commands since the latest reset
  integer completed = 0;
  integer total = 0;     // completions since the start

  task check(input ok, input [8*32-1:0] what, input [31:0] got, input [31:0] want);
    begin
      checks = checks + 1;
      if (ok !== 1'b1) $fatal(1, "FAIL: %0s: %h, expected %h, with %0d commands completed", what, got, want, total);
    end
  endtask

  task equal(input [8*32-1:0] what, input [31:0] got, input [31:0] want);
    check(got === want, what, got, want);
  endtask

  // The driver's own random numbers, like the generator of the link.
  reg [31:0] state = 32'h2;
  function integer random(input integer below);
    begin
      state = state ^ (state << 13);
      state = state ^ (state >> 17);
      state = state ^ (state << 5);
      random = {1'b0, state[31:1]} % below;
    end
  endfunction

  reg brief = 1'b0; // the run is short

  task idle(input integer most);
    repeat (random(brief ? most / 8 + 1 : most + 1)) @(negedge clk);
  endtask

  // Registers.

  task write_answer(input [11:0] address, input [31:0] v, input [3:0] strobes, input [1:0] response);
    begin
      bus.write(address, v, strobes);
      check(bus.response === response, "answer to a write", {30'd0, bus.response}, {20'd0, address});
    end
  endtask

  reg [31:0] value; // result of the latest read

  task read_answer(input [11:0] address, input [1:0] response);
    begin
      bus.read(address);
      check(bus.response === response, "answer to a read", {30'd0, bus.response}, {20'd0, address});
      value = bus.value;
    end
  endtask

  task write(input [11:0] address, input [31:0] v);
    write_answer(address, v, 4'hf, 2'b00);
  endtask

  task write64(input [11:0] address, input [63:0] v);
    begin
      write(address, v[31:0]);
      write(address + 12'd4, v[63:32]);
    end
  endtask

  task read(input [11:0] address);
    read_answer(address, 2'b00);
  endtask

  task expect_register(input [11:0] address, input [31:0] want);
    begin
      read(address);
      checks = checks + 1;
      if (value !== want) $fatal(1, "FAIL: register %h: %h, expected %h, with %0d commands completed", address, value, want, total);
    end
  endtask

  // Waits until the masked bits of a register have a value.
  task wait_register(input [11:0] address, input [31:0] mask, input [31:0] want);
    begin
      read(address);
      while ((value & mask) !== want) read(address);
    end
  endtask

  // The address of word n after a base address.
  function [63:0] word(input [63:0] base, input integer n);
    word = base + 4 * n;
  endfunction

  // IEEE-754 binary32 for numbers that are neither subnormal nor too large. Computed in double
  // precision, which is exact or rounds to the same result, and then rounded.

  function real wide(input [31:0] x);
    wide = x[30:0] == 31'd0 ? 0.0 : $bitstoreal({x[31], {3'd0, x[30:23]} + 11'd896, x[22:0], 29'd0});
  endfunction

  function [31:0] narrow(input real r);
    reg [63:0] x;
    reg [33:0] kept;
    begin
      x = $realtobits(r);
      kept = x[62:29];
      if (x[28] && (x[27:0] != 28'd0 || kept[0])) kept = kept + 34'd1;
      narrow = x[62:0] == 63'd0 ? x[63:32] : {x[63], kept[30:23] ^ 8'h80, kept[22:0]};
    end
  endfunction

  function [31:0] add(input [31:0] x, input [31:0] y);
    add = narrow(wide(x) + wide(y));
  endfunction

  function [31:0] mul(input [31:0] x, input [31:0] y);
    mul = narrow(wide(x) * wide(y));
  endfunction

  // Rows with random values of similar magnitude, so that rounding and its order are observable.

  task poke_row(input [63:0] address);
    integer    i;
    reg [31:0] x;
    begin
      for (i = 0; i < VALUES; i = i + 1) begin
        x = random(1 << 30);
        host.poke(word(address, i), {x[0], 4'b0111, 1'b1, x[3:1], x[28:6]});
      end
    end
  endtask

  // Expected contents of memory after the listed commands.

  reg [63:0] want_address [0:1023];
  reg [31:0] want_word [0:1023];
  integer    wants = 0;
  integer    written = 0; // words written by the checked commands

  // Creates the word with another value.
  task expect_word(input [63:0] address, input [31:0] v);
    begin
      host.poke(address, ~v);
      want_address[wants] = address;
      want_word[wants] = v;
      wants = wants + 1;
    end
  endtask

  task check_memory;
    integer i;
    begin
      for (i = 0; i < wants; i = i + 1) equal("word in memory", host.peek(want_address[i]), want_word[i]);
      equal("words written", host.words_written - written, wants);
      written = host.words_written;
      wants = 0;
    end
  endtask

  // The expected contents of the vector buffer.

  reg [31:0] vector [0:VALUES-1];

  task vector_mul(input [63:0] row, input [31:0] scalar);
    integer i;
    for (i = 0; i < VALUES; i = i + 1) vector[i] = mul(host.peek(word(row, i)), scalar);
  endtask

  task vector_load(input [63:0] row);
    integer i;
    for (i = 0; i < VALUES; i = i + 1) vector[i] = host.peek(word(row, i));
  endtask

  task vector_add(input [63:0] row);
    integer i;
    for (i = 0; i < VALUES; i = i + 1) vector[i] = add(vector[i], host.peek(word(row, i)));
  endtask

  task expect_vector(input [63:0] address);
    integer i;
    for (i = 0; i < VALUES; i = i + 1) expect_word(word(address, i), vector[i]);
  endtask

  // Commands in a ring of 8 and completions in a ring of 4. Commands and their expected completions
  // are listed before they run.

  reg   [7:0] list_opcode [0:63];
  reg   [7:0] list_flags  [0:63];
  reg  [63:0] list_a      [0:63];
  reg  [63:0] list_b      [0:63];
  reg  [63:0] list_c      [0:63];
  reg   [7:0] list_status [0:63];
  reg  [31:0] list_value0 [0:63];
  reg  [31:0] list_value1 [0:63];
  reg  [31:0] list_spoil  [0:63]; // error in its CRC
  integer     listed = 0;
  reg  [31:0] spoil = 32'd0;      // error in the CRC of the next command

  task counted(
    input [7:0] opcode, input [7:0] flags, input [63:0] a, input [63:0] b, input [63:0] c,
    input [7:0] status, input [31:0] value0, input [31:0] value1
  );
    begin
      list_opcode[listed] = opcode;
      list_flags[listed] = flags;
      list_a[listed] = a;
      list_b[listed] = b;
      list_c[listed] = c;
      list_status[listed] = status;
      list_value0[listed] = value0;
      list_value1[listed] = value1;
      list_spoil[listed] = spoil;
      spoil = 32'd0;
      listed = listed + 1;
    end
  endtask

  task command(input [7:0] opcode, input [7:0] flags, input [63:0] a, input [63:0] b, input [63:0] c, input [7:0] status);
    counted(opcode, flags, a, b, c, status, 32'd0, 32'd0);
  endtask

  task set(input [63:0] register, input [63:0] v);
    command(OP_S_WR, 8'd0, register, v, 64'd0, OK);
  endtask

  function [63:0] entry(input integer n);
    entry = COMMANDS + {55'd0, n[2:0], 6'd0};
  endfunction

  function [63:0] completion(input integer n);
    completion = COMPLETIONS + {57'd0, n[1:0], 5'd0};
  endfunction

  function [31:0] crc_word(input [31:0] crc, input [31:0] v);
    integer i;
    begin
      crc_word = crc;
      for (i = 0; i < 32; i = i + 1) crc_word = (crc_word >> 1) ^ ((crc_word[0] ^ v[i]) ? 32'h82f63b78 : 32'd0);
    end
  endfunction

  function [31:0] crc_words(input [63:0] address, input integer n);
    integer    i;
    reg [31:0] crc;
    begin
      crc = 32'hffffffff;
      for (i = 0; i < n; i = i + 1) crc = crc_word(crc, host.peek(word(address, i)));
      crc_words = ~crc;
    end
  endfunction

  // Writes command n of the list to the ring.
  task put(input integer n);
    integer    i;
    reg [63:0] at;
    begin
      at = entry(submitted);
      host.poke(at, {16'd0, list_flags[n], list_opcode[n]});
      host.poke(at + 4, 32'hc0de0000 + submitted);
      host.poke(at + 8, list_a[n][31:0]);
      host.poke(at + 12, list_a[n][63:32]);
      host.poke(at + 16, list_b[n][31:0]);
      host.poke(at + 20, list_b[n][63:32]);
      host.poke(at + 24, list_c[n][31:0]);
      host.poke(at + 28, list_c[n][63:32]);
      for (i = 8; i < 15; i = i + 1) host.poke(word(at, i), 32'd0);
      host.poke(at + 60, crc_words(at, 15) ^ list_spoil[n]);
      submitted = submitted + 1;
    end
  endtask

  task acknowledge;
    begin
      while (irq_req !== 1'b1) @(negedge clk);
      idle(3);
      if (random(4) == 0) begin // sometimes the bus is closed before the acknowledgement
        host.shut = 1'b1;
        repeat (4) @(negedge clk);
        host.shut = 1'b0;
      end
      while (irq_req !== 1'b1) @(negedge clk); // irq_req is 0 while the bus is closed
      acknowledges = 1'b1;
      @(negedge clk);
      acknowledges = 1'b0;
    end
  endtask

  always @(negedge clk) stray = host.dice[28:27] == 2'd0;

  // Checks the next completion, which belongs to command n of the list. The driver only looks for
  // completions after an interrupt.
  task take(input integer n);
    reg [63:0] at;
    begin
      at = completion(completed);
      while (host.completions == completed) acknowledge;
      equal("status and phase", host.peek(at + 4), {15'd0, completed % 8 < 4, 8'd0, list_status[n]});
      equal("command id", host.peek(at), list_status[n] == FETCH ? 32'd0 : 32'hc0de0000 + completed);
      equal("consumer index", host.peek(at + 16), completed + 1);
      if (list_status[n] == OK) begin
        equal("value 0", host.peek(at + 8), list_value0[n]);
        equal("value 1", host.peek(at + 12), list_value1[n]);
        equal("sum of what was written", host.peek(at + 20), host.sums[completed % 4]);
      end
      equal("word 6 of a completion", host.peek(at + 24), 32'd0);
      equal("CRC of a completion", host.peek(at + 28), crc_words(at, 7));
      completed = completed + 1;
      total = total + 1;
      idle(10);
      write(CSR_CQ_HEAD, completed);
    end
  endtask

  // Runs the list and checks memory, or runs it without checking memory.

  reg     running = 1'b0;
  integer first;

  task run;
    begin
      running = 1'b1;
      wait (!running);
      check_memory;
    end
  endtask

  task run_unchecked;
    begin
      running = 1'b1;
      wait (!running);
      written = host.words_written;
    end
  endtask

  always begin
    wait (running);
    first = completed; // index of command 0 of the list
    while (completed - first < listed) begin
      while (submitted - completed < 8 && submitted - first < listed) put(submitted - first);
      write(CSR_SQ_TAIL, submitted);
      // In a short run, further commands are submitted while some are still in flight.
      while (completed != submitted && !(brief && submitted - completed <= 4 && submitted - first < listed)) take(completed - first);
    end
    listed = 0;
    running = 1'b0;
  end

  // Stages of the run.

  integer slots;             // L: at least E/4, and such that inputs cross rows of the eDRAM
  integer id_bits, set_bits; // bits of a row ID, and the bits of it that select bank and set
  integer ways;

  task identify;
    begin
      expect_register(CSR_ID, IDENTITY);
      expect_register(CSR_VERSION, VERSION);
      read(CSR_CAPS0);
      slots = (1 << value[7:0]) / 4 + 3;
      ways = 1 << value[31:24];
      set_bits = {24'd0, value[23:16]} - {24'd0, value[31:24]};
      patience = 2000 + 8 * (1 << (set_bits - {24'd0, value[15:8]}));
      read(CSR_CAPS1);
      equal("caps1", value, {16'd1 << TAG_BITS, BEAT[15:0]});
      read(CSR_CAPS4);
      id_bits = {24'd0, value[7:0]};
    end
  endtask

  // Accesses that the bus refuses must have no effect.
  task refused_accesses;
    begin
      read_answer(12'h0b0, 2'b10);
      read_answer(CSR_ID + 12'd2, 2'b10);
      write_answer(12'h0b0, 32'd1, 4'hf, 2'b10);
      write_answer(CSR_ID, 32'd1, 4'hf, 2'b10);
      write_answer(CSR_LOOKUPS, 32'd1, 4'hf, 2'b10);
      write_answer(CSR_SQ_LOG2, 32'd5, 4'h7, 2'b10);
      expect_register(CSR_SQ_LOG2, 32'd0);
    end
  endtask

  task set_rings;
    integer i;
    begin
      wait_register(CSR_STATUS, READY, READY);
      submitted = 0;
      completed = 0;
      for (i = 0; i < 32; i = i + 1) host.poke(word(COMPLETIONS, i), 32'd0);
      host.ring = COMPLETIONS;
      host.completions = 0;
      write64(CSR_SQ_BASE, COMMANDS);
      write(CSR_SQ_LOG2, 32'd3);
      write64(CSR_CQ_BASE, COMPLETIONS);
      write(CSR_CQ_LOG2, 32'd2);
      write(CSR_CONTROL, ENABLE);
      expect_register(CSR_CONTROL, ENABLE);
    end
  endtask

  function [63:0] row(input integer table_number, input integer index);
    row = (table_number == 0 ? TABLE0 : TABLE1) + index * ROW;
  endfunction

  // Vector n after a base address, in the GPU for turn j.
  function [63:0] dealt(input [63:0] base, input integer j, input integer n);
    dealt = base + (j % 2 == 1 ? GPU1 : 64'd0) + n * ROW;
  endfunction

  task set_rows;
    set(REG_ROW_LOG2, {32'd0, $clog2(ROW)});
  endtask

  // Two tables and two GPUs. The first table has all slots except the last.
  task list_addresses;
    integer s;
    begin
      set_rows;
      set(REG_TABLE, TABLE0);
      set(REG_TABLE + 1, TABLE1);
      for (s = 0; s < slots; s = s + 1)
        set(REG_SLOT + {32'd0, s}, {22'd0, s >= slots - 2, s == 0 || s == slots - 1, 7'd0, s == slots - 1, s == slots - 1 ? TABLE1_ID : 32'd0});
      set(REG_HOT, HOT);
      set(REG_HOT + 1, HOT + GPU1);
      set(REG_POOLED, POOLED);
      set(REG_POOLED + 1, POOLED + GPU1);
      set(REG_GRAD, GRADIENTS);
      set(REG_GRAD + 1, GRADIENTS + GPU1);
      set(REG_MAILBOX, MAILBOX);
      set(REG_MAILBOX + 1, MAILBOX + GPU1);
      set(REG_SLOTS, {32'd0, slots});
      set(REG_TABLES, 64'd2);
      set(REG_GPUS, 64'd2);
      set(REG_SCALE, {32'd0, SCALE});
    end
  endtask

  // The commands of Table I of the paper: (row * scalar + row) + row of a GPU.
  task row_commands;
    begin
      poke_row(HOT + GPU1 + 77 * ROW);
      command(OP_DMA_RD, 8'd0, row(0, 3), ROW, 64'd0, OK);
      command(OP_DMA_RD, 8'd0, row(1, 2), ROW, 64'd0, OK);
      command(OP_GPU_RD, 8'd0, 64'd1, 64'd77, 64'd0, OK);
      run;
      expect_register(CSR_ROWS_AHEAD, 32'd3);
      command(OP_V_MUL, 8'd0, 64'h3f9e0652, 64'd0, 64'd0, OK);
      vector_mul(row(0, 3), 32'h3f9e0652);
      command(OP_V_ADD, 8'd0, 64'd0, 64'd0, 64'd0, OK);
      vector_add(row(1, 2));
      command(OP_V_ADD, 8'd0, 64'd0, 64'd0, 64'd0, OK);
      vector_add(HOT + GPU1 + 77 * ROW);
      command(OP_FENCE, 8'd0, 64'd0, 64'd0, 64'd0, OK);
      command(OP_DMA_WR, 8'd0, VECTOR, ROW, 64'd0, OK);
      expect_vector(VECTOR);
      command(OP_DMA_WR, 8'd0, VECTOR, ROW, 64'd0, NO_VECTOR);
      command(OP_DMA_RD, 8'd0, row(0, 9), ROW, 64'd0, OK);
      command(OP_V_ADD, LOAD, 64'd0, 64'd0, 64'd0, OK);
      command(OP_DMA_WR, 8'd0, VECTOR + ROW, ROW, 64'd0, OK);
      vector_load(row(0, 9));
      expect_vector(VECTOR + ROW);
      run;
      expect_register(CSR_ROWS_AHEAD, 32'd0);
    end
  endtask

  // The rows that are learned.
  function hot(input integer table_number, input integer index);
    hot = table_number == 0 ? index == 1 || index == 3 || index == 6 || index == 7 : index == 0 || index == 2;
  endfunction

  // The index in slot s of input i: only hot rows, or any rows.
  function integer hot_index(input integer i, input integer s);
    if (s == slots - 1) hot_index = i % 2 * 2;
    else case ((i + s) % 4)
      0: hot_index = 1;
      1: hot_index = 3;
      2: hot_index = 6;
      default: hot_index = 7;
    endcase
  endfunction

  function integer index(input integer i, input integer s);
    if (i == 2 || i == 9) index = hot_index(i, s);
    else index = (5 * i + 3 * s) % 8;
  endfunction

  // The permutation of row IDs.
  function [31:0] mix(input [31:0] source, input [31:0] key, input integer bits);
    reg [31:0] mask, x;
    begin
      mask = (32'd1 << bits) - 32'd1;
      x = (source + key) & mask;
      x = (x + (x << 3)) & mask;
      x = x ^ (x >> (bits / 2));
      x = (x + ((x << (bits / 2 - 1)) | (x >> (bits - bits / 2 + 1)))) & mask;
      mix = x ^ (x >> (bits / 3));
    end
  endfunction

  function [31:0] permuted(input [31:0] id);
    integer    low_bits;
    reg [31:0] low, high, low_mask, high_mask;
    begin
      low_bits = id_bits / 2;
      low_mask = (32'd1 << low_bits) - 32'd1;
      high_mask = (32'd1 << (id_bits - low_bits)) - 32'd1;
      low = id & low_mask;
      high = id >> low_bits;
      low = low ^ (mix(high, 32'h9e37, id_bits - low_bits) & low_mask);
      high = high ^ (mix(low, 32'h79b9, id_bits - low_bits) & high_mask);
      low = low ^ (mix(high, 32'h7f4a, id_bits - low_bits) & low_mask);
      high = high ^ (mix(low, 32'h5f35, id_bits - low_bits) & high_mask);
      permuted = (high << low_bits) | low;
    end
  endfunction

  // The block of a row that is the only row of its set: the lowest block.
  function [31:0] block(input [31:0] id);
    block = (permuted(id) & ((32'd1 << set_bits) - 32'd1)) * ways;
  endfunction

  // Learns from three inputs with six distinct rows. The hot set lists the rows in any order, and
  // the driver copies them to both GPUs.
  task learn;
    integer    i, s, v, words;
    reg        seen [0:1023+ROWS];
    reg [31:0] id;
    begin
      for (i = 0; i < 3; i = i + 1)
        for (s = 0; s < slots; s = s + 1) host.poke(word(LEARNED, i * slots + s), hot_index(i, s));
      counted(OP_LEARN, 8'd0, LEARNED, 64'd3, 64'd0, OK, 3 * slots, 32'd0);
      counted(OP_HOTSET, 8'd0, HOTSET, 64'd0, 64'd0, OK, 32'd6, 32'd0);
      for (i = 0; i < 16; i = i + 1) host.poke(word(HOTSET, i), 32'd0);
      words = host.words_written;
      run_unchecked;
      equal("words of the hot set", host.words_written - words, 32'd16);
      for (i = 0; i < 1024 + ROWS; i = i + 1) seen[i] = 1'b0;
      for (i = 0; i < 6; i = i + 1) begin
        id = host.peek(HOTSET + 8 * i);
        check(id < 1024 + ROWS && !seen[id] && (id < TABLE1_ID ? hot(0, id) : hot(1, id - TABLE1_ID)), "row of the hot set", id, 32'd0);
        seen[id] = 1'b1;
        equal("block of the hot set", host.peek(HOTSET + 8 * i + 4), block(id));
        for (v = 0; v < VALUES; v = v + 1) begin
          host.poke(HOT + block(id) * ROW + 4 * v, host.peek((id < TABLE1_ID ? row(0, id) : row(1, id - TABLE1_ID)) + 4 * v));
          host.poke(HOT + GPU1 + block(id) * ROW + 4 * v, host.peek((id < TABLE1_ID ? row(0, id) : row(1, id - TABLE1_ID)) + 4 * v));
        end
      end
      for (i = 12; i < 16; i = i + 1) equal("tail of the hot set", host.peek(word(HOTSET, i)), 32'hffffffff);
    end
  endtask

  reg popular [0:INPUTS-1];

  task classify;
    integer    i, s, n;
    reg [31:0] bitmap;
    begin
      bitmap = 32'd0;
      n = 0;
      for (i = 0; i < INPUTS; i = i + 1) begin
        popular[i] = 1'b1;
        for (s = 0; s < slots; s = s + 1) begin
          host.poke(word(CLASSIFIED, i * slots + s), index(i, s));
          popular[i] = popular[i] && hot(s == slots - 1 ? 1 : 0, index(i, s));
        end
        if (popular[i]) begin
          bitmap = bitmap | 32'd1 << i;
          n = n + 1;
        end
      end
      counted(OP_CLASSIFY, HALF, CLASSIFIED, INPUTS, BITMAP, OK, n, INPUTS * slots);
      for (i = 0; i < STREAM_BITS / 32; i = i + 1) begin
        expect_word(word(BITMAP, i), i == 0 ? bitmap : 32'd0);
        expect_word(word(MAILBOX, i), i == 0 ? bitmap : 32'd0);
        expect_word(word(MAILBOX + GPU1, i), i == 0 ? bitmap : 32'd0);
      end
      run;
    end
  endtask

  integer gathered = 0; // vectors of the inputs that are not popular
  integer hot_rows = 0;

  task gather;
    integer i, s, j, t;
    begin
      j = 0;
      hot_rows = 0;
      for (i = 0; i < INPUTS; i = i + 1) if (!popular[i]) begin
        for (s = 0; s < slots; s = s + 1) begin
          t = s == slots - 1 ? 1 : 0;
          if (hot(t, index(i, s))) hot_rows = hot_rows + 1;
          if (s == 0 || t == 1) vector_load(row(t, index(i, s)));
          else vector_add(row(t, index(i, s)));
          if (s >= slots - 2) expect_vector(dealt(POOLED, j, 2 * (j / 2) + t));
        end
        j = j + 1;
      end
      gathered = 2 * j;
      host.host_reads = 0;
      host.peer_reads[0] = 0;
      host.peer_reads[1] = 0;
      counted(OP_GATHER, HALF, 64'd0, INPUTS, 64'd0, OK, hot_rows, j * slots - hot_rows);
      run;
      equal("reads of GPU 0", host.peer_reads[0], (hot_rows + 1) / 2);
      equal("reads of GPU 1", host.peer_reads[1], hot_rows / 2);
      equal("reads of rows in host memory", host.host_reads, j * slots - hot_rows);
    end
  endtask

  // Updates three cold rows; the gradient of the second is in GPU 1. Only the low bits of a table
  // number are significant.
  task update;
    integer      i, k;
    reg   [63:0] gradient, at;
    reg   [31:0] values [0:3*VALUES-1];
    begin
      for (k = 0; k < 3; k = k + 1) begin
        gradient = dealt(GRADIENTS, k, k / 2);
        poke_row(gradient);
        host.poke(LIST + 8 * k, 32'hffffff00 + k % 2);
        host.poke(LIST + 8 * k + 4, 12 - 3 * k);
        for (i = 0; i < VALUES; i = i + 1)
          values[k * VALUES + i] = add(host.peek(word(row(k % 2, 12 - 3 * k), i)), mul(host.peek(word(gradient, i)), SCALE));
      end
      counted(OP_UPDATE, 8'd0, LIST, 64'd3, 64'd0, OK, 32'd3, 32'd0);
      // The rows exist and are read, so only their new values are expected.
      for (k = 0; k < 3; k = k + 1)
        for (i = 0; i < VALUES; i = i + 1) begin
          at = word(row(k % 2, 12 - 3 * k), i);
          want_address[wants] = at;
          want_word[wants] = values[k * VALUES + i];
          wants = wants + 1;
        end
      run;
    end
  endtask

  // Four rows of row_commands; a row and a gradient for each row of update.
  task counters;
    begin
      expect_register(CSR_SQ_HEAD, submitted);
      expect_register(CSR_LOOKUPS, INPUTS * slots);
      expect_register(CSR_ROWS_READ, 4 + gathered / 2 * slots + 6);
      expect_register(CSR_ROWS_WRITTEN, 2 + gathered + 3);
      expect_register(CSR_DROPPED, 32'd0);
    end
  endtask

  task refusals;
    begin
      command(8'h7f, 8'd0, 64'd0, 64'd0, 64'd0, OPCODE);
      spoil = 32'd1;
      command(OP_FENCE, 8'd0, 64'd0, 64'd0, 64'd0, BAD_CRC);
      command(OP_S_WR, 8'd0, REG_SCALE + 1, 64'd0, 64'd0, RANGE);
      command(OP_DMA_RD, 8'd0, row(0, 0) + 2, ROW, 64'd0, RANGE);
      command(OP_V_ADD, LOAD, 64'd0, 64'd0, 64'd0, NO_ROW);
      command(OP_DMA_RD, 8'd0, row(0, 0), ROW, 64'd0, OK);
      command(OP_LEARN, 8'd0, LEARNED, 64'd3, 64'd0, ROWS_AHEAD);
      command(OP_V_ADD, LOAD, 64'd0, 64'd0, 64'd0, OK);
      command(OP_GATHER, 8'd0, 64'd0, 64'd3, 64'd0, NO_INPUTS); // update has overwritten this half
      run;
      host.read_fault = entry(submitted); // the next command
      host.read_fault_error = UNSUPPORTED[3:0];
      host.read_fault_bytes = 13'd0;
      command(OP_FENCE, 8'd0, 64'd0, 64'd0, 64'd0, FETCH);
      command(OP_FENCE, 8'd0, 64'd0, 64'd0, 64'd0, OK);
      run;
      write(CSR_SQ_TAIL, submitted + 9); // beyond the ring
      expect_register(CSR_STATUS, READY | OVERRUN);
      write(CSR_SQ_TAIL, submitted);
      expect_register(CSR_STATUS, READY);
    end
  endtask

  // A read of a row that fails with its own status, or for which another status is reported.
  task failed_row(input [3:0] error, input [12:0] bytes, input poison, input [7:0] status);
    begin
      host.read_fault = row(1, 4);
      host.read_fault_error = error;
      host.read_fault_bytes = bytes;
      host.read_fault_poison = poison;
      command(OP_DMA_RD, 8'd0, row(1, 4), ROW, 64'd0, OK);
      command(OP_V_ADD, LOAD, 64'd0, 64'd0, 64'd0, status);
      if (!brief || error == TIMEOUT[3:0]) command(OP_DMA_WR, 8'd0, VECTOR, ROW, 64'd0, NO_VECTOR);
      run;
    end
  endtask

  task failures;
    integer words;
    begin
      failed_row(TIMEOUT[3:0], 13'd0, 1'b0, TIMEOUT);
      failed_row(4'd0, BEAT[12:0], 1'b0, SHORT);
      failed_row(4'd0, ROW[12:0], 1'b1, POISONED);
      host.write_fault = VECTOR;
      host.write_fault_error = ABORT[3:0];
      command(OP_DMA_RD, 8'd0, row(1, 5), ROW, 64'd0, OK);
      command(OP_V_ADD, LOAD, 64'd0, 64'd0, 64'd0, OK);
      command(OP_DMA_WR, 8'd0, VECTOR, ROW, 64'd0, ABORT);
      host.read_fault = CLASSIFIED;
      host.read_fault_error = UNSUPPORTED[3:0];
      host.read_fault_bytes = BEAT[12:0];
      host.read_fault_poison = 1'b0;
      command(OP_CLASSIFY, HALF, CLASSIFIED, INPUTS, BITMAP, UNSUPPORTED);
      command(OP_GATHER, HALF, 64'd0, INPUTS, 64'd0, NO_INPUTS);
      words = host.words_written;
      run_unchecked;
      equal("words of a failed write", host.words_written - words, VALUES);
    end
  endtask

  // Resets by the driver: in the middle of a gather, and after a lost completion.

  task reset_by_driver;
    begin
      write(CSR_CONTROL, RESET);
      wait_register(CSR_CONTROL, 32'hffffffff, 32'd0);
      check(!host.under_way(0), "descriptors after a reset", 32'd1, 32'd0);
      equal("interrupt after a reset", {31'd0, irq_req}, 32'd0);
      expect_register(CSR_SQ_BASE, 32'd0);
      expect_register(CSR_SQ_TAIL, 32'd0);
      expect_register(CSR_CQ_TAIL, 32'd0);
      expect_register(CSR_ROWS_READ, 32'd0);
      expect_register(CSR_ERROR, 32'd0);
      expect_register(CSR_DROPPED, 32'd0);
      written = host.words_written;
      host.sum = 32'd0;
    end
  endtask

  // Rings the doorbell for a command that will not complete.
  task begin_command(input [7:0] opcode, input [7:0] flags, input [63:0] a, input [63:0] b);
    begin
      command(opcode, flags, a, b, 64'd0, OK);
      put(0);
      listed = 0;
      write(CSR_SQ_TAIL, submitted);
    end
  endtask

  task begin_gather;
    begin
      counted(OP_CLASSIFY, HALF, CLASSIFIED, INPUTS, BITMAP, OK, 32'd2, INPUTS * slots);
      run_unchecked;
      begin_command(OP_GATHER, HALF, 64'd0, INPUTS);
      while (host.words_written == written) @(negedge clk);
    end
  endtask

  task begin_update;
    begin
      begin_command(OP_UPDATE, 8'd0, LIST, 64'd3);
      while (host.words_written == written) @(negedge clk);
    end
  endtask

  // No configuration and no learned rows remain after a reset, and the accelerator works.
  task after_reset;
    begin
      set_rings;
      counted(OP_HOTSET, 8'd0, HOTSET, 64'd0, 64'd0, OK, 32'd0, 32'd0);
      command(OP_GATHER, HALF, 64'd0, INPUTS, 64'd0, RANGE);
      command(OP_DMA_RD, 8'd0, row(0, 2), ROW, 64'd0, RANGE);
      set_rows;
      command(OP_DMA_RD, 8'd0, row(0, 2), ROW, 64'd0, OK);
      command(OP_V_MUL, 8'd0, 64'hc0e00000, 64'd0, 64'd0, OK);
      command(OP_DMA_WR, 8'd0, VECTOR, ROW, 64'd0, OK);
      vector_mul(row(0, 2), 32'hc0e00000);
      expect_vector(VECTOR);
      run;
    end
  endtask

  // The driver does not consume completions for a while, so exactly four are written. Runs the
  // commands of the list.
  task full_ring;
    integer n;
    begin
      for (n = 0; n < 6; n = n + 1) put(n);
      write(CSR_SQ_TAIL, submitted);
      wait_register(CSR_CQ_TAIL, 32'hffff, completed + 4);
      repeat (brief ? 40 : 200) @(negedge clk);
      expect_register(CSR_CQ_TAIL, completed + 4);
      expect_register(CSR_STATUS, READY | BUSY);
      equal("level with completions", {31'd0, irq_level}, 32'd1);
      run;
      equal("level without completions", {31'd0, irq_level}, 32'd0);
    end
  endtask

  task lost_completion;
    begin
      host.write_fault = completion(completed);
      host.write_fault_error = ABORT[3:0];
      begin_command(OP_FENCE, 8'd0, 64'd0, 64'd0);
      wait_register(CSR_STATUS, HALTED, HALTED);
      expect_register(CSR_STATUS, READY | HALTED);
      expect_register(CSR_ERROR, {24'd0, ABORT});
      expect_register(CSR_CQ_TAIL, completed + 1);
      acknowledge;
    end
  endtask

  task flr;
    begin
      cfg_flr = 1'b1;
      @(negedge clk);
      cfg_flr = 1'b0;
      expect_register(CSR_SQ_BASE, 32'd0);
      expect_register(CSR_SQ_TAIL, 32'd0);
      written = host.words_written;
      host.sum = 32'd0;
    end
  endtask

  // A full run begins with a ring of fences. It also checks after each reset that no configuration
  // and no learned rows remain. One reset by the driver interrupts a gather, another follows a lost
  // completion, and a function-level reset interrupts a read. A short run fills the ring with its
  // first commands, interrupts an update, and performs the function-level reset after the lost
  // completion.

  task fill_ring;
    integer n;
    begin
      if (!brief) begin
        for (n = 0; n < 6; n = n + 1) command(OP_FENCE, 8'd0, 64'd0, 64'd0, 64'd0, OK);
        full_ring;
      end
      list_addresses;
      if (brief) full_ring;
      else run;
    end
  endtask

  task resets;
    begin
      if (brief) begin
        begin_update;
        reset_by_driver;
        set_rings;
        lost_completion;
      end else begin
        begin_gather;
        reset_by_driver;
        after_reset;
        lost_completion;
        reset_by_driver;
        after_reset;
        begin_command(OP_DMA_RD, 8'd0, row(0, 2), ROW);
        idle(20);
      end
      flr;
      after_reset;
    end
  endtask

  integer i;

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("hotline_tb.vcd");
      $dumpvars(0, hotline_tb);
    end
    brief = $test$plusargs("short");
    host.calm = brief;
    if (brief) bus.gaps = 1;
    for (i = 0; i < ROWS; i = i + 1) begin
      poke_row(row(0, i));
      poke_row(row(1, i));
    end
    repeat (4) @(negedge clk);
    rst = 1'b0;
    identify;
    refused_accesses;
    set_rings;
    fill_ring;
    row_commands;
    learn;
    classify;
    gather;
    update;
    counters;
    refusals;
    failures;
    resets;
    repeat (brief ? 20 : 100) @(negedge clk);
    if (irq_req === 1'b1) acknowledge;
    repeat (brief ? 20 : 100) @(negedge clk);
    equal("interrupt at the end", {31'd0, irq_req}, 32'd0);
    equal("level at the end", {31'd0, irq_level}, 32'd0);
    expect_register(CSR_STATUS, READY);
    $display("PASS: %0d commands, %0d checks, %0d cycles", total, checks + host.checks, cycles);
    $finish;
  end

  // A command must complete within this number of cycles; a command may have to visit all sets of a
  // bank.
  integer patience = 2000;
  integer cycles = 0, waited = 0, previous = 0;

  always @(posedge clk) begin
    cycles <= cycles + 1;
    previous <= total;
    waited <= total == previous ? waited + 1 : 0;
    if (waited == patience) $fatal(1, "FAIL: nothing completes, with %0d commands completed", total);
    if (!reset && host.closed && irq_req !== 1'b0) $fatal(1, "FAIL: irq_req %b on a closed bus", irq_req);
    if (!reset && irq_req !== 1'b0 && irq_req !== 1'b1) $fatal(1, "FAIL: irq_req %b", irq_req);
  end
endmodule

`default_nettype wire
