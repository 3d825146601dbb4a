module counter (input clk, input rst_n, input up, input signed [6:0] step, output reg [6:0] count, output wrapped);
  always @(posedge clk or negedge rst_n)
    if (!rst_n) count <= 7'd5;
    else if (up) count <= count + step;
  assign wrapped = &count;
endmodule
