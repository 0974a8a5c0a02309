"""Declarations and runtime helpers of emitted C, each printed only if it is used."""

from __future__ import annotations

import re
from types import MappingProxyType

# A called name without underscores that is not listed here is a compiler builtin of <math.h> or <string.h>, and is defined as a
# macro for it. Headers must therefore come first.
_OTHERS = frozenset(("collapse", "defined", "free", "madvise", "schedule", "sizeof", "unroll", "visibility"))
_NAME = re.compile(r"[a-zA-Z_]\w*$")
_NUMBERS = MappingProxyType({"INFINITY": "__builtin_inff()", "NAN": '__builtin_nanf("")'})
_DECLARED = MappingProxyType(
    {"aligned_alloc": "void *aligned_alloc(size_t alignment, size_t size);", "free": "void free(void *memory);"}
)


def c_names(text: str) -> str:
    """The declarations of the names that a text uses. <math.h> and <stdlib.h> are not included: reading them takes a compiler
    longer than some kernels."""
    ends = {part.rpartition(" ")[2] for part in text.split("(")[:-1]}
    called = {found.group() for found in map(_NAME.search, ends) if found}
    lines = ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>"]
    if "madvise" in called:
        lines += ["#ifdef __linux__", "#include <sys/mman.h>", "#endif"]
    lines += [_DECLARED[name] for name in sorted(called & _DECLARED.keys())]
    lines += [f"#define {name} {value}" for name, value in _NUMBERS.items() if name in text]
    lines += [f"#define {name} __builtin_{name}" for name in sorted(called - _OTHERS) if "_" not in name]
    return "".join(f"{line}\n" for line in lines)


RUNTIME = MappingProxyType(
    {
        # A program of several translation units is compiled as a whole, or with SW_UNITS and SW_UNIT_<number> = 1 for the units
        # to be compiled. SW_USED_IN guards helpers; `#if SW_IN(n)` begins a section of unit n, by which
        # `emission.source_text.SECTION` finds it in the text.
        "sw_unit": """\
#ifdef SW_UNITS
#define SW_SHARED __attribute__((visibility("hidden")))
#define SW_IN(unit) SW_UNIT_##unit
#else
#define SW_SHARED static
#define SW_IN(unit) 1
#endif
#define SW_USED_IN SW_IN
""",
        "sw_unroll": """\
#define SW_TEXT(words) #words
#ifdef __clang__
#define SW_UNROLL(count) _Pragma("clang loop unroll(full)")
#else
#define SW_UNROLL(count) _Pragma(SW_TEXT(GCC unroll count))
#endif
""",
        "sw_fail": """\
__attribute__((noinline, cold)) static void sw_fail(int64_t *error, int64_t number, int64_t value, int64_t limit) {
  int64_t none = 0;
  if (__atomic_compare_exchange_n(&error[0], &none, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    error[1] = value;
    error[2] = limit;
  }
}
""",
        "sw_floordiv": """\
static inline int64_t sw_floordiv(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
""",
        "sw_mod": """\
static inline int64_t sw_mod(int64_t a, int64_t b) {
  if (b == 0) return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
""",
        "sw_thread": """\
#ifdef _OPENMP
int omp_get_thread_num(void);
#endif
static inline int64_t sw_thread(void) {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}
""",
        # libgomp creates a team even for a parallel region on one thread, which takes longer than small programs run. The
        # linker flag `--wrap` redirects its calls here; without the flag this is unused, and the weak symbol may stay
        # undefined. Every translation unit defines it, and the linker keeps one. (`region(data)` would look like a call of a
        # builtin.)
        "sw_region": """\
#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__)
typedef void sw_region(void *);
__attribute__((weak)) void __real_GOMP_parallel(sw_region *region, void *data, unsigned threads, unsigned flags);
__attribute__((weak, visibility("hidden")))
void __wrap_GOMP_parallel(sw_region *region, void *data, unsigned threads, unsigned flags) {
  if (threads == 1) (*region)(data);
  else __real_GOMP_parallel(region, data, threads, flags);
}
#endif
""",
        # Every translation unit defines the timers, and the linker keeps one array, which the caller finds by its name.
        "sw_timers": """\
#include <time.h>
__attribute__((weak, visibility("default"))) int64_t sw_timers[4096];
static inline int64_t sw_nanoseconds(void) {
  struct timespec sw_now;
  clock_gettime(CLOCK_MONOTONIC, &sw_now);
  return (int64_t)sw_now.tv_sec * 1000000000 + sw_now.tv_nsec;
}
""",
        # One arena is kept for reuse by the next call; a call that finds no arena, or one that is too small, allocates its own.
        "sw_arena": """\
struct sw_arena { int64_t bytes; char pad[56]; };
static struct sw_arena *sw_arena_kept;
static char *sw_arena_take(int64_t bytes) {
  struct sw_arena *arena = __atomic_exchange_n(&sw_arena_kept, NULL, __ATOMIC_ACQ_REL);
  if (arena == NULL || arena->bytes < bytes) {
    free(arena);
    const size_t huge = (size_t)1 << 21, line = bytes >= (int64_t)huge ? huge : 64;
    const size_t size = ((size_t)bytes + sizeof(*arena) + line - 1) / line * line;
    arena = aligned_alloc(line, size);
    if (arena == NULL) return NULL;
#ifdef __linux__
    if (line == huge) madvise(arena, size, MADV_HUGEPAGE);
#endif
    arena->bytes = bytes;
  }
  return (char *)(arena + 1);
}
static void sw_arena_give(char *memory) {
  free(__atomic_exchange_n(&sw_arena_kept, (struct sw_arena *)memory - 1, __ATOMIC_ACQ_REL));
}
""",
        "sw_min": "static inline int64_t sw_min(int64_t a, int64_t b) { return a < b ? a : b; }\n",
        "sw_max": "static inline int64_t sw_max(int64_t a, int64_t b) { return a > b ? a : b; }\n",
    }
)
