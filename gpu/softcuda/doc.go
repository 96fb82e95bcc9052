// Package softcuda is a CUDA driver in software: it builds a libcuda.so.1 that
// runs the very same kernel sources on the processor. It is a test instrument,
// never part of the product: with it the whole path to the graphics processor
// is tested on machines without a card, without nvcc and without NVIDIA's
// header. Only g++ is needed.
package softcuda
