//go:build !portable

#include "textflag.h"

// func unseen(hash *[64]uint64, home *[64]*bucket, n int) uint64
TEXT ·unseen(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ    hash+0(FP), SI
	MOVQ    home+8(FP), DI
	MOVQ    n+16(FP), BX
	XORL    AX, AX
	XORL    CX, CX
	MOVL    $1, R10
	PCMPEQL X5, X5
	JMP     test

loop:
	MOVQ       (DI)(CX*8), DX
	MOVQ       (SI)(CX*8), X0
	PUNPCKLQDQ X0, X0
	MOVOU      (DX), X1
	MOVOU      16(DX), X2
	MOVOU      32(DX), X3
	MOVOU      48(DX), X4
	PCMPEQL    X0, X1
	PCMPEQL    X0, X2
	PCMPEQL    X0, X3
	PCMPEQL    X0, X4
	PACKSSLW   X2, X1
	PACKSSLW   X4, X3
	PACKSSWB   X3, X1           // a byte for each half of a slot
	PCMPEQW    X5, X1           // both halves are equal
	PMOVMSKB   X1, R8
	XORL       R9, R9
	TESTL      R8, R8
	CMOVQEQ    R10, R9
	ORQ        R9, AX
	SHLQ       $1, R10
	INCQ       CX

test:
	CMPQ CX, BX
	JLT  loop
	MOVQ AX, ret+24(FP)
	RET

// func encodeBlocks(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer
TEXT ·encodeBlocks(SB), NOSPLIT|NOFRAME, $0-40
	MOVQ    at+0(FP), R10
	MOVQ    word+8(FP), SI
	MOVQ    before+16(FP), DI
	MOVQ    blocks+24(FP), BX
	MOVQ    SI, R8
	MOVQ    DI, R9
	LEAQ    (R10)(BX*1), R11
	XORL    AX, AX
	XORL    CX, CX
	PCMPEQL X5, X5

	// AX: a bit for each word that differs.
block:
	MOVOU    (SI), X1
	MOVOU    16(SI), X2
	MOVOU    32(SI), X3
	MOVOU    48(SI), X4
	MOVOU    (DI), X6
	MOVOU    16(DI), X7
	MOVOU    32(DI), X8
	MOVOU    48(DI), X9
	PCMPEQL  X6, X1
	PCMPEQL  X7, X2
	PCMPEQL  X8, X3
	PCMPEQL  X9, X4
	PACKSSLW X2, X1
	PACKSSLW X4, X3
	PACKSSWB X3, X1  // a byte for each half of a word
	PCMPEQW  X5, X1  // both halves are equal
	PACKSSWB X1, X1  // a byte for each word
	PMOVMSKB X1, DX
	NOTL     DX
	MOVBQZX  DL, DX
	SHLQ     CX, DX
	ORQ      DX, AX
	ADDQ     $64, SI
	ADDQ     $64, DI
	ADDQ     $8, CX
	DECQ     BX
	JNZ      block
	MOVQ     AX, (R10)
	MOVQ     R11, R10
	TESTQ    AX, AX
	JZ       done

word:
	BSFQ  AX, R11
	LEAQ  -1(AX), R12
	MOVQ  (R8)(R11*8), R13
	XORQ  (R9)(R11*8), R13
	ANDQ  R12, AX
	BSFQ  R13, CX
	BSRQ  R13, DX
	SHRL  $3, CX
	SHRL  $3, DX
	SUBL  CX, DX          // bytes that follow less one
	LEAL  (CX)(DX*8), R12
	MOVB  R12, (R10)
	SHLL  $3, CX
	SHRQ  CX, R13
	MOVQ  R13, 1(R10)
	LEAQ  2(R10)(DX*1), R10
	TESTQ AX, AX
	JNZ   word

done:
	MOVQ R10, ret+32(FP)
	RET
