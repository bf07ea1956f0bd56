#include "textflag.h"

// func prefetch(at *[64]*bucket, n int)
TEXT ·prefetch(SB), NOSPLIT|NOFRAME, $0-16
	MOVD at+0(FP), R0
	MOVD n+8(FP), R1
	ADD  R1<<3, R0, R1
	B    test

loop:
	MOVD.P 8(R0), R2
	PRFM   (R2), PLDL1KEEP
	PRFM   64(R2), PLDL1KEEP

test:
	CMP R1, R0
	BLO loop
	RET
