"""Lists the packets of a capture, written from docs/how-to/captures.md alone."""

import json
import struct
import sys


def blocks(data):
    """Type and body of each block of a pcapng file."""
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if data[at + size - 4 : at + size] != struct.pack("<I", size):
            raise ValueError("the block at byte %d does not end with its length" % at)
        yield kind, data[at + 8 : at + size - 4]
        at += size


def counted(body):
    """The number of packets in a statistics block."""
    at = 12
    while True:
        code, size = struct.unpack_from("<HH", body, at)
        if code == 4:
            return struct.unpack_from("<Q", body, at + 4)[0]
        at += 4 + (size + 3) // 4 * 4


def bits(word, high, low):
    return word >> low & (1 << high - low + 1) - 1


def function(number):
    return "%02x:%02x.%d" % (number >> 8, number >> 3 & 31, number & 7)


STATUS = {0: "SC", 1: "UR", 2: "CRS", 4: "CA"}


def tlp(data):
    """The kind of a TLP, and the TLP on a line."""
    dw = struct.unpack_from(">%dI" % (len(data) // 4), data)
    first, with_data, long = bits(dw[0], 28, 24), bits(dw[0], 30, 30), bits(dw[0], 29, 29)
    tag = bits(dw[0], 23, 23) << 9 | bits(dw[0], 19, 19) << 8
    length = bits(dw[0], 9, 0)
    if first == 0x0A:
        kind = ("Cpl", "CplD")[with_data]
        status = STATUS.get(bits(dw[1], 15, 13), "Status(%d)" % bits(dw[1], 15, 13))
        text = "%s>%s tag=%03x %s bc=%d la=%02x len=%d" % (
            function(dw[1] >> 16), function(dw[2] >> 16), tag | bits(dw[2], 15, 8), status,
            bits(dw[1], 11, 0) or 4096, bits(dw[2], 6, 0), length or 1024 * with_data)
    elif first >= 0x10:
        kind = ("Msg", "MsgD")[with_data]
        text = "%s tag=%03x code=%02x route=%d len=%d" % (
            function(dw[1] >> 16), tag | bits(dw[1], 15, 8), bits(dw[1], 7, 0), first & 7, length or 1024 * with_data)
    elif first >= 4:
        kind = ("CfgRd%d", "CfgWr%d")[with_data] % (first - 4)
        text = "%s>%s tag=%03x @%03x be=%x" % (
            function(dw[1] >> 16), function(dw[2] >> 16), tag | bits(dw[1], 15, 8), bits(dw[2], 11, 0), bits(dw[1], 3, 0))
    else:
        kind = ("MRd", "MWr")[with_data]
        address = "%016x" % (dw[2] << 32 | dw[3]) if long else "%08x" % dw[2]
        text = "%s tag=%03x @%s len=%d be=%x%x" % (
            function(dw[1] >> 16), tag | bits(dw[1], 15, 8), address, length or 1024, bits(dw[1], 7, 4), bits(dw[1], 3, 0))
    size = 4 * (3 + long) + with_data * 4 * (length or 1024) + 4 * bits(dw[0], 15, 15)
    if size != len(data):
        raise ValueError("a %s of %d bytes, expected %d" % (kind, len(data), size))
    return kind, "%s %s%s" % (kind, text, " [EP]" if bits(dw[0], 14, 14) else "")


def packet(data):
    """A packet of the capture as hotline trace --json has it, without what it is for."""
    magic, version, kind, up, zero, flags, ps = struct.unpack_from(">BBBBHHQ", data)
    if (magic, version, zero) != (0xC1, 1, 0):
        raise ValueError("no packet of a capture: % x" % magic)
    rest = data[16:]
    if kind == 0:
        name, text = tlp(rest)
        text += " [injected]" * (flags >> 1 & 1) + " [dropped]" * (flags & 1)
    elif kind == 2:
        name, text = "comment", rest.decode()
    elif kind == 3:
        owner, offset, base, size = struct.unpack(">HxxIQQ", rest)
        name, text = "function", "function %s, BAR %#x+%#x, MSI-X at %#x" % (function(owner), base, size, offset)
    elif kind == 5:
        name, text = "gap", "%d packets before this one were not kept" % struct.unpack(">Q", rest)
    else:
        name, text = "delay", "injected: the next TLP arrives %d ps too late" % struct.unpack(">Q", rest)
    return {"time_ps": ps, "direction": ("down", "up")[up], "type": name, "text": text}


packets, seen, ended = [], [0, 0], [None, None]
with open(sys.argv[1], "rb") as file:
    for kind, body in blocks(file.read()):
        if kind == 6:
            interface, high, low, size = struct.unpack_from("<IIII", body)
            p = packet(body[20 : 20 + size])
            if (high << 32 | low) != p["time_ps"] // 1000 or ("down", "up")[interface] != p["direction"]:
                raise ValueError("packet %d is not where it belongs" % (len(packets) + 1))
            seen[interface] += 1
            packets.append({"packet": len(packets) + 1, **p})
        elif kind == 5:
            ended[struct.unpack_from("<I", body)[0]] = counted(body)
if ended != seen:
    raise ValueError("%s packets, expected %s: the capture is not whole" % (seen, ended))
json.dump(packets, sys.stdout)
