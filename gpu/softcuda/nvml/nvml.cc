// A libnvidia-ml.so.1 that answers with what the file SOFTCUDA_NVML says, read anew for
// every answer: a line per number, "name value". What the file does not name is not
// supported; "hang" never answers. See Library.NVML.
#include <unistd.h>

#include <fstream>
#include <string>

namespace {

enum { kSuccess = 0, kUninitialized = 1, kNotSupported = 3, kNotFound = 6 };

std::string said(const char* name) {
  const char* path = getenv("SOFTCUDA_NVML");
  std::ifstream file(path ? path : "");
  for (std::string key, value; file >> key >> value;) {
    if (key != name) continue;
    while (value == "hang") pause();
    return value;
  }
  return "";
}

template <typename T>
int number(const char* name, T* to) {
  const std::string text = said(name);
  if (text.empty()) return kNotSupported;
  *to = T(std::stoull(text, nullptr, 0));
  return kSuccess;
}

bool initialized;

}  // namespace

struct Memory {
  unsigned long long total, free, used;
};
struct Utilization {
  unsigned int gpu, memory;
};

extern "C" {

int nvmlInit_v2() {
  int code = kSuccess;
  number("init", &code);
  initialized = code == kSuccess;
  return code;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** card) {
  if (!initialized) return kUninitialized;
  if (said("bus") != bus) return kNotFound;
  *card = &initialized;
  return kSuccess;
}

int nvmlDeviceGetMemoryInfo(void*, Memory* m) {
  if (number("used", &m->used) || number("room", &m->total)) return kNotSupported;
  m->free = m->total - m->used;
  return kSuccess;
}

int nvmlDeviceGetClockInfo(void*, int, unsigned int* mhz) { return number("clock", mhz); }
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned int* mhz) { return number("most", mhz); }
int nvmlDeviceGetTemperature(void*, int, unsigned int* c) { return number("heat", c); }
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) { return number("reasons", bits); }
int nvmlDeviceGetUtilizationRates(void*, Utilization* u) {
  u->memory = 0;
  return number("load", &u->gpu);
}

}  // extern "C"
