// What the machine can do at best: bytes copied, and fused multiply-adds.
#include <stdint.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX__)
#define LANES 8
#else
#define LANES 4
#endif

typedef float vector __attribute__((vector_size(LANES * 4)));

// Enough independent chains to hide the latency of two units of four cycles each, few enough for the registers of all.
enum { CHAINS = 10 };

static inline void stream(float *to, vector value) {
#if defined(__AVX512F__)
  _mm512_stream_ps(to, (__m512)value);
#elif defined(__AVX__)
  _mm256_stream_ps(to, (__m256)value);
#elif defined(__SSE2__)
  _mm_stream_ps(to, (__m128)value);
#else
  *(vector *)to = value;
#endif
}

// `count` is the number of floats, a multiple of LANES; both pointers are aligned to 64 bytes.
void limit_copy(float *restrict to, const float *restrict from, int64_t count) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < count; i += LANES) *(vector *)(to + i) = *(const vector *)(from + i);
}

void limit_streaming(float *restrict to, const float *restrict from, int64_t count) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int64_t i = 0; i < count; i += LANES) stream(to + i, *(const vector *)(from + i));
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }
}

// At least `flops` operations, half of them multiplications. The sum keeps the work from being removed.
float limit_fma(int64_t flops, float factor) {
  float total = 0;
#pragma omp parallel reduction(+ : total)
  {
    vector sums[CHAINS];
#pragma GCC unroll 10
    for (int chain = 0; chain < CHAINS; chain++) sums[chain] = (vector){(float)chain};
    const vector scale = factor - (vector){0};
#pragma omp for schedule(static)
    for (int64_t step = 0; step < flops / (2 * CHAINS * LANES); step++)
#pragma GCC unroll 10
      for (int chain = 0; chain < CHAINS; chain++) sums[chain] = sums[chain] * scale + scale;
#pragma GCC unroll 10
    for (int chain = 0; chain < CHAINS; chain++) total += sums[chain][0];
  }
  return total;
}
