"""Prints what the class says to mistakes."""

import copy
import sys

sys.path.insert(0, sys.argv[1])
from hotline import Hotline

top = Hotline()
capture = top.snapshot()
top.forget(capture)
for what, call in {
    "another configuration": lambda: Hotline("paper"),
    "set of an output": lambda: setattr(top, "irq_req", 1),
    "no port": lambda: setattr(top, "irq_rek", 1),
    "get of no port": lambda: top.irq_rek,
    "too large": lambda: setattr(top, "irq_ack", 2),
    "negative": lambda: setattr(top, "irq_ack", -1),
    "no register": lambda: top.peek("no.such", 1),
    "back in time": lambda: top.step(-1),
    "for ever": lambda: top.step(2**64),
    "poke of no register": lambda: top.poke("no.such", 1, 1),
    "no bytes of a snapshot": lambda: top.load(b"hotline"),
    "no snapshot": lambda: top.restore(capture),
    "forgotten before": lambda: top.forget(capture),
    "copied": lambda: copy.copy(top),
}.items():
    try:
        call()
        print("%s: no error" % what)
    except Exception as e:
        print("%s: %s: %s" % (what, type(e).__name__, e))
top.step()
print("then: %d cycle" % top.cycle())
saved = top.save(top.snapshot())
top.poke("csr_slave.write_resp", 2, 3)
top.step(5)
print("poked: %d in cycle %d" % (top.peek("csr_slave.write_resp", 2), top.cycle()))
top.restore(top.load(saved))
print("loaded: %d in cycle %d" % (top.peek("csr_slave.write_resp", 2), top.cycle()))
