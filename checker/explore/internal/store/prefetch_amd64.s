//go:build !portable

#include "textflag.h"

// func prefetch(at []*bucket)
TEXT ·prefetch(SB), NOSPLIT|NOFRAME, $0-24
	MOVQ at_base+0(FP), AX
	MOVQ at_len+8(FP), CX
	LEAQ (AX)(CX*8), CX
	JMP  test

loop:
	MOVQ       (AX), DX
	PREFETCHT0 (DX)
	ADDQ       $8, AX

test:
	CMPQ AX, CX
	JB   loop
	RET
