"""Reference model of the commands in docs/reference/accelerator.md: status, values, and writes."""

import struct

OPCODES = {"dma_rd": 0x01, "dma_wr": 0x02, "v_add": 0x03, "v_mul": 0x04, "s_wr": 0x05, "gpu_rd": 0x06, "learn": 0x10,
           "classify": 0x11, "gather": 0x12, "update": 0x13, "hotset": 0x14, "fence": 0x15}
TABLE, SLOT, HOT, POOLED, GRAD, MAILBOX = 0x000, 0x100, 0x200, 0x208, 0x210, 0x218
SLOTS, TABLES, ROW_LOG2, GPUS, SCALE = 0x220, 0x221, 0x222, 0x223, 0x224
OPCODE, BAD_CRC, RANGE, FETCH, ROWS_FULL, NO_ROW, ROWS_AHEAD, NO_VECTOR, NO_INPUTS, NO_ADDRESS, NO_TABLE = range(32, 43)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def wide(word):
    return struct.unpack("<f", struct.pack("<I", word))[0]


def narrow(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


class Memory(dict):
    """Words by address. The initial value of a word is a function of its address."""

    def __missing__(self, address):
        h = address // 4 * 0x9E3779B1 ^ address >> 29
        self[address] = (h & 1) << 31 | (120 + (h >> 1 & 7)) << 23 | h >> 9 & 0x7FFFFF
        return self[address]

    def read(self, address, count):
        return [self[address + 4 * i] for i in range(count)]

    def write(self, address, words):
        for i, word in enumerate(words):
            self[address + 4 * i] = word


class Sizes:
    """The sizes in caps0 to caps4."""

    def __init__(self, caps):
        self.engines, self.banks, self.blocks, self.ways = (1 << (caps[0] >> shift & 255) for shift in (0, 8, 16, 24))
        self.beat, self.tags = caps[1] & 0xFFFF, caps[1] >> 16
        self.half_words = caps[2]
        self.slots, self.tables = caps[3] & 0xFFFF, caps[3] >> 16
        self.id_bits, self.gpus, self.vector = caps[4] & 255, caps[4] >> 8 & 255, caps[4] >> 16


def permuted(row_id, bits):
    """Permutes a row ID by the Feistel network."""
    m, low = (bits + 1) // 2, bits // 2
    mask, low_mask = (1 << m) - 1, (1 << low) - 1

    def f(x, key):
        x = x + key & mask
        x = x + (x << 3) & mask
        x ^= x >> m // 2
        r = m // 2 - 1
        x = x + (x << r | x >> m - r) & mask
        return x ^ x >> m // 3

    hi, lo = row_id >> low, row_id & low_mask
    lo ^= f(hi, 0x9E37) & low_mask
    hi ^= f(lo, 0x79B9)
    lo ^= f(hi, 0x7F4A) & low_mask
    hi ^= f(lo, 0x5F35)
    return hi << low | lo


class Model:
    """The accelerator, as long as no set of the EAL has more rows than blocks."""

    def __init__(self, sizes, memory):
        self.sizes, self.memory = sizes, memory
        self.registers = {}
        self.named = set()  # registers of the tables to which slots refer
        self.ahead = []            # address and status of prefetched rows
        self.vector = None
        self.inputs = [None, None]  # of each half: the words of an input, and whether it is popular
        self.learned = set()       # row IDs
        self.entered = set()       # sets that have gained a row in this learning epoch
        self.listed = False
        self.blocks = {}           # of row IDs, from the hot set
        self.read_faults, self.write_faults = {}, {}  # status by address, for one access
        self.writes = []           # address and words, of one command

    def register(self, number):
        return self.registers.get(number, 0)

    @property
    def row(self):
        return 1 << self.register(ROW_LOG2)

    def set_of(self, row_id):
        return permuted(row_id, self.sizes.id_bits) % (self.sizes.blocks // self.sizes.ways)

    def run(self, name, flags=0, a=0, b=0, c=0):
        """Returns the status, two values, and the checksum of the writes; (status, 0, 0, 0) if the status is not 0."""
        self.writes = []
        refused = self.refused(name, flags, a, b, c)
        if refused:
            return min(refused), 0, 0, 0
        status, value0, value1 = getattr(self, name)(flags, a, b, c)
        for address, words in self.writes:
            self.memory.write(address, words)
        if status:
            return status, 0, 0, 0
        beat = self.sizes.beat // 4
        beats = [words[i:i + beat] for _, words in self.writes for i in range(0, len(words), beat)]
        return 0, value0, value1, sum(crc32c(struct.pack(f"<{beat}I", *words)) for words in beats) % 2 ** 32

    def refused(self, name, flags, a, b, c):
        s, n, slots, gpus = self.sizes, b, self.register(SLOTS), self.register(GPUS)
        if name not in OPCODES:
            return {OPCODE}
        found = set()
        out = {
            "learn": not (1 <= n and n * slots <= s.half_words and slots),
            "update": not (1 <= n and 2 * n <= s.half_words and gpus),
            "gpu_rd": a >= s.gpus or b >= s.blocks,
            "dma_rd": b != self.row,
            "dma_wr": b != self.row,
            "s_wr": not self.writable(a, b),
        }
        out["classify"] = out["learn"]
        out["gather"] = out["learn"] or not gpus
        if name in ("dma_rd", "dma_wr", "v_add", "v_mul", "gpu_rd", "gather", "update") and ROW_LOG2 not in self.registers:
            found.add(RANGE)
        if name in ("dma_rd", "dma_wr", "learn", "classify", "update", "hotset") and a % 4 or name == "classify" and c % 4:
            found.add(RANGE)
        if out.get(name):
            found.add(RANGE)
        if name in ("dma_rd", "gpu_rd") and len(self.ahead) == s.tags:
            found.add(ROWS_FULL)
        if name in ("v_add", "v_mul") and not self.ahead:
            found.add(NO_ROW)
        if self.ahead and (name in ("learn", "classify", "gather", "update") or name == "s_wr" and a == ROW_LOG2):
            found.add(ROWS_AHEAD)
        if self.vector is None and (name == "dma_wr" or name == "v_add" and not flags & 1):
            found.add(NO_VECTOR)
        if name == "gather" and len(self.inputs[flags & 1] or []) < n:
            found.add(NO_INPUTS)
        if any(number not in self.registers for number in self.needed(name, a)):
            found.add(NO_ADDRESS)
        return found

    def needed(self, name, gpu):
        """Returns the registers whose addresses a command needs."""
        slots = [SLOT + i for i in range(self.register(SLOTS))]

        def bases(first):
            return [first + g for g in range(self.register(GPUS))]

        return {"gpu_rd": [HOT + gpu], "learn": slots, "classify": slots + bases(MAILBOX),
                "gather": slots + list(self.named) + bases(HOT) + bases(POOLED), "update": bases(GRAD)}.get(name, [])

    def writable(self, number, value):
        s = self.sizes
        ranges = {SLOTS: (s.engines // 4, s.slots), TABLES: (0, s.tables), GPUS: (0, s.gpus), SCALE: (0, 0xFFFFFFFF),
                  ROW_LOG2: (s.beat.bit_length() - 1, (4 * s.vector).bit_length() - 1)}
        if number in ranges:
            return ranges[number][0] <= value <= ranges[number][1]
        if SLOT <= number < SLOT + s.slots:
            return value & ~(3 << 40 | s.tables - 1 << 32 | (1 << s.id_bits) - 1) == 0
        return value % 4 == 0 and (number < s.tables or any(base <= number < base + s.gpus for base in (HOT, POOLED, GRAD, MAILBOX)))

    def fence(self, flags, a, b, c):
        return 0, 0, 0

    def s_wr(self, flags, a, b, c):
        self.registers[a] = b
        if SLOT <= a < HOT:
            self.named.add(TABLE + (b >> 32 & 0xFF))
        if a == ROW_LOG2:
            self.vector = None
        if a == SLOTS:
            self.inputs = [None, None]
        return 0, 0, 0

    def dma_rd(self, flags, a, b, c):
        self.ahead.append((a, self.read_faults.pop(a, 0)))
        return 0, 0, 0

    def gpu_rd(self, flags, a, b, c):
        return self.dma_rd(flags, self.register(HOT + a) + b * self.row, b, c)

    def take(self):
        address, status = self.ahead.pop(0)
        if status:
            self.vector = None
        return self.memory.read(address, self.row // 4), status

    def v_mul(self, flags, a, b, c):
        words, status = self.take()
        if not status:
            self.vector = [narrow(wide(w) * wide(a % 2 ** 32)) for w in words]
        return status, 0, 0

    def v_add(self, flags, a, b, c):
        words, status = self.take()
        if not status:
            self.vector = words if flags & 1 else self.added(self.vector, words)
        return status, 0, 0

    @staticmethod
    def added(x, y):
        return [narrow(wide(v) + wide(w)) for v, w in zip(x, y)]

    def dma_wr(self, flags, a, b, c):
        vector, self.vector = self.vector, None
        status = self.write_faults.pop(a, 0)
        if not status:
            self.writes = [(a, vector)]
        return status, 0, 0

    def load(self, half, address, count):
        self.inputs[half] = None
        return self.memory.read(address, count), self.read_faults.pop(address, 0)

    def slot(self, s):
        """Returns the table, the ID of its row 0, and whether this is its first and its last slot."""
        value = self.register(SLOT + s)
        return value >> 32 & 255, value & 0xFFFFFFFF, value >> 40 & 1, value >> 41 & 1

    def ids(self, words):
        """Returns the row IDs of inputs."""
        slots = self.register(SLOTS)
        return [[self.slot(s)[1] + words[i + s] for s in range(slots)] for i in range(0, len(words), slots)]

    def learn(self, flags, a, n, c):
        words, status = self.load(flags & 1, a, n * self.register(SLOTS))
        if status:
            return status, 0, 0
        if self.listed:
            self.entered, self.listed = set(), False
        for row_id in sum(self.ids(words), []):
            if row_id not in self.learned:
                self.learned.add(row_id)
                self.entered.add(self.set_of(row_id))
        return 0, len(words), 0

    def hotset(self, flags, a, b, c):
        """Returns only the number of entries: the accelerator may list them in any order."""
        self.listed = True
        return 0, sum(self.set_of(row_id) in self.entered for row_id in self.learned), 0

    def classify(self, flags, a, n, bitmap):
        words, status = self.load(flags & 1, a, n * self.register(SLOTS))
        if status:
            return status, 0, 0
        slots, popular = self.register(SLOTS), [self.learned.issuperset(ids) for ids in self.ids(words)]
        self.inputs[flags & 1] = [(words[i * slots:(i + 1) * slots], popular[i]) for i in range(n)]
        bits = sum(p << i for i, p in enumerate(popular))
        lines = -(-n // (8 * self.sizes.beat)) * self.sizes.beat // 4
        for address in [bitmap] + [self.register(MAILBOX + g) for g in range(self.register(GPUS))]:
            self.writes.append((address, [bits >> 32 * i & 0xFFFFFFFF for i in range(lines)]))
        return 0, sum(popular), len(words)

    def gather(self, flags, a, n, c):
        hot = cold = 0
        self.vector = None
        gpus = self.register(GPUS)
        for j, words in enumerate(words for words, popular in self.inputs[flags & 1][:n] if not popular):
            for s, index in enumerate(words):
                table, base, first, last = self.slot(s)
                if base + index in self.learned:
                    address = self.register(HOT + hot % gpus) + self.blocks[base + index] * self.row
                    hot += 1
                else:
                    address = self.register(TABLE + table) + index * self.row
                    cold += 1
                row = self.memory.read(address, self.row // 4)
                vector = row if first else self.added(vector, row)
                if last:
                    number = j // gpus * self.register(TABLES) + table
                    self.writes.append((self.register(POOLED + j % gpus) + number * self.row, vector))
        return 0, hot, cold

    def update(self, flags, a, n, c):
        self.vector = None
        pairs, status = self.load(flags & 1, a, 2 * n)
        if status:
            return status, 0, 0
        if any(TABLE + table % self.sizes.tables not in self.registers for table in pairs[::2]):
            return NO_TABLE, 0, 0
        gpus, scale = self.register(GPUS), wide(self.register(SCALE))
        for k in range(n):
            address = self.register(TABLE + pairs[2 * k] % self.sizes.tables) + pairs[2 * k + 1] * self.row
            gradient = self.memory.read(self.register(GRAD + k % gpus) + k // gpus * self.row, self.row // 4)
            step = [narrow(scale * wide(g)) for g in gradient]
            self.writes.append((address, self.added(self.memory.read(address, self.row // 4), step)))
        return 0, n, 0
