#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>

namespace softcuda {

namespace {

std::atomic<uint32_t*> wrongWord{nullptr};

bool flag(const char* name) {
  const char* text = getenv(name);
  return text && *text && strcmp(text, "0") != 0;
}

[[noreturn]] void refuse(const char* name, const char* text, const char* form) {
  fprintf(stderr, "softcuda: %s=%s: want %s\n", name, text, form);
  abort();
}

// Reads up to three numbers that colons separate. Returns how many there are.
int numbers(const char* name, const char* form, uint64_t* to) {
  const char* text = getenv(name);
  if (!text || !*text) return 0;
  const char* at = text;
  for (int i = 0; i < 3; i++) {
    char* end;
    to[i] = strtoull(at, &end, 0);
    if (end == at) refuse(name, text, form);
    if (*end == '+' && i == 0) end++;
    if (*end == 0) return i + 1;
    if (*end != ':') break;
    at = end + 1;
  }
  refuse(name, text, form);
}

Faults read() {
  Faults f{};
  f.noRegister = flag("SOFTCUDA_NO_REGISTER");
  f.leaks = flag("SOFTCUDA_LEAKS");
  uint64_t n[3];
  if (numbers("SOFTCUDA_INIT", "n", n)) f.initCode = n[0];
  if (flag("SOFTCUDA_NO_DEVICE")) f.initCode = 100;
  if (numbers("SOFTCUDA_OOM_AT", "n", n)) f.oomAt = n[0];
  if (int have = numbers("SOFTCUDA_FAIL_LAUNCH", "n or n:code", n)) {
    f.failAt = n[0];
    f.failCode = have > 1 ? n[1] : 700;
  }
  if (numbers("SOFTCUDA_HANG_LAUNCH", "n", n)) f.hangAt = n[0];
  const char* slow = getenv("SOFTCUDA_SLOW_LAUNCH");
  if (slow && strncmp(slow, "every:", 6) == 0) {
    f.slowAt = ~uint64_t{0};
    f.slowMs = strtoull(slow + 6, nullptr, 10);
  } else if (int have = numbers("SOFTCUDA_SLOW_LAUNCH", "n:milliseconds or every:milliseconds", n)) {
    if (have != 2) refuse("SOFTCUDA_SLOW_LAUNCH", slow, "n:milliseconds or every:milliseconds");
    f.slowAt = n[0];
    f.slowMs = n[1];
  }
  if (int have = numbers("SOFTCUDA_WRONG_RESULT", "n:offset, n:offset:value, or n+:...", n)) {
    const char* text = getenv("SOFTCUDA_WRONG_RESULT");
    if (have < 2) refuse("SOFTCUDA_WRONG_RESULT", text, "n:offset, n:offset:value, or n+:...");
    f.wrongAt = n[0];
    f.wrongOn = strchr(text, '+') != nullptr;
    f.wrongOffset = n[1];
    f.wrongValue = have > 2 ? n[2] : 0x7fc00000;  // not a number
  }
  return f;
}

}  // namespace

const Faults& faults() {
  static const Faults f = read();
  return f;
}

void setWrongWord(uint32_t* word) { wrongWord = word; }

void spoil() {
  if (uint32_t* word = wrongWord.load(std::memory_order_relaxed)) {
    __atomic_store_n(word, uint32_t(faults().wrongValue), __ATOMIC_RELEASE);
  }
}

}  // namespace softcuda
