//go:build !portable

#include "textflag.h"

// MIX is lane = mix(first word ^ k1, second word ^ lane).
#define MIX(at, lane) \
	MOVQ at(SI), AX; \
	XORQ BX, AX; \
	XORQ (at+8)(SI), lane; \
	MULQ lane; \
	MOVQ AX, lane; \
	XORQ DX, lane

// func fold(p unsafe.Pointer, count uintptr, l *lanes)
TEXT ·fold(SB), NOSPLIT|NOFRAME, $0-24
	MOVQ p+0(FP), SI
	MOVQ count+8(FP), CX
	MOVQ l+16(FP), DI
	MOVQ 0(DI), R8
	MOVQ 8(DI), R9
	MOVQ 16(DI), R10
	MOVQ 24(DI), R11
	MOVQ 32(DI), R12
	MOVQ 40(DI), R13
	MOVQ $0xa24baed4963ee407, BX // k1

loop:
	MIX(0, R8)
	MIX(16, R9)
	MIX(32, R10)
	MIX(48, R11)
	MIX(64, R12)
	MIX(80, R13)
	ADDQ $96, SI
	DECQ CX
	JNZ  loop
	MOVQ R8, 0(DI)
	MOVQ R9, 8(DI)
	MOVQ R10, 16(DI)
	MOVQ R11, 24(DI)
	MOVQ R12, 32(DI)
	MOVQ R13, 40(DI)
	RET
