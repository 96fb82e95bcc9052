// Division by a small whole number c: the quotient that a division has, bit for bit.
// one is 1/c, rest what it lacks. Before the last rounding the sum is off by 2^-104 of
// itself; a quotient keeps 1/(2c) units, 2^-63 of itself for c <= 306, from the middle
// between two numbers (Brisebarre, Muller and Raina 2004, doi:10.1109/TC.2004.37).
INLINE V over(V a, double, double one, double rest) { return fused(a, splat(one), a * splat(rest)); }
