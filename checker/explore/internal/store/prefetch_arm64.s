//go:build !portable

#include "textflag.h"

// func prefetch(at []*bucket)
TEXT ·prefetch(SB), NOSPLIT|NOFRAME, $0-24
	MOVD at_base+0(FP), R0
	MOVD at_len+8(FP), R1
	ADD  R1<<3, R0, R1
	B    test

loop:
	MOVD.P 8(R0), R2
	PRFM   (R2), PLDL1KEEP

test:
	CMP R1, R0
	BLO loop
	RET
