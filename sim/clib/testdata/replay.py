"""Applies cycles of inputs, a line each, and prints outputs and a register, port by port."""

import sys

sys.path.insert(0, sys.argv[1])
import hotline

top = hotline.Hotline()
inputs = ["rst"] + [name for name, port in hotline.PORTS.items() if port.input]
outputs = [name for name, port in hotline.PORTS.items() if not port.input]
for line in sys.stdin:
    for name, value in zip(inputs, line.split()):
        setattr(top, name, int(value, 16))
    print(*("%x" % getattr(top, name) for name in outputs))
    try:
        top.step()
    except RuntimeError as e:
        assert "assertion failed" in str(e), e
