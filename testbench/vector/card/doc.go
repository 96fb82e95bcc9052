// Package card steps the cars of testbench/vector on a graphics card: the same
// source, the same bits, a thread per car. It is built with the tag cuda; gpu/softcuda
// runs it on machines without a card.
//
// # Life
//
// Open puts a fleet into the card's memory. Step starts steps and returns at once,
// Fetch waits for them and brings the cars back into the fleet, Send takes what the
// fleet's Reset, Act or Restore changed to the card. Between Fetch and Send the fleet
// is as if one of its own engines had driven it: Truth, Hash and Save know no difference.
//
// An Env is an environment of testbench/vector/env there: OpenEnv puts it on the card, and
// its Step also judges, ends episodes and begins others, without the host.
//
// # Without a copy
//
// What cars are to do, sense and earn are matrices in the card's memory, a row per car.
// Whoever learns on the card writes and reads them there, by their address, and no
// byte crosses the bus: the context is the device's primary one, which programs on CUDA's
// runtime in this process share. cmd/fieldbrain-card has them for C, and for Python by
// DLPack and the CUDA array interface. Options say which matrices there are.
//
// # Concurrency
//
// A Card belongs to one goroutine, on whatever thread: every call enters the card's
// context and leaves the thread's own as it was.
//
// # Errors
//
// Every error of the driver ends a Card: Close it. The fleet then has the cars of the
// last Fetch.
//
// # Source
//
// CUDA Driver API reference, sections on primary contexts and on launching kernels.
package card
