// Package bench times the imagined drives of brain/rollout: every engine, beside a
// plain C++ retelling of the algorithm that Nav2's MPPI controller publishes, in turns
// in one run.
//
// # The peer
//
// Own code from the published description (Nav2's documentation of its MPPI
// controller, Williams et al. 2017, doi:10.1109/ICRA.2017.7989202): arrays of noise,
// made before and kept as its default regenerate_noises = false does; arrays of
// commands, speeds and places filled one after the other; one pass over all
// trajectories per critic; softmax; Savitzky-Golay of the commands. It has our sizes,
// map, bicycle, critics and weights, float32, and is compiled for AVX2 and FMA with
// -O3 and the compiler's fast arithmetic, as Nav2's own build is. It makes no noise
// and no map in the time that counts; ours makes both.
package bench
