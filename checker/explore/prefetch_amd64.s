#include "textflag.h"

// func prefetch(at *[64]*bucket, n int)
TEXT ·prefetch(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ at+0(FP), AX
	MOVQ n+8(FP), CX
	LEAQ (AX)(CX*8), CX
	JMP  test

loop:
	MOVQ        (AX), DX
	PREFETCHT0  (DX)
	PREFETCHT0  64(DX)
	ADDQ        $8, AX

test:
	CMPQ AX, CX
	JB   loop
	RET
