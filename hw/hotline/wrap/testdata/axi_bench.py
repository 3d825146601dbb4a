"""hotline_axi of the folder DIR before AxiRam of cocotbext-axi: scripts/axi runs it.

Rows go from anywhere to anywhere, and a mini-batch is learned and classified, while all
channels of the bus pause at random.
"""

import os
import random
import struct
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam

RING, COMPLETIONS, LOG2 = 0x1000, 0x2000, 4
WORDS, BITMAP, MAILBOX, ROWS, RESULTS = 0x10F0C, 0x18008, 0x1A000, 0x20000, 0x30000
ROW, INPUTS, MOVES = 64, 700, 200
DMA_RD, DMA_WR, V_ADD, S_WR, LEARN, CLASSIFY = 1, 2, 3, 5, 0x10, 0x11


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def pauses(rng, share):
    while True:
        yield rng.random() < share


class Card:
    """The accelerator, driven by its registers and rings."""

    def __init__(self, dut):
        self.dut, self.posted = dut, 0
        self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=1 << 20)
        for seed, side, share in [(1, self.ram.write_if, 0.3), (2, self.ram.read_if, 0.3)]:
            rng = random.Random(seed)
            for name in ("aw_channel", "w_channel", "b_channel", "ar_channel", "r_channel"):
                if hasattr(side, name):
                    getattr(side, name).set_pause_generator(pauses(rng, share))

    async def start(self):
        cocotb.start_soon(Clock(self.dut.clk, 2, "ns").start())
        self.dut.irq_ack.value = 0
        self.dut.rst.value = 1
        for _ in range(4):
            await RisingEdge(self.dut.clk)
        self.dut.rst.value = 0
        while not await self.registers.read_dword(0x24) & 2:
            pass
        for offset, value in [(0x30, RING), (0x38, LOG2), (0x44, COMPLETIONS), (0x4C, LOG2), (0x20, 1)]:
            await self.registers.write_dword(offset, value)

    async def do(self, opcode, *operands, flags=0):
        slot, phase = self.posted % (1 << LOG2), 1 - (self.posted >> LOG2 & 1)
        self.posted += 1
        entry = struct.pack("<BBxxI3Q28x", opcode, flags, self.posted, *(list(operands) + [0] * (3 - len(operands))))
        self.ram.write(RING + 64 * slot, entry + struct.pack("<I", crc32c(entry)))
        await self.registers.write_dword(0x3C, self.posted & 0xFFFF)
        while True:
            entry = self.ram.read(COMPLETIONS + 32 * slot, 32)
            number, status, told, value0 = struct.unpack("<IBxBxI20x", entry)
            if self.dut.irq_req.value == 1 and (number, told & 1) == (self.posted, phase):
                break
            await RisingEdge(self.dut.clk)
        assert crc32c(entry[:28]) == struct.unpack("<I", entry[28:])[0]
        assert status == 0, f"opcode {opcode:#x}: status {status}"
        self.dut.irq_ack.value = 1
        await RisingEdge(self.dut.clk)
        self.dut.irq_ack.value = 0
        await self.registers.write_dword(0x50, self.posted & 0xFFFF)
        return value0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def moves_rows_and_classifies(dut):
    card, rng = Card(dut), random.Random(3)
    await card.start()
    for register, value in [(0x222, 6), (0x223, 1), (0x221, 1), (0x220, 2), (0x218, MAILBOX), (0x100, 1 << 40), (0x101, 1 << 41)]:
        await card.do(S_WR, register, value)
    for _ in range(MOVES):
        source, target = (base + 4 * rng.randrange(4096) for base in (ROWS, RESULTS))
        row = rng.randbytes(ROW)
        row = b"".join(row[i : i + 3] + b"\x3f" for i in range(0, ROW, 4))  # numbers, whose bits stay
        around = [card.ram.read(target - 16, 16), card.ram.read(target + ROW, 16)]
        card.ram.write(source, row)
        await card.do(DMA_RD, source, ROW)
        await card.do(V_ADD, flags=1)
        await card.do(DMA_WR, target, ROW)
        assert card.ram.read(target, ROW) == row
        assert [card.ram.read(target - 16, 16), card.ram.read(target + ROW, 16)] == around
    card.ram.write(WORDS, b"".join(struct.pack("<I", i % 5) for i in range(2 * INPUTS)))
    await card.do(LEARN, WORDS, INPUTS)
    assert await card.do(CLASSIFY, WORDS, INPUTS, BITMAP) == INPUTS
    for place in (BITMAP, MAILBOX):
        assert card.ram.read(place, INPUTS // 8) == b"\xff" * (INPUTS // 8)
    dut._log.info("%d rows moved, %d inputs popular", MOVES, INPUTS)


if __name__ == "__main__":
    from cocotb.runner import get_results, get_runner

    folder = Path(sys.argv[1]).resolve()
    runner = get_runner("icarus")
    sources = [folder / name for name in (folder / "hotline.f").read_text().split()]
    runner.build(verilog_sources=sources, hdl_toplevel="hotline_axi", build_dir=folder / "build", timescale=("1ns", "1ps"))
    sys.path.insert(0, str(Path(__file__).parent))
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    results = runner.test(hdl_toplevel="hotline_axi", test_module=Path(__file__).stem, build_dir=folder / "build")
    tests, failed = get_results(results)
    sys.exit(failed > 0 or tests == 0)
