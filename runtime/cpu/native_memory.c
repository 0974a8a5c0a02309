// Memory of results of compiled code, which is kept for results to come when the last array that looks at it is gone: fresh
// memory costs a page fault for each page, which for results of many megabytes takes longer than computing them.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

// As in result_memory.py.
enum { ALIGNED_FROM = 1 << 16, PAGE = 1 << 12, LINE = 1 << 6, LINES = PAGE / LINE };

// From this many bytes on memory comes in pages of HUGE bytes where the system has them.
enum { HUGE_FROM = 1 << 22, HUGE = 1 << 21 };

// How many blocks of memory are kept for results to come, and how many bytes unless `keep` says otherwise.
enum { MAX_KEPT = 64, KEPT_BYTES = 1 << 28 };

// A result's memory, to which its array refers. Python's global lock guards `kept`.
typedef struct {
  PyObject_HEAD
  char *data;
  npy_intp bytes;
} Memory;

typedef struct {
  char *data;
  npy_intp bytes;
} Block;

static struct {
  Block blocks[MAX_KEPT];  // the one kept longest first
  int count;
  npy_intp bytes, limit;
} kept = {.limit = KEPT_BYTES};

static Block forget(int place) {
  const Block block = kept.blocks[place];
  kept.bytes -= block.bytes;
  memmove(kept.blocks + place, kept.blocks + place + 1, (--kept.count - place) * sizeof(Block));
  return block;
}

// Free what was kept longest, until `bytes` more in one block would be within the limits.
static void make_room(npy_intp bytes) {
  while (kept.count && (kept.count == MAX_KEPT || kept.bytes + bytes > kept.limit)) free(forget(0).data);
}

// The lines of a page at which arrays of more than a line begin, a bit for each.
static uint64_t first_lines(PyObject *const *arrays, Py_ssize_t count) {
  uint64_t lines = 0;
  for (Py_ssize_t k = 0; k < count; k++) {
    PyArrayObject *array = (PyArrayObject *)arrays[k];
    if (PyArray_NBYTES(array) > LINE) lines |= (uint64_t)1 << (uintptr_t)PyArray_DATA(array) % PAGE / LINE;
  }
  return lines;
}

// `quiet_place` of result_memory.py, for arguments that begin at these lines.
static npy_intp quiet_place(uint64_t lines) {
  int place = 0, widest = 0;
  for (int line = 0; line < LINES; line++) {
    if (!(lines >> line & 1)) continue;
    int gap = 1;
    while (gap < LINES && !(lines >> (line + LINES - gap) % LINES & 1)) gap++;
    if (gap > widest) place = line, widest = gap;
  }
  return place * LINE;
}

// Sizes in steps of at most an eighth, so that results of almost the same size can follow each other in a block. They are
// whole pages, large ones whole pages of HUGE bytes: what is left of one would be taken from the system all the same.
static npy_intp rounded(npy_intp bytes) {
  npy_intp step = PAGE;
  while (step * 16 <= bytes) step *= 2;
  if (bytes >= HUGE_FROM && step < HUGE) step = HUGE;
  return (bytes + step - 1) / step * step;
}

// A block of a rounded size, and a page more than is counted, so that a result can begin anywhere in the first page.
static Block take(npy_intp bytes) {
  for (int place = kept.count - 1; place >= 0; place--)
    if (kept.blocks[place].bytes == bytes) return forget(place);
  const int large = bytes >= HUGE_FROM;
  void *data;
  if (posix_memalign(&data, large ? HUGE : PAGE, bytes + PAGE)) data = NULL;
#ifdef __linux__
  if (data && large) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return (Block){data, bytes};
}

static void memory_dealloc(PyObject *object) {
  Memory *memory = (Memory *)object;
  PyTypeObject *type = Py_TYPE(object);
  if (memory->data && memory->bytes <= kept.limit) {
    make_room(memory->bytes);
    kept.blocks[kept.count++] = (Block){memory->data, memory->bytes};
    kept.bytes += memory->bytes;
  } else {
    free(memory->data);
  }
  type->tp_free(object);
  Py_DECREF(type);
}

static Memory *new_memory(PyTypeObject *type, npy_intp bytes) {
  Memory *memory = (Memory *)type->tp_alloc(type, 0);
  if (!memory) return NULL;
  const Block block = take(rounded(bytes));
  memory->data = block.data;
  memory->bytes = block.bytes;
  if (block.data) return memory;
  Py_DECREF(memory);
  PyErr_NoMemory();
  return NULL;
}

// keep(bytes): how much may be kept, from now on.
static PyObject *keep(PyObject *module, PyObject *value) {
  const npy_intp limit = PyLong_AsSsize_t(value);
  if (limit == -1 && PyErr_Occurred()) return NULL;
  kept.limit = limit;
  make_room(0);
  Py_RETURN_NONE;
}

static PyType_Slot memory_slots[] = {
    {Py_tp_dealloc, memory_dealloc},
    {0, NULL},
};

static PyType_Spec memory_spec = {
    .name = "stepwell_native_call.Memory",
    .basicsize = sizeof(Memory),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = memory_slots,
};
