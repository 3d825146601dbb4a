# Public designs that hotline-lab designs imports. Paths begin in the folder with the checkouts.

design "picorv32" {
  source     = "https://github.com/YosysHQ/picorv32"
  files      = ["picorv32/picorv32.v"]
  parameters = { ENABLE_MUL = 1, BARREL_SHIFTER = 1 }
  clock      = "clk"
  reset      = "resetn"
  low        = true
}

design "picorv32_program" {
  source = "https://github.com/YosysHQ/picorv32"
  files  = ["picorv32/picorv32.v"]
  bench  = "picorv32_program.v"
  clock  = "clk"
  reset  = "resetn"
  low    = true
}

design "serv_rf_top" {
  source = "https://github.com/olofk/serv"
  files = [
    "serv/rtl/serv_aligner.v", "serv/rtl/serv_alu.v", "serv/rtl/serv_bufreg.v", "serv/rtl/serv_bufreg2.v", "serv/rtl/serv_compdec.v",
    "serv/rtl/serv_csr.v", "serv/rtl/serv_ctrl.v", "serv/rtl/serv_debug.v", "serv/rtl/serv_decode.v", "serv/rtl/serv_immdec.v",
    "serv/rtl/serv_mem_if.v", "serv/rtl/serv_rf_if.v", "serv/rtl/serv_rf_ram.v", "serv/rtl/serv_rf_ram_if.v", "serv/rtl/serv_rf_top.v",
    "serv/rtl/serv_state.v", "serv/rtl/serv_top.v",
  ]
  clock = "clk"
  reset = "i_rst"
}

design "VexRiscv" {
  source = "https://pypi.org/project/pythondata-cpu-vexriscv"
  files  = ["pythondata_cpu_vexriscv/verilog/VexRiscv.v"]
  clock  = "clk"
  reset  = "reset"
}

design "aes" {
  source = "https://github.com/secworks/aes"
  files = [
    "aes/src/rtl/aes.v", "aes/src/rtl/aes_core.v", "aes/src/rtl/aes_decipher_block.v", "aes/src/rtl/aes_encipher_block.v",
    "aes/src/rtl/aes_inv_sbox.v", "aes/src/rtl/aes_key_mem.v", "aes/src/rtl/aes_sbox.v",
  ]
  clock = "clk"
  reset = "reset_n"
  low   = true
}

design "pcie_tlp_mux" {
  source = "https://github.com/alexforencich/verilog-pcie"
  files  = ["verilog-pcie/rtl/pcie_tlp_mux.v", "verilog-pcie/rtl/arbiter.v", "verilog-pcie/rtl/priority_encoder.v"]
  clock  = "clk"
  reset  = "rst"
}

design "pcie_axil_master" {
  source = "https://github.com/alexforencich/verilog-pcie"
  files  = ["verilog-pcie/rtl/pcie_axil_master.v"]
  clock  = "clk"
  reset  = "rst"
}

design "pcie_msix" {
  source = "https://github.com/alexforencich/verilog-pcie"
  files  = ["verilog-pcie/rtl/pcie_msix.v"]
  clock  = "clk"
  reset  = "rst"
}

design "dma_if_pcie_rd" {
  source = "https://github.com/alexforencich/verilog-pcie"
  files  = ["verilog-pcie/rtl/dma_if_pcie_rd.v"]
  clock  = "clk"
  reset  = "rst"
}

design "dma_if_pcie_wr" {
  source = "https://github.com/alexforencich/verilog-pcie"
  files  = ["verilog-pcie/rtl/dma_if_pcie_wr.v"]
  clock  = "clk"
  reset  = "rst"
}
