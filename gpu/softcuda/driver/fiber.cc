#include "fiber.h"

#include <string.h>

// Only what a called function must preserve is saved. The floating point
// control words are the same for all. The last step is a return: nearly always
// both fibers stand at the same call, so that the processor predicts it.
#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.hidden softcuda_switch
.globl softcuda_switch
.type softcuda_switch, @function
softcuda_switch:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size softcuda_switch, .-softcuda_switch
)");
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.hidden softcuda_switch
.globl softcuda_switch
.type softcuda_switch, %function
softcuda_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size softcuda_switch, .-softcuda_switch
)");
#else
#error "no context switch for this processor: add one beside x86-64 and aarch64"
#endif

namespace softcuda {

namespace {
constexpr uint64_t kCanary = 0x5afe57acc0ffee11;
constexpr int kCanaryWords = 8;
}  // namespace

void* prepare(char* stack, size_t bytes, void (*enter)()) {
  uintptr_t top = (reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t{15};
#if defined(__x86_64__)
  // Six registers, the address to go to, and the word that a call would have pushed.
  uint64_t* sp = reinterpret_cast<uint64_t*>(top - 64);
  memset(sp, 0, 64);
  sp[6] = reinterpret_cast<uint64_t>(enter);
#else
  uint64_t* sp = reinterpret_cast<uint64_t*>(top - 160);
  memset(sp, 0, 160);
  sp[11] = reinterpret_cast<uint64_t>(enter);  // x30
#endif
  return sp;
}

void placeCanary(char* stack) {
  for (int i = 0; i < kCanaryWords; i++) memcpy(stack + 8 * i, &kCanary, 8);
}

bool canaryAlive(const char* stack) {
  for (int i = 0; i < kCanaryWords; i++) {
    if (memcmp(stack + 8 * i, &kCanary, 8) != 0) return false;
  }
  return true;
}

}  // namespace softcuda
