// Calls of compiled code from Python, for arguments that are exactly like those of an earlier call.
//
// A `Plan` holds what such a call needs: the code, the dtypes and shapes of its arguments and results, the values of its
// parameters. `call(plans, arguments)` runs the first plan that fits the arguments and returns its result; None when none
// fits, or when the code reports an error. The caller then takes the long way, written in Python, so that every check and
// every message has one home. `keep(bytes)` says how much memory of results that are gone is kept for results to come.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { MAX_ARRAYS = 32, MAX_PARAMETERS = 32, MAX_RANK = 8, ERROR_WORDS = 3 };

// From this many bytes of arrays on other Python threads may run meanwhile; for less, handing over costs more than the work.
enum { RELEASE_BYTES = 16384 };

// As in results.py.
enum { ALIGNED_FROM = 1 << 16, LINE = 64 };

// From this many bytes on memory comes in pages of HUGE bytes where the system has them.
enum { HUGE_FROM = 1 << 22, HUGE = 1 << 21 };

// How many blocks of memory are kept for results to come, and how many bytes unless `keep` says otherwise.
enum { MAX_KEPT = 64, KEPT_BYTES = 1 << 28 };

typedef int64_t (*Code)(void *const *buffers, const int64_t *parameters, int64_t *error);

typedef struct {
  PyArray_Descr *dtype;
  int rank;
  npy_intp sizes[MAX_RANK];
  npy_intp bytes;
} Layout;

typedef struct {
  PyObject_VAR_HEAD
  Code code;
  const int64_t *threads;  // how many threads the code may use, which can change between calls
  PyObject *constants;     // a tuple of arrays, passed after the arguments; the program's own, so they never change
  PyObject *finish;        // makes the result of a list of arrays; None where the result is the one array
  PyTypeObject *memory;    // of the results
  long long hits;
  int releases;
  Py_ssize_t inputs, outputs, parameter_count;
  int64_t parameters[MAX_PARAMETERS];
  Layout layouts[];  // of the inputs and the outputs
} Plan;

// --- Memory of results ---

// A result's memory, to which its array refers. It is kept when the last array that looks at it is gone: fresh memory costs a
// page fault for each page, which for results of many megabytes takes longer than the work. Python's global lock guards `kept`.
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

// Sizes in steps of at most an eighth, so that results of almost the same size can follow each other in a block. Large ones
// are whole pages: what is left of one would be taken from the system all the same.
static npy_intp rounded(npy_intp bytes) {
  npy_intp step = LINE;
  while (step * 16 <= bytes) step *= 2;
  if (bytes >= HUGE_FROM && step < HUGE) step = HUGE;
  return (bytes + step - 1) / step * step;
}

// A block of a rounded size.
static Block take(npy_intp bytes) {
  for (int place = kept.count - 1; place >= 0; place--)
    if (kept.blocks[place].bytes == bytes) return forget(place);
  const int large = bytes >= HUGE_FROM;
  char *data = aligned_alloc(large ? HUGE : LINE, bytes);
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

// --- Making plans ---

// The bytes of the arrays; -1 with an exception where one is none that compiled code takes as it is.
static npy_intp bytes_of(PyObject *arrays) {
  npy_intp bytes = 0;
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(arrays); k++) {
    PyArrayObject *array = (PyArrayObject *)PyTuple_GET_ITEM(arrays, k);
    if (!PyArray_CheckExact(array) || !PyArray_ISCARRAY_RO(array) || PyArray_NDIM(array) > MAX_RANK) {
      PyErr_Format(PyExc_ValueError, "expected contiguous, aligned arrays of at most %d axes", MAX_RANK);
      return -1;
    }
    bytes += PyArray_NBYTES(array);
  }
  return bytes;
}

static void describe(Layout *layouts, PyObject *arrays) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(arrays); k++) {
    PyArrayObject *array = (PyArrayObject *)PyTuple_GET_ITEM(arrays, k);
    layouts[k].dtype = (PyArray_Descr *)Py_NewRef(PyArray_DESCR(array));
    layouts[k].bytes = PyArray_NBYTES(array);
    layouts[k].rank = PyArray_NDIM(array);
    memcpy(layouts[k].sizes, PyArray_DIMS(array), layouts[k].rank * sizeof(npy_intp));
  }
}

static int fill(Plan *plan, PyObject *inputs, PyObject *outputs, PyObject *parameters) {
  const npy_intp taken = bytes_of(inputs), kept = bytes_of(plan->constants), made = bytes_of(outputs);
  if (taken < 0 || kept < 0 || made < 0) return -1;
  plan->releases = taken + kept + made >= RELEASE_BYTES;
  describe(plan->layouts, inputs);
  describe(plan->layouts + plan->inputs, outputs);
  for (Py_ssize_t k = 0; k < plan->parameter_count; k++) {
    plan->parameters[k] = PyLong_AsLongLong(PyTuple_GET_ITEM(parameters, k));
    if (plan->parameters[k] == -1 && PyErr_Occurred()) return -1;
  }
  return 0;
}

// Plan(code, threads, inputs, constants, outputs, parameters, finish). `code` and `threads` are addresses; `inputs` and
// `outputs` hold arrays like those of the calls to come; `finish` is a callable or None.
static PyObject *plan_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  unsigned long long code, threads;
  PyObject *inputs, *constants, *outputs, *parameters, *finish;
  static char *names[] = {"code", "threads", "inputs", "constants", "outputs", "parameters", "finish", NULL};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "KKO!O!O!O!O", names, &code, &threads, &PyTuple_Type, &inputs,
                                   &PyTuple_Type, &constants, &PyTuple_Type, &outputs, &PyTuple_Type, &parameters, &finish))
    return NULL;
  const Py_ssize_t layouts = PyTuple_GET_SIZE(inputs) + PyTuple_GET_SIZE(outputs);
  // One parameter more is the number of threads.
  if (layouts + PyTuple_GET_SIZE(constants) > MAX_ARRAYS || PyTuple_GET_SIZE(parameters) >= MAX_PARAMETERS) {
    PyErr_SetString(PyExc_ValueError, "too many arrays or parameters");
    return NULL;
  }
  if (finish == Py_None && PyTuple_GET_SIZE(outputs) != 1) {
    PyErr_SetString(PyExc_ValueError, "several results need a function that makes one of them");
    return NULL;
  }
  Plan *plan = (Plan *)type->tp_alloc(type, layouts);
  if (!plan) return NULL;
  plan->code = (Code)(uintptr_t)code;
  plan->threads = (const int64_t *)(uintptr_t)threads;
  plan->constants = Py_NewRef(constants);
  plan->finish = Py_NewRef(finish);
  plan->memory = (PyTypeObject *)Py_NewRef(*(PyObject **)PyType_GetModuleState(type));
  plan->inputs = PyTuple_GET_SIZE(inputs);
  plan->outputs = PyTuple_GET_SIZE(outputs);
  plan->parameter_count = PyTuple_GET_SIZE(parameters);
  if (fill(plan, inputs, outputs, parameters) < 0) {
    Py_DECREF(plan);
    return NULL;
  }
  return (PyObject *)plan;
}

// A plan is in no cycle: arrays of numbers and the trees of results refer to nothing that refers to plans.
static void plan_dealloc(PyObject *object) {
  Plan *plan = (Plan *)object;
  PyTypeObject *type = Py_TYPE(object);
  for (Py_ssize_t k = 0; k < Py_SIZE(plan); k++) Py_XDECREF(plan->layouts[k].dtype);
  Py_XDECREF(plan->constants);
  Py_XDECREF(plan->finish);
  Py_XDECREF(plan->memory);
  type->tp_free(object);
  Py_DECREF(type);
}

// --- Calls ---

static int is_like(const Layout *layout, PyObject *object) {
  PyArrayObject *array = (PyArrayObject *)object;
  return PyArray_CheckExact(object) && PyArray_DESCR(array) == layout->dtype && PyArray_NDIM(array) == layout->rank &&
         PyArray_ISCARRAY_RO(array) && !memcmp(PyArray_DIMS(array), layout->sizes, layout->rank * sizeof(npy_intp));
}

static int fits(const Plan *plan, PyObject *arguments) {
  if (PyTuple_GET_SIZE(arguments) != plan->inputs) return 0;
  for (Py_ssize_t k = 0; k < plan->inputs; k++)
    if (!is_like(&plan->layouts[k], PyTuple_GET_ITEM(arguments, k))) return 0;
  return 1;
}

// An array in memory at `data`, or in its own where that is NULL.
static PyObject *array_at(const Layout *layout, char *data) {
  Py_INCREF(layout->dtype);  // NumPy takes this reference.
  const int flags = data ? NPY_ARRAY_CARRAY : 0;
  return PyArray_NewFromDescr(&PyArray_Type, layout->dtype, layout->rank, (npy_intp *)layout->sizes, NULL, data, flags, NULL);
}

// `fresh` of results.py, in memory that is kept.
static PyObject *new_array(const Plan *plan, const Layout *layout) {
  if (layout->bytes < ALIGNED_FROM) return array_at(layout, NULL);
  Memory *memory = new_memory(plan->memory, layout->bytes);
  if (!memory) return NULL;
  PyObject *array = array_at(layout, memory->data);
  if (!array) {
    Py_DECREF(memory);
    return NULL;
  }
  if (PyArray_SetBaseObject((PyArrayObject *)array, (PyObject *)memory) < 0) Py_CLEAR(array);  // takes the reference
  return array;
}

// A list of fresh arrays for the results, or the one where nothing is made of it; NULL with an exception.
static PyObject *new_outputs(const Plan *plan, void **buffers) {
  const Layout *layouts = plan->layouts + plan->inputs;
  if (plan->finish == Py_None) {
    PyObject *array = new_array(plan, layouts);
    if (array) buffers[0] = PyArray_DATA((PyArrayObject *)array);
    return array;
  }
  PyObject *list = PyList_New(plan->outputs);
  for (Py_ssize_t k = 0; list && k < plan->outputs; k++) {
    PyObject *array = new_array(plan, &layouts[k]);
    if (!array) {
      Py_CLEAR(list);
      break;
    }
    buffers[k] = PyArray_DATA((PyArrayObject *)array);
    PyList_SET_ITEM(list, k, array);
  }
  return list;
}

static int64_t run_code(const Plan *plan, void *const *buffers) {
  int64_t parameters[MAX_PARAMETERS], error[ERROR_WORDS] = {0};
  memcpy(parameters, plan->parameters, plan->parameter_count * sizeof(int64_t));
  parameters[plan->parameter_count] = *plan->threads;
  if (!plan->releases) return plan->code(buffers, parameters, error);
  PyThreadState *state = PyEval_SaveThread();
  const int64_t status = plan->code(buffers, parameters, error);
  PyEval_RestoreThread(state);
  return status;
}

// Put the addresses of the arrays' data into `buffers`; returns where the next one goes.
static void **add_buffers(void **buffers, PyObject *arrays) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(arrays); k++)
    *buffers++ = PyArray_DATA((PyArrayObject *)PyTuple_GET_ITEM(arrays, k));
  return buffers;
}

static PyObject *run(Plan *plan, PyObject *arguments) {
  void *buffers[MAX_ARRAYS];
  PyObject *outputs = new_outputs(plan, add_buffers(add_buffers(buffers, arguments), plan->constants));
  if (!outputs) return NULL;
  if (run_code(plan, buffers)) {
    Py_DECREF(outputs);
    Py_RETURN_NONE;
  }
  plan->hits++;
  if (plan->finish == Py_None) return outputs;
  PyObject *result = PyObject_CallOneArg(plan->finish, outputs);
  Py_DECREF(outputs);
  return result;
}

static PyObject *call(PyObject *module, PyObject *const *values, Py_ssize_t count) {
  if (count != 2 || !PyList_CheckExact(values[0]) || !PyTuple_CheckExact(values[1])) {
    PyErr_SetString(PyExc_TypeError, "expected a list of plans and a tuple of arguments");
    return NULL;
  }
  for (Py_ssize_t k = 0; k < PyList_GET_SIZE(values[0]); k++) {
    PyObject *plan = PyList_GET_ITEM(values[0], k);
    if (Py_TYPE(plan)->tp_dealloc != plan_dealloc || !fits((Plan *)plan, values[1])) continue;
    Py_INCREF(plan);  // Another thread may take it from the list while the code runs.
    PyObject *result = run((Plan *)plan, values[1]);
    Py_DECREF(plan);
    return result;
  }
  Py_RETURN_NONE;
}

// --- The module ---

static PyMemberDef plan_members[] = {
    {"hits", T_LONGLONG, offsetof(Plan, hits), READONLY, "how many calls it served"},
    {NULL},
};

static PyType_Slot plan_slots[] = {
    {Py_tp_new, plan_new},
    {Py_tp_dealloc, plan_dealloc},
    {Py_tp_members, plan_members},
    {0, NULL},
};

static PyType_Spec plan_spec = {
    .name = "stepwell_native_call.Plan",
    .basicsize = sizeof(Plan),
    .itemsize = sizeof(Layout),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = plan_slots,
};

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

static int module_exec(PyObject *module) {
  import_array1(-1);
  PyObject **memory = PyModule_GetState(module);
  *memory = PyType_FromModuleAndSpec(module, &memory_spec, NULL);
  if (!*memory) return -1;
  PyObject *type = PyType_FromModuleAndSpec(module, &plan_spec, NULL);
  if (!type) return -1;
  const int status = PyModule_AddType(module, (PyTypeObject *)type);
  Py_DECREF(type);
  return status;
}

// The state of the module is the type of memory.
static void module_free(void *module) { Py_CLEAR(*(PyObject **)PyModule_GetState(module)); }

static PyMethodDef methods[] = {
    {"call", (PyCFunction)(void (*)(void))call, METH_FASTCALL, NULL},
    {"keep", keep, METH_O, NULL},
    {NULL},
};

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "stepwell_native_call",
    .m_size = sizeof(PyObject *),
    .m_methods = methods,
    .m_slots = slots,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit_stepwell_native_call(void) { return PyModuleDef_Init(&definition); }

// The loader of compiled code looks for this name.
int64_t sw_main(void *const *buffers, const int64_t *parameters, int64_t *error) { return 0; }
