// CUDA's short vectors.
#pragma once

#define SOFTCUDA_VECTOR2(type, name, align)     \
  struct alignas(align) name { type x, y; };    \
  inline name make_##name(type x, type y) { return {x, y}; }
#define SOFTCUDA_VECTOR4(type, name, align)        \
  struct alignas(align) name { type x, y, z, w; }; \
  inline name make_##name(type x, type y, type z, type w) { return {x, y, z, w}; }

SOFTCUDA_VECTOR2(char, char2, 2)
SOFTCUDA_VECTOR2(unsigned char, uchar2, 2)
SOFTCUDA_VECTOR2(short, short2, 4)
SOFTCUDA_VECTOR2(unsigned short, ushort2, 4)
SOFTCUDA_VECTOR2(int, int2, 8)
SOFTCUDA_VECTOR2(unsigned, uint2, 8)
SOFTCUDA_VECTOR2(float, float2, 8)
SOFTCUDA_VECTOR2(double, double2, 16)
SOFTCUDA_VECTOR2(long long, longlong2, 16)
SOFTCUDA_VECTOR2(unsigned long long, ulonglong2, 16)
SOFTCUDA_VECTOR4(char, char4, 4)
SOFTCUDA_VECTOR4(unsigned char, uchar4, 4)
SOFTCUDA_VECTOR4(short, short4, 8)
SOFTCUDA_VECTOR4(unsigned short, ushort4, 8)
SOFTCUDA_VECTOR4(int, int4, 16)
SOFTCUDA_VECTOR4(unsigned, uint4, 16)
SOFTCUDA_VECTOR4(float, float4, 16)

#undef SOFTCUDA_VECTOR2
#undef SOFTCUDA_VECTOR4
