"""Random commands, valid and invalid, through cocotbext-axi: registers over AxiLiteMaster, data of reads and writes over AxiStreamSource and
AxiStreamSink, descriptors over streams that the library defines, all with random pauses. The contents of memory and each completion
must match model.py. HOTLINE_SEED and HOTLINE_COMMANDS select another run."""

import itertools
import logging
import os
import random
import struct

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Event, FallingEdge, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from cocotbext.axi.stream import define_stream

from model import BAD_CRC, FETCH, OPCODES, GPUS, GRAD, HOT, MAILBOX, POOLED, ROW_LOG2, SCALE, SLOT, SLOTS, TABLE, TABLES, Memory, Model, Sizes, crc32c

ID, CAPS0, CONTROL, STATUS = 0x00, 0x08, 0x20, 0x24
SQ_BASE, SQ_LOG2, SQ_TAIL, CQ_BASE, CQ_LOG2, CQ_HEAD, ROWS_AHEAD, DROPPED = 0x30, 0x38, 0x3C, 0x44, 0x4C, 0x50, 0x5C, 0x74
COMMANDS, COMPLETIONS = 0x11_0000_1000, 0x12_0000_2020
SQ, CQ = 8, 4  # entries
TIMEOUT = 40000  # simulation steps; a cycle has two

DescBus, _, _, DescSink, _ = define_stream("Desc", signals=["dma_addr", "len", "tag", "valid", "ready"], optional_signals=["cls"])
StatusBus, StatusTransaction, StatusSource, _, _ = define_stream("Status", signals=["tag", "error", "valid"])


class Link:
    """Memory behind the descriptor ports. Reads end in any order, and so do writes."""

    def __init__(self, dut, rng, memory):
        self.dut, self.rng, self.memory = dut, rng, memory
        self.written = {}  # words by address, except completions
        self.read_faults, self.write_faults = {}, {}  # status by address, for one access
        self.waiting = []  # pending reads
        ports = dut.clk, dut.rst
        self.read_desc = DescSink(DescBus.from_prefix(dut, "m_axis_read_desc"), *ports)
        self.read_data = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis_read_data"), *ports)
        self.read_status = StatusSource(StatusBus.from_prefix(dut, "s_axis_read_desc_status"), *ports)
        self.write_desc = DescSink(DescBus.from_prefix(dut, "m_axis_write_desc"), *ports)
        self.write_data = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis_write_data"), *ports)
        self.write_status = StatusSource(StatusBus.from_prefix(dut, "s_axis_write_desc_status"), *ports)
        for stream in (self.read_desc, self.read_data, self.write_desc, self.write_data, self.read_status, self.write_status):
            stream.set_pause_generator(pauses(rng))
        for task in (self.take_reads(), self.give_reads(), self.take_writes()):
            cocotb.start_soon(task)

    async def take_reads(self):
        while True:
            desc = await self.read_desc.recv()
            assert int(desc.cls) == (int(desc.dma_addr) >> 39), "class of a read"
            self.waiting.append(desc)

    async def give_reads(self):
        while True:
            if not self.waiting or self.rng.random() < 0.2:
                await RisingEdge(self.dut.clk)
                continue
            desc = self.waiting.pop(self.rng.randrange(len(self.waiting)))
            address, error = int(desc.dma_addr), 0
            if address in self.read_faults:
                error = self.read_faults.pop(address)
            else:
                data = self.memory.read(address, int(desc.len) // 4)
                await self.read_data.send(AxiStreamFrame(struct.pack(f"<{len(data)}I", *data), tid=int(desc.tag), tuser=0))
                await self.read_data.wait()
            await self.read_status.send(StatusTransaction(tag=int(desc.tag), error=error))

    async def take_writes(self):
        while True:
            desc = await self.write_desc.recv()
            frame = await self.write_data.recv()
            address, length = int(desc.dma_addr), int(desc.len)
            assert len(frame.tdata) == length and frame.tid == int(desc.tag), "data of a write"
            error = self.write_faults.pop(address, 0)
            if not error:
                words = struct.unpack(f"<{length // 4}I", frame.tdata)
                self.memory.write(address, words)
                if not COMPLETIONS <= address < COMPLETIONS + 32 * CQ:
                    self.written.update((address + 4 * i, word) for i, word in enumerate(words))
            cocotb.start_soon(self.end_write(int(desc.tag), error))

    async def end_write(self, tag, error):
        for _ in range(self.rng.randrange(20)):
            await RisingEdge(self.dut.clk)
        await self.write_status.send(StatusTransaction(tag=tag, error=error))


def pauses(rng):
    while True:
        yield from itertools.repeat(rng.random() < 0.5, rng.randrange(1, 6))


class Driver:
    """Fills the command ring, and looks for completions after an interrupt."""

    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.memory, shadow = Memory(), Memory()
        self.both = self.memory, shadow
        self.link = Link(dut, rng, self.memory)
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        for channel in (self.axil.write_if.aw_channel, self.axil.write_if.w_channel, self.axil.write_if.b_channel,
                        self.axil.read_if.ar_channel, self.axil.read_if.r_channel):
            channel.set_pause_generator(pauses(rng))
        self.submitted = self.completed = 0
        self.listed = []    # expected completions
        self.expected = {}  # words by address that the listed commands must write
        self.tally = {}     # completions by command and status
        self.model = None
        self.interrupted = Event()

    async def start(self):
        dut = self.dut
        for name in ("irq_ack", "cfg_flr"):
            getattr(dut, name).value = 0
        dut.cfg_bus_master_enable.value = dut.link_up.value = 1
        dut.rst.value = 1
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        cocotb.start_soon(self.interrupts())
        assert await self.axil.read_dword(ID) == 0x484F544C
        self.model = Model(Sizes([await self.axil.read_dword(CAPS0 + 4 * i) for i in range(5)]), self.both[1])
        while await self.axil.read_dword(STATUS) != 2:
            pass
        self.memory.write(COMPLETIONS, [0] * 8 * CQ)
        for offset, value in ((SQ_BASE, COMMANDS), (CQ_BASE, COMPLETIONS)):
            await self.axil.write_qword(offset, value)
        for offset, value in ((SQ_LOG2, SQ.bit_length() - 1), (CQ_LOG2, CQ.bit_length() - 1), (CONTROL, 1)):
            await self.axil.write_dword(offset, value)
        assert (await self.axil.write(0x78, bytes(4))).resp == AxiResp.SLVERR

    async def interrupts(self):
        """Acknowledges each interrupt some time after its request. Also acknowledges at random without a request, which must have no effect.
        Disables bus mastering or the link now and then, so that a request is delayed."""
        dut, rng = self.dut, self.rng
        straps = dut.cfg_bus_master_enable, dut.link_up
        while True:
            await FallingEdge(dut.clk)
            requested, acknowledged = dut.irq_req.value == 1, rng.random() < 0.3
            assert not requested or all(strap.value == 1 for strap in straps), "an interrupt on a closed bus"
            dut.irq_ack.value = acknowledged
            if requested and acknowledged:
                self.interrupted.set()
            for strap in straps:
                strap.value = rng.random() > (0.02 if strap.value == 1 else 0.7)

    def poke(self, address, words):
        for memory in self.both:
            memory.write(address, words)

    async def command(self, name, flags=0, a=0, b=0, c=0, crc=0, fetch=0):
        """Puts a command into the ring. crc is XORed into its CRC, and fetch is the status of its read. The doorbell follows later."""
        if self.submitted - self.completed == SQ:
            await self.finish()
        place, number = COMMANDS + self.submitted % SQ * 64, self.submitted * 0x10001 & 0xFFFFFFFF
        words = [flags << 8 | OPCODES.get(name, name), number, a & 0xFFFFFFFF, a >> 32, b & 0xFFFFFFFF, b >> 32, c & 0xFFFFFFFF, c >> 32] + [0] * 7
        self.memory.write(place, words + [crc32c(struct.pack("<15I", *words)) ^ crc])
        if fetch:
            self.link.read_faults[place] = fetch
            number, want = 0, (FETCH, 0, 0, 0)
        elif crc:
            want = BAD_CRC, 0, 0, 0
        else:
            want = self.model.run(name, flags, a, b, c)
            for address, words in self.model.writes:
                self.expected.update((address + 4 * i, word) for i, word in enumerate(words))
        self.listed.append((name, number, want))
        self.submitted += 1
        if self.rng.random() < 0.4:
            await self.doorbell()

    async def doorbell(self):
        await self.axil.write_dword(SQ_TAIL, self.submitted & 0xFFFF)

    async def finish(self):
        """Waits for all completions, and compares the writes with the model."""
        await self.doorbell()
        while self.listed:
            await with_timeout(self.complete(), TIMEOUT, "step")
        for address in sorted(self.link.written | self.expected):
            got, want = self.link.written.get(address), self.expected.get(address)
            assert got == want, f"word at {address:x}: {got}, expected {want}"
        self.link.written.clear()
        self.expected.clear()

    async def complete(self):
        place = COMPLETIONS + self.completed % CQ * 32
        phase = 1 - self.completed // CQ % 2
        while True:
            words = self.memory.read(place, 8)
            if words[1] >> 16 == phase:
                break
            self.interrupted.clear()
            if self.memory.read(place, 8)[1] >> 16 != phase:
                await self.interrupted.wait()
        name, number, (status, value0, value1, total) = self.listed.pop(0)
        assert words[7] == crc32c(struct.pack("<7I", *words[:7])), "CRC of a completion"
        assert words[1] & 0xFFFF == status, f"{name}: status {words[1] & 0xFFFF}, expected {status}"
        assert words[0] == number, f"{name}: id {words[0]:x}, expected {number:x}"
        assert words[4] == (self.completed + 1) & 0xFFFF, "consumer index"
        if status == 0:
            assert words[2:4] == [value0, value1], f"{name}: values {words[2:4]}, expected {[value0, value1]}"
            if name != "hotset":
                assert words[5] == total, f"{name}: sum {words[5]:08x}, expected {total:08x}"
        self.tally[name, status] = self.tally.get((name, status), 0) + 1
        self.completed += 1
        await self.axil.write_dword(CQ_HEAD, self.completed & 0xFFFF)


class Program:
    """The commands of a training, mixed with other commands."""

    def __init__(self, driver, rng):
        self.driver, self.rng, self.model, self.sizes = driver, rng, driver.model, driver.model.sizes
        self.places = 0

    def place(self):
        """Returns an address in host memory that was not used before."""
        self.places += 1
        return 0x14_0000_0000 + self.places * 0x1_0000 + 4 * self.rng.randrange(1024)

    async def configure(self):
        rng, command, sizes = self.rng, self.driver.command, self.sizes
        slots = rng.randrange(sizes.engines // 4, sizes.engines // 4 + 6)
        self.tables = sorted(rng.randrange(4) for _ in range(slots))  # of each slot
        while self.model.ahead:
            await command("v_add", flags=1)
        await command("s_wr", a=ROW_LOG2, b=(sizes.beat << rng.randrange(3)).bit_length() - 1)
        await command("s_wr", a=SLOTS, b=slots)
        await command("s_wr", a=TABLES, b=4)
        self.gpus = rng.randrange(1, 5)
        await command("s_wr", a=GPUS, b=self.gpus)
        await command("s_wr", a=SCALE, b=0xBD000000 | rng.randrange(1 << 24))
        for t in range(4):
            await command("s_wr", a=TABLE + t, b=0x21_0000_0000 + (t << 32) + 4 * rng.randrange(1024))
        for s, t in enumerate(self.tables):
            first, last = s == 0 or self.tables[s - 1] != t, s == slots - 1 or self.tables[s + 1] != t
            await command("s_wr", a=SLOT + s, b=1000 * t | t << 32 | first << 40 | last << 41)
        for g in range(self.gpus):
            for i, register in enumerate((HOT, POOLED, GRAD, MAILBOX)):
                await command("s_wr", a=register + g, b=0x80_0000_0000 + (g << 36) + (i << 32) + 4 * rng.randrange(1024))

    def clicks(self, n):
        address = self.place()
        self.driver.poke(address, [min(int(self.rng.expovariate(0.2)), 63) for _ in range(n * len(self.tables))])
        return address

    async def learn(self):
        """Learns from a mini-batch, reads the hot set, and copies its rows to the GPUs."""
        driver, model = self.driver, self.model
        n = self.rng.randrange(1, 6)
        await driver.command("learn", flags=self.rng.randrange(2), a=self.clicks(n), b=n)
        await driver.finish()
        address, count = self.place(), sum(model.set_of(r) in model.entered for r in model.learned)
        await driver.command("hotset", a=address)
        await driver.doorbell()
        while driver.listed:
            await with_timeout(driver.complete(), TIMEOUT, "step")
        words = driver.memory.read(address, -(-count // 8) * 16)
        assert driver.link.written == {address + 4 * i: w for i, w in enumerate(words)}, "words of the hot set"
        driver.link.written.clear()
        assert words[2 * count:] == [0xFFFFFFFF] * (len(words) - 2 * count), "tail of the hot set"
        listed = dict(zip(words[:2 * count:2], words[1:2 * count:2]))
        assert set(listed) == {r for r in model.learned if model.set_of(r) in model.entered}, "rows of the hot set"
        for row_id, block in listed.items():
            assert block // self.sizes.ways == model.set_of(row_id), "set of a hot row"
            assert model.blocks.setdefault(row_id, block) == block, "a hot row has moved"
        assert len(set(model.blocks.values())) == len(model.blocks), "two rows in a block"
        for row_id, block in model.blocks.items():
            table, index = divmod(row_id, 1000)
            row = driver.memory.read(model.register(TABLE + table) + index * model.row, model.row // 4)
            for g in range(self.gpus):
                driver.poke(model.register(HOT + g) + block * model.row, row)

    async def train(self):
        rng, command = self.rng, self.driver.command
        n, half = rng.randrange(1, 30), rng.randrange(2)
        while self.model.ahead:
            await command("v_mul", a=rng.randrange(0x3F000000, 0x40000000))
        await command("classify", flags=half, a=self.clicks(n), b=n, c=self.place())
        await command("gather", flags=half, b=n)
        await self.driver.finish()
        count, pairs = rng.randrange(1, 12), self.place()
        rows = rng.sample([(t, i) for t in range(4) for i in range(64)], count)
        self.driver.poke(pairs, [x for t, i in rows for x in (t | rng.getrandbits(20) << 12, i)])
        await command("update", flags=rng.randrange(2), a=pairs, b=count)
        await self.driver.finish()

    async def other(self):
        """Runs one command that may be refused, or whose read or write may fail."""
        rng, command, model = self.rng, self.driver.command, self.model
        row = model.register(TABLE + rng.randrange(4)) + rng.randrange(64) * model.row
        fault = rng.choice([0] * 9 + [1, 2, 8, 9, 10, 11])
        kind = rng.choice(["dma_rd", "dma_rd", "gpu_rd", "v_add", "v_add", "v_mul", "dma_wr", "dma_wr", "fence", "wrong", "early", "spoilt", "lost", "register"])
        if kind == "dma_rd":
            if fault and row not in [address for address, _ in model.ahead]:
                await self.driver.finish()
                model.read_faults[row] = self.driver.link.read_faults[row] = fault
            await command("dma_rd", a=row, b=model.row)
            await self.driver.finish()
        elif kind == "gpu_rd":
            await command("gpu_rd", a=rng.randrange(self.gpus), b=rng.randrange(self.sizes.blocks))
        elif kind == "v_add":
            await command("v_add", flags=rng.randrange(2))
        elif kind == "v_mul":
            await command("v_mul", a=rng.randrange(0x3F000000, 0x40000000))
        elif kind == "dma_wr":
            address = self.place()
            if fault and model.vector is not None:
                model.write_faults[address] = self.driver.link.write_faults[address] = fault
            await command("dma_wr", a=address, b=model.row)
        elif kind == "wrong":
            name = rng.choice(["dma_rd", "dma_wr", "gpu_rd", "learn", "classify", "gather", "update", 0x00, 0x07, 0x16, 0xFF])
            address = self.place() + rng.randrange(4)
            await command(name, a=address, b=rng.choice([0, 1 << 20]), c=address)
        elif kind == "early":
            name = rng.choice(["learn", "gather"])
            if self.model.ahead or name == "gather":
                await command(name, flags=rng.randrange(2), a=self.clicks(1), b=1)
        elif kind == "spoilt":
            await command("fence", crc=1 << rng.randrange(32))
        elif kind == "lost":
            await command("fence", fetch=rng.choice([1, 2, 8, 9, 10, 11]))
        elif kind == "register":
            await command("s_wr", a=rng.choice([0x0FF, 0x1FF, 0x225, TABLE, GPUS]), b=3 << 30 | 1)
        else:
            await command("fence")


@cocotb.test()
async def random_commands(dut):
    dut._log.setLevel(logging.WARNING)  # the library logs each transfer
    seed, commands = int(os.environ.get("HOTLINE_SEED", 1)), int(os.environ.get("HOTLINE_COMMANDS", 200))
    rng = random.Random(seed)
    cocotb.start_soon(Clock(dut.clk, 2, "step").start())
    driver = Driver(dut, rng)
    await driver.start()
    program = Program(driver, rng)
    while driver.submitted < commands:
        await program.configure()
        await program.learn()
        for _ in range(3):
            await program.train()
            for _ in range(20):
                await program.other()
        await driver.finish()
        assert await driver.axil.read_dword(ROWS_AHEAD) == len(driver.model.ahead)
    assert await driver.axil.read_dword(DROPPED) == 0
    seen = {name for name, status in driver.tally if status == 0}
    assert seen == set(OPCODES), f"never ended with status 0: {set(OPCODES) - seen}"
    statuses = sorted({status for _, status in driver.tally})
    cocotb.log.info("%d commands, statuses %s", driver.completed, " ".join(map(str, statuses)))
