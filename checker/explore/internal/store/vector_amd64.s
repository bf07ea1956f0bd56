//go:build !portable

#include "textflag.h"

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT|NOFRAME, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() uint32
TEXT ·xgetbv(SB), NOSPLIT|NOFRAME, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET

// func unseen(hash *[64]uint64, home *[64]*bucket, n int) (left, behind uint64)
TEXT ·unseen(SB), NOSPLIT|NOFRAME, $0-40
	MOVQ    hash+0(FP), SI
	MOVQ    home+8(FP), DI
	MOVQ    n+16(FP), BX
	XORL    AX, AX
	XORL    R12, R12
	XORL    CX, CX
	MOVL    $1, R10
	PCMPEQL X5, X5
	JMP     test

loop:
	MOVQ       (DI)(CX*8), DX
	MOVQ       (SI)(CX*8), X0
	PUNPCKLQDQ X0, X0
	MOVQ       56(DX), R11 // the last slot, before the others: if it is filled, they are
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
	XORL       R8, R8
	TESTQ      R11, R11
	CMOVQNE    R9, R8
	ORQ        R8, R12
	SHLQ       $1, R10
	INCQ       CX

test:
	CMPQ CX, BX
	JLT  loop
	MOVQ AX, left+24(FP)
	MOVQ R12, behind+32(FP)
	RET

// func encodeVBMI2(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer
TEXT ·encodeVBMI2(SB), NOSPLIT|NOFRAME, $0-40
	MOVQ   at+0(FP), R10
	MOVQ   word+8(FP), SI
	MOVQ   before+16(FP), DI
	MOVQ   blocks+24(FP), BX
	MOVQ   BX, R9
	MOVL   $1, CX
	XORL   DX, DX
	VPXORQ Z5, Z5, Z5

	// Z5: in each byte a bit for each byte of a word that differs.
masks:
	VMOVDQU64    (SI)(DX*1), Z1
	VPCMPUB      $4, (DI)(DX*1), Z1, K1
	KMOVQ        K1, AX
	KMOVQ        CX, K2
	VPBROADCASTQ AX, K2, Z5
	SHLL         $1, CX
	ADDQ         $64, DX
	DECQ         R9
	JNZ          masks
	VPTESTMB     Z5, Z5, K1
	KMOVQ        K1, AX
	MOVQ         AX, (R10)
	ADDQ         BX, R10
	VPCOMPRESSB.Z Z5, K1, Z5
	VMOVDQU64    Z5, (R10)
	POPCNTQ      AX, AX
	ADDQ         AX, R10
	XORL         DX, DX

bytes:
	VMOVDQU64     (SI)(DX*1), Z1
	VPXORQ        (DI)(DX*1), Z1, Z1
	VPTESTMB      Z1, Z1, K1
	KMOVQ         K1, AX
	VPCOMPRESSB.Z Z1, K1, Z1
	VMOVDQU64     Z1, (R10)
	POPCNTQ       AX, AX
	ADDQ          AX, R10
	ADDQ          $64, DX
	DECQ          BX
	JNZ           bytes
	VZEROUPPER
	MOVQ          R10, ret+32(FP)
	RET

// func decodeVBMI2(at unsafe.Pointer, word *uint64, blocks int) unsafe.Pointer
TEXT ·decodeVBMI2(SB), NOSPLIT, $64-32
	MOVQ         at+0(FP), R10
	MOVQ         word+8(FP), SI
	MOVQ         blocks+16(FP), BX
	LEAQ         (BX*8), CX
	NEGQ         CX
	ADDQ         $64, CX
	MOVQ         (R10), AX
	SHLQ         CX, AX
	SHRQ         CX, AX
	KMOVQ        AX, K1
	ADDQ         BX, R10
	VMOVDQU64    (R10), Z1
	VPEXPANDB.Z  Z1, K1, Z1
	VMOVDQU64    Z1, masks-64(SP)
	LEAQ         masks-64(SP), DI
	POPCNTQ      AX, AX
	ADDQ         AX, R10
	XORL         DX, DX

bytes:
	MOVQ        (DI)(DX*8), AX
	KMOVQ       AX, K1
	VMOVDQU64   (R10), Z1
	VPEXPANDB.Z Z1, K1, Z1
	VPXORQ      (SI), Z1, Z1
	VMOVDQU64   Z1, (SI)
	POPCNTQ     AX, AX
	ADDQ        AX, R10
	ADDQ        $64, SI
	INCQ        DX
	CMPQ        DX, BX
	JLT         bytes
	VZEROUPPER
	MOVQ        R10, ret+24(FP)
	RET

// func linesVector(a, b unsafe.Pointer, count int) (differ uint64)
TEXT ·linesVector(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DI
	MOVQ count+16(FP), BX
	XORL AX, AX
	XORL CX, CX

	// Eight lines at once, where they do not differ.
eight:
	LEAQ       8(CX), R8
	CMPQ       R8, BX
	JGT        rest
	VPXORQ     Z0, Z0, Z0
	VMOVDQU64  0(SI), Z1
	VPTERNLOGQ $0xf6, 0(DI), Z1, Z0
	VMOVDQU64  64(SI), Z1
	VPTERNLOGQ $0xf6, 64(DI), Z1, Z0
	VMOVDQU64  128(SI), Z1
	VPTERNLOGQ $0xf6, 128(DI), Z1, Z0
	VMOVDQU64  192(SI), Z1
	VPTERNLOGQ $0xf6, 192(DI), Z1, Z0
	VMOVDQU64  256(SI), Z1
	VPTERNLOGQ $0xf6, 256(DI), Z1, Z0
	VMOVDQU64  320(SI), Z1
	VPTERNLOGQ $0xf6, 320(DI), Z1, Z0
	VMOVDQU64  384(SI), Z1
	VPTERNLOGQ $0xf6, 384(DI), Z1, Z0
	VMOVDQU64  448(SI), Z1
	VPTERNLOGQ $0xf6, 448(DI), Z1, Z0
	VPTESTMQ   Z0, Z0, K1
	KORTESTB   K1, K1
	JNE        each
	ADDQ       $512, SI
	ADDQ       $512, DI
	MOVQ       R8, CX
	JMP        eight

rest:
	MOVQ BX, R8
	CMPQ CX, R8
	JEQ  done

each:
	VMOVDQU64 (SI), Z1
	VPCMPUQ   $4, (DI), Z1, K1
	XORL      R9, R9
	KORTESTB  K1, K1
	SETNE     R9
	SHLQ      CX, R9
	ORQ       R9, AX
	ADDQ      $64, SI
	ADDQ      $64, DI
	INCQ      CX
	CMPQ      CX, R8
	JLT       each
	CMPQ      CX, BX
	JLT       eight

done:
	VZEROUPPER
	MOVQ AX, differ+24(FP)
	RET
