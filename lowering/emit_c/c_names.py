"""Names in exported C: reserved words of C and C++, names of their libraries, and the choice of names that clash with
neither."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Words of C and C++, and the types and constants of <stdbool.h> and <stdint.h>.
_WORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept
const const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default delete do double
dynamic_cast else enum explicit export extern false float for friend goto if inline int int8_t int16_t int32_t int64_t
int_least8_t intmax_t intptr_t long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
public register reinterpret_cast requires restrict return short signed size_t sizeof static static_assert static_cast struct
switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual uint8_t uint16_t uint32_t
uint64_t uintmax_t uintptr_t union unsigned using virtual void volatile wchar_t while xor xor_eq NULL linux unix i386 errno
"""
_MATHS = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10 expm1 fabs fdim floor fma fmax
fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter
nexttoward pow remainder remquo rint round scalbln scalbn sin sincos sinh sqrt tan tanh tgamma trunc j0 j1 jn y0 y1 yn gamma
drem significand scalb
"""
_OTHERS = """
isnan isinf isfinite isnormal signbit fpclassify main abort abs aligned_alloc alloca atexit atof atoi atol atoll bcmp bcopy
bsearch bzero calloc div exit _exit _Exit ffs ffsl ffsll free getenv index labs ldiv llabs lldiv malloc mblen posix_memalign
qsort rand random rand_r realloc reallocarray rindex setenv srand srandom strtod strtof strtol strtold strtoll strtoul
strtoull system valloc memccpy memchr memcmp memcpy memmem memmove mempcpy memset stpcpy stpncpy strcasecmp strcat strchr
strcmp strcoll strcpy strcspn strdup strerror strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr
strsep strsignal strspn strstr strtok strxfrm clearerr fclose feof ferror fflush fgetc fgets fopen fprintf fputc fputs fread
fscanf fseek ftell fwrite getc getchar gets perror printf putc putchar puts remove rename rewind scanf setbuf snprintf
sprintf sscanf tmpfile ungetc vfprintf vprintf vsnprintf vsprintf read write open close time clock signal raise imaxabs
imaxdiv isalnum isalpha isdigit isspace tolower toupper a64l l64a mktemp select
"""
WORDS = frozenset(_WORDS.split())
# The functions that the headers of emitted code declare, or that compilers know without a header.
LIBRARY = frozenset([*_OTHERS.split(), *(f"{name}{suffix}" for name in _MATHS.split() for suffix in ("", "f", "l"))])


def clash(name: str, code: str) -> str | None:
    """The reason why a function cannot have this name in a file of this C code; None if it can."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        return "it is not an identifier of C: letters, digits and underscores"
    if name in WORDS:
        return "it is a word of C or C++"
    if name in LIBRARY:
        return "it is a name of C's library"
    if re.match(r"sw_|__|_[A-Z]", name):
        return "names that begin with 'sw_', '__' or '_' and a capital are reserved"
    return "the emitted code uses it for something else" if re.search(rf"\b{name}\b", code) else None


def unique(wanted: Iterable[str], taken: Iterable[str]) -> list[str]:
    """A name for each wanted name: the same name if it is free, that is neither a word of C, nor taken, nor given before."""
    found: list[str] = []
    used = {*taken, *WORDS}
    for name in wanted:
        base = re.sub(r"[^A-Za-z0-9_]", "_", name)
        base = f"x_{base}" if re.match(r"sw_|__|_[A-Z]|\d", base) else base
        made, number = base, 0
        while made in used:
            number += 1
            made = f"{base}_{number}"
        used.add(made)
        found.append(made)
    return found
