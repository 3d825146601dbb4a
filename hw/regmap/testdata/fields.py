# Prints the registers of a SystemRDL file as systemrdl-compiler reads it.
import sys

from systemrdl import RDLCompiler

compiler = RDLCompiler()
compiler.compile_file(sys.argv[1])
for reg in compiler.elaborate().top.registers(unroll=True):
    for field in reg.fields():
        words = [reg.absolute_address, reg.size, field.high, field.low, field.get_property("sw").name]
        for name in ("onread", "onwrite"):
            effect = field.get_property(name)
            words.append(effect.name if effect else "-")
        words += [field.get_property("singlepulse"), field.get_property("reset") or 0]
        print(reg.get_path_segment(), field.inst_name, *words)
