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

// func differ(word, before *uint64, blocks int) uint64
TEXT ·differ(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ    word+0(FP), SI
	MOVQ    before+8(FP), DI
	MOVQ    blocks+16(FP), BX
	XORL    AX, AX
	XORL    CX, CX
	PCMPEQL X5, X5
	JMP     test

loop:
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

test:
	TESTQ BX, BX
	JNZ   loop
	MOVQ  AX, ret+24(FP)
	RET
