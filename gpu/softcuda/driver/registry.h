// For the generated table of kernels: how a kernel is called with the driver's
// list of pointers to its parameters.
#pragma once

#include <stddef.h>

#include <utility>

#include "machine.h"

namespace softcuda {

template <class... Types>
struct Parameters {
  static constexpr unsigned count = sizeof...(Types);
  static constexpr size_t sizes[count + 1] = {sizeof(Types)..., 0};

  template <void (*function)(Types...), size_t... I>
  __attribute__((noipa, no_sanitize_address)) static void unpack(void* const* p, std::index_sequence<I...>) {
    function(*static_cast<Types*>(p[I])...);
  }
  template <void (*function)(Types...)>
  static void call(void* const* p) {
    unpack<function>(p, std::index_sequence_for<Types...>());
  }
};

template <class... Types>
Parameters<Types...> parametersOf(void (*)(Types...));

template <auto function>
constexpr Kernel kernel(const char* name, unsigned bound) {
  using P = decltype(parametersOf(function));
  return {name, P::template call<function>, P::sizes, P::count, bound};
}

}  // namespace softcuda
