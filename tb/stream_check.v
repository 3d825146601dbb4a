// Checks the rules of every stream: valid and ready are 0 or 1, the payload is known while valid is
// 1, and an offer does not change until it is accepted. The first violation is printed with the
// name of the stream and ends the simulation.

`timescale 1ns / 1ps
`default_nettype none

module stream_check #(
  parameter WIDTH = 1,
  parameter NAME = "stream"
) (
  input wire             clk,
  input wire             rst,
  input wire             valid,
  input wire             ready,
  input wire [WIDTH-1:0] payload
);
  reg             waiting = 1'b0;
  reg [WIDTH-1:0] previous = {WIDTH{1'b0}};

  always @(posedge clk) begin
    waiting <= !rst && valid === 1'b1 && ready !== 1'b1;
    previous <= payload;
    if (!rst) begin
      if ((valid ^ ready) === 1'bx) $fatal(1, "FAIL: %0s: valid %b, ready %b", NAME, valid, ready);
      if (valid && (^payload) === 1'bx) $fatal(1, "FAIL: %0s: unknown payload %h", NAME, payload);
      if (waiting && !valid) $fatal(1, "FAIL: %0s: valid fell before ready", NAME);
      if (waiting && payload !== previous) $fatal(1, "FAIL: %0s: payload %h became %h before ready", NAME, previous, payload);
    end
  end
endmodule

`default_nettype wire
