module fsm (input clk, input rst, input [3:0] request, output reg [1:0] grant, output reg busy);
  reg [1:0] state;
  reg [5:0] timer;
  always @(posedge clk)
    if (rst) state <= 0;
    else case (state)
      0: if (|request) begin state <= 1; timer <= {request, 2'b01}; end
      1: begin timer <= timer - 1; if (timer == 0) state <= 2; end
      2: state <= request[3] ? 2 : 3;
      default: state <= 0;
    endcase
  always @* begin
    busy = state != 0;
    casez (request)
      4'b1???: grant = 3;
      4'b01??: grant = 2;
      4'b001?: grant = 1;
      default: grant = 0;
    endcase
  end
endmodule
