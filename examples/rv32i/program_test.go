package rv32i_test

import "github.com/hotline-rtl/hotline/examples/rv32i"

// These functions encode instructions by format. Immediates are in bytes.

func r(f7, rs2, rs1, f3, rd uint32) uint32 {
	return f7<<25 | rs2<<20 | rs1<<15 | f3<<12 | rd<<7 | uint32(rv32i.Op)
}

func i(imm int32, rs1, f3, rd uint32, op rv32i.Opcode) uint32 {
	return uint32(imm)<<20 | rs1<<15 | f3<<12 | rd<<7 | uint32(op)
}

func s(imm int32, rs2, rs1, f3 uint32) uint32 {
	return uint32(imm)>>5<<25 | rs2<<20 | rs1<<15 | f3<<12 | uint32(imm)&31<<7 | uint32(rv32i.Store)
}

func b(imm int32, rs2, rs1, f3 uint32) uint32 {
	x := uint32(imm)
	return x>>12<<31 | x>>5&63<<25 | rs2<<20 | rs1<<15 | f3<<12 | x>>1&15<<8 | x>>11&1<<7 | uint32(rv32i.Branch)
}

func u(imm, rd uint32, op rv32i.Opcode) uint32 { return imm&^0xfff | rd<<7 | uint32(op) }

func j(imm int32, rd uint32) uint32 {
	x := uint32(imm)
	return x>>20<<31 | x>>1&0x3ff<<21 | x>>11&1<<20 | x>>12&0xff<<12 | rd<<7 | uint32(rv32i.JAL)
}

// addi and the following functions encode single instructions. Registers are given by number.
func addi(rd, rs1 uint32, imm int32) uint32 { return i(imm, rs1, 0, rd, rv32i.OpImm) }
func add(rd, rs1, rs2 uint32) uint32        { return r(0, rs2, rs1, 0, rd) }

const (
	halt     = 0x00100073 // ebreak
	firstOut = 0x400      // address of results
)

// sieve stores the primes below 50 as words from firstOut on. Each byte from 0x200 on records
// whether its number is composite.
var sieve = []uint32{
	addi(1, 0, 2),                 // x1: number
	addi(2, 0, 50),                // x2: limit
	addi(3, 0, firstOut),          // x3: address of the next prime
	i(0x200, 1, 4, 4, rv32i.Load), // 0x0c: lbu x4, 0x200(x1)
	b(36, 0, 4, 1),                // bne x4, x0, next
	s(0, 1, 3, 2),                 // sw x1, 0(x3)
	addi(3, 3, 4),                 //
	addi(5, 1, 0),                 // x5: multiple
	addi(6, 0, -1),                //
	s(0x200, 6, 5, 0),             // 0x24: sb x6, 0x200(x5)
	add(5, 5, 1),                  //
	b(-8, 2, 5, 4),                // blt x5, x2, 0x24
	addi(0, 0, 0),                 //
	addi(1, 1, 1),                 // 0x34: next
	b(-44, 2, 1, 4),               // blt x1, x2, 0x0c
	halt,
}
