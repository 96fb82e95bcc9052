// Division by a small whole number c, whose reciprocal is one: the quotient that a
// division has, bit for bit. The first guess is two units off at most, its remainder
// exact; what is left of an error after it is far below the 1/c units that a quotient
// keeps from the middle between two numbers (Markstein 1990,
// doi:10.1147/rd.341.0111).
INLINE V over(V a, double c, double one) {
	V q = a * splat(one);
	return fused(fused(-q, splat(c), a), splat(one), q);
}
