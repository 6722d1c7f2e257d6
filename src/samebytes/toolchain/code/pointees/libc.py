"""Functions of the C library and of the compiler's: how many addresses they are given, and what they do there."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """One function, which keeps no address that it is given.

    Attributes
    ----------
    words : int
        How many arguments are integers or addresses; real numbers are passed elsewhere.
    fills, reads : tuple of (int, int)
        Arguments behind which as many bytes are written, or read, as another argument says.
    stores : tuple of (int, int)
        Arguments behind which so many bytes are written, if they are not null.
    gives : int
        The argument that it returns, or whose part; -1: none.
    returns : bool
    """

    words: int
    fills: tuple[tuple[int, int], ...] = ()
    reads: tuple[tuple[int, int], ...] = ()
    stores: tuple[tuple[int, int], ...] = ()
    gives: int = -1
    returns: bool = True


_MATHS = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10 expm1 fabs fdim floor fma
fmax fmin fmod hypot j0 j1 lgamma llrint llround log log10 log1p log2 logb lrint lround nearbyint nextafter pow
remainder rint round roundeven scalb sin sinh sqrt tan tanh tgamma trunc y0 y1 cabs carg cexp clog cpow csqrt conj
cimag creal
"""
_BY_COUNT = {
    0: """abort clock fork getegid geteuid getgid getpid getppid getuid rand random __errno_location __stack_chk_fail
    __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc sched_yield pthread_self __isnan __isinf __finite __isnanf
    __isinff __fpclassify __signbit drand48 lrand48 __exp_finite __log_finite __pow_finite""",
    1: """malloc free strlen atoi atol atoll atof close fclose feof ferror fflush fgetc fileno getc getenv isalpha
    isdigit isspace isatty putchar puts sleep srand srandom strdup tolower toupper unlink rmdir exit _exit rewind ftell
    ftello perror strerror abs labs usleep dup closedir opendir __strdup isalnum islower isprint isupper isxdigit
    ispunct pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock pthread_mutex_destroy pthread_cond_signal
    pthread_cond_broadcast pthread_cond_destroy sem_post sem_wait sem_destroy clearerr jn yn if_nametoindex wcslen
    sysconf pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock ldexp scalbn scalbln ilogb inet_addr""",
    2: """calloc realpath strcmp strcoll strcspn strpbrk strspn stpcpy fopen fputc fputs putc rename strcasecmp access
    creat dup2 mkdir kill strndup strnlen __strndup ungetc clock_gettime gettimeofday pthread_mutex_init
    pthread_cond_init pthread_cond_wait nanosleep shutdown chmod link symlink gmtime_r localtime_r stat lstat fstat
    fopen64 ftruncate fstat64 stat64 lstat64 aligned_alloc wcscmp munmap""",
    3: """bcmp memcmp strncmp strncat strncasecmp read write lseek lseek64 fseek fseeko strtok_r fgets poll readlink
    inet_pton socket connect bind listen accept __strcpy_chk __strcat_chk pthread_cond_timedwait sem_init""",
    4: """fread fwrite pread pwrite recv send __read_chk __strncpy_chk __strncat_chk vsnprintf inet_ntop
    __assert_fail""",
    5: """setsockopt getsockopt select __fread_chk""",
    6: """printf fprintf sprintf snprintf asprintf vasprintf vfprintf vsprintf __printf_chk __fprintf_chk __sprintf_chk
    __snprintf_chk __vsnprintf_chk __vsprintf_chk __vfprintf_chk __asprintf_chk __vasprintf_chk syslog sscanf fscanf
    __isoc99_sscanf __isoc99_fscanf open open64 openat fcntl ioctl recvfrom sendto mmap vprintf dprintf __syslog_chk
    err errx warn warnx __isoc23_sscanf __isoc23_fscanf""",
}
_NEVER = frozenset(["abort", "exit", "_exit", "__stack_chk_fail", "__assert_fail", "err", "errx"])
# By size: what a type is called in the names of functions.
_REALS = {"": 8, "f": 4, "l": 16}
_PARSING = (
    "strtol strtoul strtoll strtoull __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull"
)

KNOWN: dict[str, Known] = {
    **{f"{name}{suffix}": Known(0) for name in _MATHS.split() for suffix in _REALS},
    **{
        name: Known(count, returns=name not in _NEVER)
        for count, names in _BY_COUNT.items()
        for name in names.split()
    },
    **{f"sincos{suffix}": Known(2, stores=((0, size), (1, size))) for suffix, size in _REALS.items()},
    **{f"modf{suffix}": Known(1, stores=((0, size),)) for suffix, size in _REALS.items()},
    **{
        f"{name}{suffix}": Known(1, stores=((0, 4),))
        for name in ("frexp", "remquo", "lgamma_r")
        for suffix in _REALS
    },
    **{name: Known(3, stores=((1, 8),)) for name in _PARSING.split()},
    **{f"strto{kind}": Known(2, stores=((1, 8),)) for kind in ("d", "f", "ld")},
    "time": Known(1, stores=((0, 8),)),
    "realloc": Known(2, gives=0),
    "memset": Known(3, fills=((0, 2),), gives=0),
    "__memset_chk": Known(4, fills=((0, 2),), gives=0),
    "bzero": Known(2, fills=((0, 1),)),
    "memcpy": Known(3, fills=((0, 2),), reads=((1, 2),), gives=0),
    "__memcpy_chk": Known(4, fills=((0, 2),), reads=((1, 2),), gives=0),
    "memmove": Known(3, fills=((0, 2),), reads=((1, 2),), gives=0),
    "__memmove_chk": Known(4, fills=((0, 2),), reads=((1, 2),), gives=0),
    **{name: Known(2, gives=0) for name in ("strcpy", "strcat", "strchr", "strrchr", "strstr", "strcasestr")},
    **{name: Known(3, gives=0) for name in ("strncpy", "memchr", "memrchr")},
}
