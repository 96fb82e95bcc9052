// Package exact computes elementary functions with the same bits on every
// machine.
//
// The standard library's Exp has assembly on some processors and its Sin and
// Atan are compiled with fused multiply-adds on others, so their last bits
// differ between an amd64 laptop and an arm64 Jetson. A field that must have
// one hash everywhere, and a recording that must replay bit for bit, cannot
// use them. The functions here use additions, multiplications, divisions and
// square roots only, each rounded separately: every product that feeds a sum
// stands inside an explicit float64 conversion, which the Go specification
// forbids the compiler to fuse (section "Floating-point operators").
//
// # Accuracy
//
// Within 4 units in the last place of the true value over the stated domains;
// the tests measure it against the standard library. SmallTurn and SmallTan are shorter
// forms in float32, for paths of which thousands are drawn in a tick; they say their own.
//
// # Fused
//
// Fused compiles packages for arm64 and reports every fused instruction in
// them; the packages that promise equal bits call it in a test.
package exact
