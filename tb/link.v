// The environment at the descriptor ports: a sparse memory that contains host and GPU memory, which
// differ only in their addresses. Beats of different reads interleave, reads and writes end in any
// order, and every stream stalls at random. Signals that must be ignored are unknown: payload
// without valid, tkeep and tlast of read data, and lanes beyond the end of a descriptor. Only words
// that were poked exist.

`timescale 1ns / 1ps
`default_nettype none

module link #(
  parameter STREAM_BITS = 128,
  parameter TAG_BITS = 7
) (
  input  wire                     clk,
  input  wire                     rst,

  input  wire              [63:0] read_desc_dma_addr,
  input  wire              [12:0] read_desc_len,
  input  wire        [TAG_BITS:0] read_desc_tag,
  input  wire                     read_desc_cls,
  input  wire                     read_desc_valid,
  output reg                      read_desc_ready,

  output reg    [STREAM_BITS-1:0] read_data_tdata,
  output wire [STREAM_BITS/8-1:0] read_data_tkeep,
  output reg         [TAG_BITS:0] read_data_tid,
  output reg                      read_data_tuser,
  output wire                     read_data_tlast,
  output reg                      read_data_tvalid,
  input  wire                     read_data_tready,

  output wire        [TAG_BITS:0] read_status_tag,
  output wire               [3:0] read_status_error,
  output wire                     read_status_valid,

  input  wire              [63:0] write_desc_dma_addr,
  input  wire              [12:0] write_desc_len,
  input  wire      [TAG_BITS-1:0] write_desc_tag,
  input  wire                     write_desc_valid,
  output reg                      write_desc_ready,

  input  wire   [STREAM_BITS-1:0] write_data_tdata,
  input  wire [STREAM_BITS/8-1:0] write_data_tkeep,
  input  wire      [TAG_BITS-1:0] write_data_tid,
  input  wire                     write_data_tlast,
  input  wire                     write_data_tvalid,
  output reg                      write_data_tready,

  output reg       [TAG_BITS-1:0] write_status_tag,
  output reg                [3:0] write_status_error,
  output reg                      write_status_valid,

  output reg                      bus_master_enable,
  output reg                      link_up
);
  localparam BEAT = STREAM_BITS / 8;
  localparam WORDS = 16384;
  localparam SLOTS = 8; // descriptors in flight, for reads and for writes
  localparam [63:0] NOWHERE = 64'd0;
  localparam [63:0] PEERS = 64'h0000_0080_0000_0000; // memory of GPU 0; the memory of GPU 1 is 2^36 bytes above

  // Inputs, set by the test.
  reg        calm = 1'b0;              // streams stall less, and the bus is rarely closed
  reg        shut = 1'b0;              // the bus is closed now
  reg [63:0] ring = NOWHERE;           // address of the completion ring
  reg [63:0] read_fault = NOWHERE;     // the next read of this address ends
  reg  [3:0] read_fault_error = 4'd0;  //   with this status
  reg [12:0] read_fault_bytes = 13'd0; //   after this number of bytes, of which
  reg        read_fault_poison = 1'b0; //   the first beat is poisoned
  reg [63:0] write_fault = NOWHERE;    // the next write to this address ends
  reg  [3:0] write_fault_error = 4'd0; //   with this status and changes nothing

  // Outputs, read by the test.
  integer    checks = 0;
  integer    completions = 0;    // completions since the driver configured the ring
  integer    words_written = 0;  // without completions
  integer    peer_reads [0:1];   // of GPU 0 and GPU 1
  integer    host_reads = 0;     // without command reads
  reg [31:0] sum = 32'd0;        // sum of the CRC-32C of the beats written since the last completion
  reg [31:0] sums [0:3];         // the sum for each entry of the ring of four

  // Memory.

  reg [61:0] key  [0:WORDS-1];
  reg [31:0] word [0:WORDS-1];
  reg        used [0:WORDS-1];
  integer    n;
  initial begin
    for (n = 0; n < WORDS; n = n + 1) used[n] = 1'b0;
    peer_reads[0] = 0;
    peer_reads[1] = 0;
  end

  // The index of a word, or the free index where it would be stored.
  function integer place(input [63:0] address);
    integer at;
    begin
      at = {18'd0, address[15:2] ^ address[29:16] ^ address[43:30]};
      while (used[at] && key[at] != address[63:2]) at = (at + 1) % WORDS;
      place = at;
    end
  endfunction

  task poke(input [63:0] address, input [31:0] value);
    integer at;
    begin
      at = place(address);
      used[at] = 1'b1;
      key[at] = address[63:2];
      word[at] = value;
    end
  endtask

  function [31:0] peek(input [63:0] address);
    integer at;
    begin
      at = place(address);
      peek = used[at] ? word[at] : 32'hx;
    end
  endfunction

  task check(input ok, input [8*32-1:0] what, input [63:0] value);
    begin
      checks = checks + 1;
      if (ok !== 1'b1) $fatal(1, "FAIL: link: %0s: %h", what, value);
    end
  endtask

  // CRC-32C of a beat, beginning with bit 0 of lane 0.
  function [31:0] crc(input [STREAM_BITS-1:0] data);
    integer i;
    begin
      crc = 32'hffffffff;
      for (i = 0; i < STREAM_BITS; i = i + 1) crc = (crc >> 1) ^ ((crc[0] ^ data[i]) ? 32'h82f63b78 : 32'd0);
      crc = ~crc;
    end
  endfunction

  // The random bits of a cycle: xorshift32, so that the run is the same in every simulator.
  reg [31:0] dice = 32'h1;
  task roll;
    begin
      dice = dice ^ (dice << 13);
      dice = dice ^ (dice >> 17);
      dice = dice ^ (dice << 5);
    end
  endtask

  // Whether an event happens in a cycle: with probability 1/2, or 7/8 if calm.
  function goes(input bit_of_dice);
    goes = bit_of_dice || calm && dice[30:29] != 2'd0;
  endfunction

  // Reads. A slot contains a descriptor until its status is sent.

  reg              read_used   [0:SLOTS-1];
  reg [TAG_BITS:0] read_tag    [0:SLOTS-1];
  reg       [63:0] read_addr   [0:SLOTS-1];
  integer          read_left   [0:SLOTS-1]; // remaining bytes
  reg        [3:0] read_error  [0:SLOTS-1];
  reg              read_poison [0:SLOTS-1];
  integer          reading = 0;   // slots in use
  integer          offered;       // the slot of the beat on the port, or -1
  reg              together;      // its status is sent with it
  reg              ends;          // a status is on the port
  reg              ends_with;     // a status is on the port if the beat is accepted
  reg [TAG_BITS:0] ends_tag;
  reg        [3:0] ends_error;

  assign read_data_tkeep = {BEAT{1'bx}};
  assign read_data_tlast = 1'bx;
  assign read_status_valid = ends || ends_with && read_data_tready;
  assign read_status_tag = read_status_valid ? ends_tag : {TAG_BITS+1{1'bx}};
  assign read_status_error = read_status_valid ? ends_error : 4'hx;

  // The last slot that is or is not in use, beginning the search at slot from, or -1.
  function integer read_slot(input in_use, input [2:0] from);
    integer   i;
    reg [2:0] s;
    begin
      read_slot = -1;
      if (reading != (in_use ? 0 : SLOTS)) for (i = 0; i < SLOTS; i = i + 1) begin
        s = from + i[2:0];
        if (read_used[s] == in_use) read_slot = {29'd0, s};
      end
    end
  endfunction

  task take_read;
    integer s, i;
    begin
      for (i = 0; i < SLOTS; i = i + 1)
        check(!read_used[i] || read_tag[i] != read_desc_tag, "a tag of a read under way", {{63-TAG_BITS{1'b0}}, read_desc_tag});
      check(read_desc_len >= 13'd4 && read_desc_len <= 13'd4096 && read_desc_len[1:0] == 2'd0, "length of a read", {51'd0, read_desc_len});
      check(read_desc_dma_addr[1:0] == 2'd0, "address of a read", read_desc_dma_addr);
      check(read_desc_cls == (read_desc_dma_addr >= PEERS), "class of a read", read_desc_dma_addr);
      if (read_desc_cls) peer_reads[read_desc_dma_addr[36]] = peer_reads[read_desc_dma_addr[36]] + 1;
      else if (!read_desc_tag[TAG_BITS]) host_reads = host_reads + 1;
      s = read_slot(1'b0, 3'd0);
      read_used[s] = 1'b1;
      reading = reading + 1;
      read_tag[s] = read_desc_tag;
      read_addr[s] = read_desc_dma_addr;
      read_left[s] = {19'd0, read_desc_len};
      read_error[s] = 4'd0;
      read_poison[s] = 1'b0;
      if (read_desc_dma_addr == read_fault) begin
        read_left[s] = {19'd0, read_fault_bytes};
        read_error[s] = read_fault_error;
        read_poison[s] = read_fault_poison;
        read_fault = NOWHERE;
      end
    end
  endtask

  task offer_beat(input integer s);
    reg [STREAM_BITS-1:0] data;
    integer i;
    begin
      data = {STREAM_BITS{1'bx}};
      for (i = 0; i < BEAT && i < read_left[s]; i = i + 4) begin
        data[8*i +: 32] = peek(read_addr[s] + {32'd0, i});
        check(used[place(read_addr[s] + {32'd0, i})], "read of a place without data", read_addr[s] + {32'd0, i});
      end
      read_addr[s] = read_addr[s] + BEAT;
      read_left[s] = read_left[s] > BEAT ? read_left[s] - BEAT : 0;
      offered = s;
      together = read_left[s] == 0 && dice[0];
      if (together) begin
        ends_with <= 1'b1;
        ends_tag <= read_tag[s];
        ends_error <= read_error[s];
      end
      read_data_tvalid <= 1'b1;
      read_data_tdata <= data;
      read_data_tid <= read_tag[s];
      read_data_tuser <= read_poison[s];
      read_poison[s] = 1'b0;
    end
  endtask

  task reads;
    integer s;
    begin
      ends <= 1'b0;
      if (read_data_tvalid && read_data_tready) begin
        if (together) begin
          read_used[offered] = 1'b0;
          reading = reading - 1;
        end
        together = 1'b0;
        ends_with <= 1'b0;
        offered = -1;
        read_data_tvalid <= 1'b0;
        read_data_tdata <= {STREAM_BITS{1'bx}};
        read_data_tid <= {TAG_BITS+1{1'bx}};
        read_data_tuser <= 1'bx;
      end
      if (read_desc_valid && read_desc_ready) take_read;
      s = read_slot(1'b1, dice[3:1]);
      if (goes(dice[4]) && offered < 0 && s >= 0 && read_left[s] != 0) offer_beat(s);
      s = read_slot(1'b1, dice[7:5]);
      if (goes(dice[8]) && !together && s >= 0 && s != offered && read_left[s] == 0) begin
        read_used[s] = 1'b0;
        reading = reading - 1;
        ends <= 1'b1;
        ends_tag <= read_tag[s];
        ends_error <= read_error[s];
      end
      read_desc_ready <= goes(dice[9]) && read_slot(1'b0, 3'd0) >= 0;
    end
  endtask

  // Writes. Slots are filled in the order of their descriptors.

  reg                write_used  [0:SLOTS-1];
  reg                write_full  [0:SLOTS-1]; // all data has been received
  reg [TAG_BITS-1:0] write_tag   [0:SLOTS-1];
  reg         [63:0] write_addr  [0:SLOTS-1];
  integer            write_left  [0:SLOTS-1];
  reg          [3:0] write_error [0:SLOTS-1];
  reg                write_lost  [0:SLOTS-1];
  integer            taken, filled;
  integer            full = 0;               // filled slots without a status

  task take_write;
    integer i;
    begin
      for (i = 0; i < SLOTS; i = i + 1)
        check(!write_used[i] || write_tag[i] != write_desc_tag, "a tag of a write under way", {{64-TAG_BITS{1'b0}}, write_desc_tag});
      check(write_desc_len >= 13'd4 && write_desc_len <= 13'd4096 && write_desc_len[1:0] == 2'd0, "length of a write", {51'd0, write_desc_len});
      check(write_desc_dma_addr[1:0] == 2'd0, "address of a write", write_desc_dma_addr);
      write_used[taken] = 1'b1;
      write_full[taken] = 1'b0;
      write_tag[taken] = write_desc_tag;
      write_addr[taken] = write_desc_dma_addr;
      write_left[taken] = {19'd0, write_desc_len};
      write_error[taken] = 4'd0;
      write_lost[taken] = write_desc_dma_addr == write_fault;
      if (write_lost[taken]) begin
        write_error[taken] = write_fault_error;
        write_fault = NOWHERE;
      end
      taken = (taken + 1) % SLOTS;
    end
  endtask

  task take_beat;
    integer    i;
    reg        completion;
    reg [63:0] place_in_ring;
    begin
      place_in_ring = write_addr[filled] - ring;
      completion = write_addr[filled] >= ring && write_addr[filled] < ring + 64'd128;
      check(write_data_tid == write_tag[filled], "tag of write data", {{64-TAG_BITS{1'b0}}, write_data_tid});
      check(write_data_tlast == (write_left[filled] <= BEAT), "last beat of a write", write_addr[filled]);
      for (i = 0; i < BEAT; i = i + 1) check(write_data_tkeep[i] == (i < write_left[filled]), "tkeep of write data", write_addr[filled]);
      for (i = 0; i < BEAT && i < write_left[filled]; i = i + 4) begin
        check(used[place(write_addr[filled] + {32'd0, i})], "write to no place at all", write_addr[filled] + {32'd0, i});
        if (!write_lost[filled]) poke(write_addr[filled] + {32'd0, i}, write_data_tdata[8*i +: 32]);
        if (!completion) words_written = words_written + 1;
      end
      if (!completion) sum = sum + crc(write_data_tdata);
      write_addr[filled] = write_addr[filled] + BEAT;
      write_left[filled] = write_left[filled] - BEAT;
      if (write_data_tlast) begin
        if (completion) begin
          sums[place_in_ring[6:5]] = sum;
          sum = 32'd0;
          completions = completions + 1;
        end
        write_full[filled] = 1'b1;
        full = full + 1;
        filled = (filled + 1) % SLOTS;
      end
    end
  endtask

  task writes;
    integer   i;
    reg [2:0] s;
    begin
      if (write_desc_valid && write_desc_ready) take_write;
      if (write_data_tvalid && write_data_tready) take_beat;
      write_status_valid <= 1'b0;
      write_status_tag <= {TAG_BITS{1'bx}};
      write_status_error <= 4'hx;
      s = dice[12:10];
      if (calm && full > 0) for (i = 0; i < SLOTS; i = i + 1) if (!(write_used[s] && write_full[s])) s = s + 3'd1;
      if (full > 0 && write_used[s] && write_full[s]) begin
        write_used[s] = 1'b0;
        full = full - 1;
        write_status_valid <= 1'b1;
        write_status_tag <= write_tag[s];
        write_status_error <= write_error[s];
      end
      write_desc_ready <= dice[13] && !write_used[taken];
      write_data_tready <= goes(dice[14]) && write_used[filled] && !write_full[filled];
    end
  endtask

  // Whether a descriptor has no status yet.
  function under_way(input integer unused);
    integer i;
    begin
      under_way = offered >= 0;
      for (i = 0; i < SLOTS; i = i + 1) under_way = under_way || read_used[i] || write_used[i];
    end
  endfunction

  task forget;
    integer i;
    begin
      for (i = 0; i < SLOTS; i = i + 1) begin
        read_used[i] = 1'b0;
        write_used[i] = 1'b0;
        write_full[i] = 1'b0;
      end
      reading = 0;
      full = 0;
      taken = 0;
      filled = 0;
      offered = -1;
      together = 1'b0;
      ends <= 1'b0;
      ends_with <= 1'b0;
      read_desc_ready <= 1'b0;
      read_data_tvalid <= 1'b0;
      write_desc_ready <= 1'b0;
      write_data_tready <= 1'b0;
      write_status_valid <= 1'b0;
    end
  endtask

  // irq_req is 0 one cycle after the bus is closed, and no descriptor begins after two cycles.

  reg       closed, closed_before;
  reg [1:0] waiting;

  always @(posedge clk) begin
    if (rst) begin
      forget;
      waiting <= 2'b00;
      closed <= 1'b0;
      closed_before <= 1'b0;
      bus_master_enable <= 1'b1;
      link_up <= 1'b1;
    end else begin
      closed <= !bus_master_enable || !link_up;
      closed_before <= closed;
      waiting <= {read_desc_valid && !read_desc_ready, write_desc_valid && !write_desc_ready};
      if (closed && closed_before) begin
        check(waiting[1] || !read_desc_valid, "a read on a closed bus", read_desc_dma_addr);
        check(waiting[0] || !write_desc_valid, "a write on a closed bus", write_desc_dma_addr);
      end
      roll;
      reads;
      writes;
      bus_master_enable <= shut ? 1'b0 : bus_master_enable ? dice[20:15] != 6'd0 || calm && dice[28:27] != 2'd0 : dice[16:15] == 2'd0;
      link_up <= link_up ? dice[26:21] != 6'd0 || calm && dice[28:27] != 2'd0 : dice[22:21] == 2'd0;
    end
  end

  stream_check #(.WIDTH(79 + TAG_BITS), .NAME("m_axis_read_desc")) check_read_desc (
    .clk(clk), .rst(rst), .valid(read_desc_valid), .ready(read_desc_ready),
    .payload({read_desc_dma_addr, read_desc_len, read_desc_tag, read_desc_cls})
  );
  stream_check #(.NAME("s_axis_read_data")) check_read_data (
    .clk(clk), .rst(rst), .valid(read_data_tvalid), .ready(read_data_tready), .payload(1'b0)
  );
  stream_check #(.WIDTH(77 + TAG_BITS), .NAME("m_axis_write_desc")) check_write_desc (
    .clk(clk), .rst(rst), .valid(write_desc_valid), .ready(write_desc_ready),
    .payload({write_desc_dma_addr, write_desc_len, write_desc_tag})
  );
  stream_check #(.WIDTH(STREAM_BITS + BEAT + TAG_BITS + 1), .NAME("m_axis_write_data")) check_write_data (
    .clk(clk), .rst(rst), .valid(write_data_tvalid), .ready(write_data_tready),
    .payload({write_data_tdata, write_data_tkeep, write_data_tid, write_data_tlast})
  );
endmodule

`default_nettype wire
