// Faults on order, from the environment (see doc.go for the list).
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace softcuda {

struct Faults {
  uint64_t initCode;                  // what cuInit answers; 0: success
  bool noRegister;
  uint64_t oomAt;                     // allocation that fails, from 1; 0: none
  uint64_t failAt, failCode;          // launch that fails, and how
  uint64_t hangAt;                    // launch that never ends
  uint64_t slowAt, slowMs;            // launch that takes long; slowAt ~0: every one
  uint64_t wrongAt;                   // launch whose answer is wrong
  bool wrongOn;                       // and all after it
  uint64_t wrongOffset, wrongValue;   // 4 bytes of the shared memory
  bool leaks;                         // tell what a destroyed context left behind
};
const Faults& faults();

// The word that the wrong answer overwrites while its launch runs, or null.
void setWrongWord(uint32_t* word);
// Called by every system-wide fence: the answer goes wrong before anybody can
// be told that it is there.
void spoil();

}  // namespace softcuda
