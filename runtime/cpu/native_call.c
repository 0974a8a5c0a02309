// Calls of compiled code from Python, for arguments that are exactly like those of an earlier call.
//
// A `Plan` holds what such a call needs: the code, how the arguments and the result nest, the dtypes and shapes of their arrays,
// the values of the parameters. `call(plans, arguments)` runs the first plan that fits the arguments and returns its result;
// NotImplemented when none fits: the caller then takes the long way, written in Python, so that every check of arguments and
// every message has one home. `keep(bytes)` says how much memory of results that are gone is kept for results to come.
//
// Compiled together with native_memory.c, native_trees.c and native_launch.c, which come before it.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = 8, ERROR_WORDS = 3 };

// Calls with at most this many arrays and parameters need no memory of their own for their addresses and values.
enum { FEW = 64 };

// From this many bytes of arrays on other Python threads may run meanwhile; for less, handing over costs more than the work.
enum { RELEASE_BYTES = 16384 };

typedef int64_t (*Code)(void *const *buffers, const int64_t *parameters, int64_t *error);

typedef struct {
  PyArray_Descr *dtype;
  int rank;
  npy_intp sizes[MAX_RANK];
  npy_intp bytes;
  Py_ssize_t source;  // of a result: the number of the argument that is given away for it; -1 for fresh memory
  int given_away;     // of an argument: whether it is given away for a result
} Layout;

typedef struct {
  PyObject_VAR_HEAD
  Code code;
  const int64_t *threads;  // how many threads the code may use, which can change between calls
  PyObject *constants;     // a tuple of arrays, passed after the arguments; the program's own, so they never change
  PyObject *failure;       // makes an exception of a status and what the code wrote of it
  PyTypeObject *memory;    // of the results
  long long hits;
  int releases, gives_away, places;
  Tree arguments, result;
  Py_ssize_t parameter_count;
  int64_t *parameters;
  Layout layouts[];  // of the arrays in the arguments and in the result
} Plan;

// --- Making plans ---

// Describe the arrays of a tuple, where `layouts` is not NULL: it may hold constants then. Returns their bytes; -1 with an
// exception where one is none that compiled code takes as it is.
static npy_intp describe(Layout *layouts, PyObject *arrays) {
  npy_intp bytes = 0;
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(arrays); k++) {
    PyArrayObject *array = (PyArrayObject *)PyTuple_GET_ITEM(arrays, k);
    if (layouts && is_constant((PyObject *)array)) continue;
    if (!PyArray_CheckExact(array) || !PyArray_ISCARRAY_RO(array) || PyArray_NDIM(array) > MAX_RANK) {
      PyErr_Format(PyExc_ValueError, "expected contiguous, aligned arrays of at most %d axes", MAX_RANK);
      return -1;
    }
    bytes += PyArray_NBYTES(array);
    if (!layouts) continue;
    Layout *layout = layouts++;
    layout->dtype = (PyArray_Descr *)Py_NewRef(PyArray_DESCR(array));
    layout->bytes = PyArray_NBYTES(array);
    layout->rank = PyArray_NDIM(array);
    layout->source = -1;
    // No memcpy, nor memcmp below: an array without axes has no address of its sizes, which these may not be given.
    for (int axis = 0; axis < layout->rank; axis++) layout->sizes[axis] = PyArray_DIM(array, axis);
  }
  return bytes;
}

// Note which arguments are given away: `sources` has the number of one, or None, for each result, or is empty.
static int give_away(Plan *plan, PyObject *sources) {
  Layout *results = plan->layouts + plan->arguments.arrays;
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(sources); k++) {
    if (PyTuple_GET_ITEM(sources, k) == Py_None) continue;
    const Py_ssize_t source = PyLong_AsSsize_t(PyTuple_GET_ITEM(sources, k));
    if (source < 0 || source >= plan->arguments.arrays || k >= plan->result.arrays) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "expected the number of an argument for each result");
      return -1;
    }
    results[k].source = source;
    plan->layouts[source].given_away = plan->gives_away = 1;
  }
  return 0;
}

static int set_parameters(Plan *plan, PyObject *values) {
  plan->parameter_count = PyTuple_GET_SIZE(values);
  plan->parameters = PyMem_Calloc(plan->parameter_count + 1, sizeof(int64_t));
  if (!plan->parameters) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t k = 0; k < plan->parameter_count; k++) {
    plan->parameters[k] = PyLong_AsLongLong(PyTuple_GET_ITEM(values, k));
    if (plan->parameters[k] == -1 && PyErr_Occurred()) return -1;
  }
  return 0;
}

// The tree of a nested value with just these leaves; an empty one with an exception.
static Tree tree_of(PyObject *value, PyObject *leaves) {
  Tree tree = {0};
  int status = tree_add(&tree, value, leaves);
  if (!status && tree.leaves < PyTuple_GET_SIZE(leaves)) {
    PyErr_SetString(PyExc_ValueError, "expected no more leaves than there are in the nested value");
    status = -1;
  }
  if (status) tree_clear(&tree);
  return tree;
}

// A plan with its trees and layouts, for arguments and a result like these; takes over what the trees hold.
static Plan *plan_like(PyTypeObject *type, Tree *arguments, Tree *result, PyObject *taken, PyObject *made, PyObject *constants) {
  Plan *plan = (Plan *)type->tp_alloc(type, arguments->arrays + result->arrays);
  if (!plan) return NULL;
  plan->arguments = *arguments;
  plan->result = *result;
  *arguments = *result = (Tree){0};
  const npy_intp bytes[] = {
      describe(plan->layouts, taken), describe(plan->layouts + plan->arguments.arrays, made), describe(NULL, constants)};
  plan->releases = bytes[0] + bytes[1] + bytes[2] >= RELEASE_BYTES;
  if (bytes[0] < 0 || bytes[1] < 0 || bytes[2] < 0) Py_CLEAR(plan);
  for (Py_ssize_t k = 0; plan && k < plan->result.arrays; k++)
    plan->places |= plan->layouts[plan->arguments.arrays + k].bytes >= ALIGNED_FROM;
  return plan;
}

// Plan(code, threads, arguments, taken, constants, result, made, given_away, parameters, failure). `code` and `threads` are
// addresses; `arguments` (a tuple) and `result` are nested like those of the calls to come, and `taken` and `made` are their
// leaves, None being none, in the order in which the code has its arrays; `given_away` has for each result the number of the
// argument whose memory it goes to, or None; `failure` makes an exception of a status and a tuple of numbers.
static PyObject *plan_new(PyTypeObject *type, PyObject *values, PyObject *keywords) {
  unsigned long long code, threads;
  PyObject *arguments, *taken, *constants, *result, *made, *sources, *parameters, *failure;
  static char *names[] = {"code", "threads", "arguments", "taken", "constants", "result", "made", "given_away", "parameters",
                          "failure", NULL};
  PyTypeObject *tuple = &PyTuple_Type;
  if (!PyArg_ParseTupleAndKeywords(values, keywords, "KKO!O!O!OO!O!O!O", names, &code, &threads, tuple, &arguments, tuple,
                                   &taken, tuple, &constants, &result, tuple, &made, tuple, &sources, tuple, &parameters,
                                   &failure))
    return NULL;
  Tree trees[2] = {tree_of(arguments, taken), {0}};
  if (trees[0].count) trees[1] = tree_of(result, made);
  Plan *plan = trees[1].count ? plan_like(type, &trees[0], &trees[1], taken, made, constants) : NULL;
  tree_clear(&trees[0]);
  tree_clear(&trees[1]);
  if (!plan) return NULL;
  plan->code = (Code)(uintptr_t)code;
  plan->threads = (const int64_t *)(uintptr_t)threads;
  plan->constants = Py_NewRef(constants);
  plan->failure = Py_NewRef(failure);
  plan->memory = (PyTypeObject *)Py_NewRef(*(PyObject **)PyType_GetModuleState(type));
  if (give_away(plan, sources) < 0 || set_parameters(plan, parameters) < 0) Py_CLEAR(plan);
  return (PyObject *)plan;
}

// The class of a named tuple may refer to the function whose plan this is. Like a tuple, a plan does not break such a cycle, as
// it must stay whole: the list that it is in does.
static int plan_traverse(PyObject *object, visitproc visit, void *arg) {
  const Plan *plan = (const Plan *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(plan->constants);
  Py_VISIT(plan->failure);
  Py_VISIT(plan->memory);
  const int status = tree_traverse(&plan->arguments, visit, arg);
  return status ? status : tree_traverse(&plan->result, visit, arg);
}

static void plan_dealloc(PyObject *object) {
  Plan *plan = (Plan *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  for (Py_ssize_t k = 0; k < Py_SIZE(plan); k++) Py_XDECREF(plan->layouts[k].dtype);
  tree_clear(&plan->arguments);
  tree_clear(&plan->result);
  PyMem_Free(plan->parameters);
  Py_XDECREF(plan->constants);
  Py_XDECREF(plan->failure);
  Py_XDECREF(plan->memory);
  type->tp_free(object);
  Py_DECREF(type);
}

// --- Calls ---

// What a call needs: the arrays of its arguments and its results, whose references it holds, and the addresses that the code
// takes. They stand in `few` where that is enough.
typedef struct {
  PyObject **arrays;
  void **buffers;
  void *few[FEW];
} Frame;

static int frame_open(Frame *frame, const Plan *plan) {
  const Py_ssize_t arrays = Py_SIZE(plan), all = 2 * arrays + PyTuple_GET_SIZE(plan->constants);
  void **room = all <= FEW ? frame->few : PyMem_Malloc(all * sizeof(void *));
  frame->arrays = (PyObject **)room;
  frame->buffers = room + arrays;
  return room ? 0 : -1;
}

static void frame_close(Frame *frame) {
  if ((void **)frame->arrays != frame->few) PyMem_Free(frame->arrays);
}

static int is_like(const Layout *layout, PyObject *object) {
  PyArrayObject *array = (PyArrayObject *)object;
  return PyArray_DESCR(array) == layout->dtype && PyArray_NDIM(array) == layout->rank && PyArray_ISCARRAY_RO(array) &&
         PyArray_CompareLists(PyArray_DIMS(array), layout->sizes, layout->rank);
}

typedef struct {
  const char *start, *end;
  int given_away;
} Span;

static int by_start(const void *a, const void *b) {
  const char *x = ((const Span *)a)->start, *y = ((const Span *)b)->start;
  return (x > y) - (x < y);
}

// Whether all arguments that are given away can be written to, and share no memory with others. Not so where memory is short.
static int can_give_away(const Plan *plan, PyObject *const *arrays) {
  const Py_ssize_t count = plan->arguments.arrays;
  Span few[FEW], *spans = count <= FEW ? few : PyMem_Malloc(count * sizeof(Span));
  Py_ssize_t used = 0;
  int can = spans != NULL;
  for (Py_ssize_t k = 0; can && k < count; k++) {
    PyArrayObject *array = (PyArrayObject *)arrays[k];
    const char *start = PyArray_BYTES(array);
    const Layout *layout = &plan->layouts[k];
    if (layout->bytes) spans[used++] = (Span){start, start + layout->bytes, layout->given_away};
    can = !layout->given_away || PyArray_ISWRITEABLE(array);
  }
  if (can) qsort(spans, used, sizeof(Span), by_start);
  Span reached = {NULL, NULL, 0};  // of those before, the one that ends last
  for (Py_ssize_t k = 0; can && k < used; k++) {
    can = spans[k].start >= reached.end || !(spans[k].given_away || reached.given_away);
    if (spans[k].end > reached.end) reached = spans[k];
  }
  if (spans != few) PyMem_Free(spans);
  return can;
}

// Whether a plan is for these arguments, whose arrays go to `arrays`, borrowed.
static int fits(const Plan *plan, PyObject *arguments, PyObject **arrays) {
  PyObject **end = arrays;
  if (!match(plan->arguments.nodes, arguments, &end)) return 0;
  for (Py_ssize_t k = 0; k < plan->arguments.arrays; k++)
    if (!is_like(&plan->layouts[k], arrays[k])) return 0;
  return !plan->gives_away || can_give_away(plan, arrays);
}

// An array in memory at `data`, or in its own where that is NULL.
static PyObject *array_at(const Layout *layout, char *data) {
  Py_INCREF(layout->dtype);  // NumPy takes this reference.
  const int flags = data ? NPY_ARRAY_CARRAY : 0;
  return PyArray_NewFromDescr(&PyArray_Type, layout->dtype, layout->rank, (npy_intp *)layout->sizes, NULL, data, flags, NULL);
}

// `fresh` of result_memory.py, in memory that is kept.
static PyObject *new_array(const Plan *plan, const Layout *layout, npy_intp place) {
  if (layout->bytes < ALIGNED_FROM) return array_at(layout, NULL);
  Memory *memory = new_memory(plan->memory, layout->bytes);
  if (!memory) return NULL;
  PyObject *array = array_at(layout, memory->data + place);
  if (!array) {
    Py_DECREF(memory);
    return NULL;
  }
  if (PyArray_SetBaseObject((PyArrayObject *)array, (PyObject *)memory) < 0) Py_CLEAR(array);  // takes the reference
  return array;
}

// Where in a page large results begin, for arguments that stand in `arrays`.
static npy_intp place_of_results(const Plan *plan, PyObject *const *arrays) {
  PyObject *const *constants = PySequence_Fast_ITEMS(plan->constants);
  return quiet_place(first_lines(arrays, plan->arguments.arrays) |
                     first_lines(constants, PyTuple_GET_SIZE(plan->constants)));
}

// Add an array for each result behind those of the arguments. Returns how many arrays there are then: fewer with an exception.
static Py_ssize_t add_results(const Plan *plan, PyObject **arrays) {
  Py_ssize_t count = plan->arguments.arrays;
  const npy_intp place = plan->places ? place_of_results(plan, arrays) : 0;
  for (; count < Py_SIZE(plan); count++) {
    const Layout *layout = &plan->layouts[count];
    arrays[count] = layout->source < 0 ? new_array(plan, layout, place) : Py_NewRef(arrays[layout->source]);
    if (!arrays[count]) break;
  }
  return count;
}

static void **add_buffers(void **buffers, PyObject *const *arrays, Py_ssize_t count) {
  for (Py_ssize_t k = 0; k < count; k++) *buffers++ = PyArray_DATA((PyArrayObject *)arrays[k]);
  return buffers;
}

// The addresses of the arguments, the constants and the results.
static void set_buffers(const Plan *plan, Frame *frame) {
  const Py_ssize_t arguments = plan->arguments.arrays;
  void **next = add_buffers(frame->buffers, frame->arrays, arguments);
  next = add_buffers(next, PySequence_Fast_ITEMS(plan->constants), PyTuple_GET_SIZE(plan->constants));
  add_buffers(next, frame->arrays + arguments, plan->result.arrays);
}

static int64_t run_code(const Plan *plan, void *const *buffers, const int64_t *parameters, int64_t *error) {
  if (!plan->releases) return plan->code(buffers, parameters, error);
  PyThreadState *state = PyEval_SaveThread();
  const int64_t status = plan->code(buffers, parameters, error);
  PyEval_RestoreThread(state);
  return status;
}

static void raise_failure(const Plan *plan, int64_t status, const int64_t *error) {
  PyObject *exception = PyObject_CallFunction(plan->failure, "L(LLL)", (long long)status, (long long)error[0],
                                              (long long)error[1], (long long)error[2]);
  if (exception) PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_XDECREF(exception);
}

// Run the code on buffers; -1 with an exception.
static int compute(const Plan *plan, void *const *buffers) {
  const size_t size = (plan->parameter_count + 1) * sizeof(int64_t);
  int64_t few[FEW], error[ERROR_WORDS] = {0}, *parameters = plan->parameter_count < FEW ? few : PyMem_Malloc(size);
  if (!parameters) {
    PyErr_NoMemory();
    return -1;
  }
  memcpy(parameters, plan->parameters, size);
  parameters[plan->parameter_count] = *plan->threads;
  const int64_t status = run_code(plan, buffers, parameters, error);
  if (parameters != few) PyMem_Free(parameters);
  if (status) raise_failure(plan, status, error);
  return status ? -1 : 0;
}

// The result for the arguments whose arrays stand in the frame; NULL with an exception.
static PyObject *run(Plan *plan, Frame *frame) {
  // Another thread may change the lists that hold them while the code runs.
  for (Py_ssize_t k = 0; k < plan->arguments.arrays; k++) Py_INCREF(frame->arrays[k]);
  const Py_ssize_t count = add_results(plan, frame->arrays);
  PyObject *result = NULL;
  if (count == Py_SIZE(plan)) {
    set_buffers(plan, frame);
    if (!compute(plan, frame->buffers)) {
      const Node *node = plan->result.nodes;
      PyObject *const *results = frame->arrays + plan->arguments.arrays;
      result = build(&node, &results);
      plan->hits++;
    }
  }
  for (Py_ssize_t k = 0; k < count; k++) Py_DECREF(frame->arrays[k]);
  return result;
}

// The result of a plan for arguments; NotImplemented where it does not fit, NULL with an exception.
static PyObject *try_plan(Plan *plan, PyObject *arguments) {
  Frame frame;
  if (frame_open(&frame, plan) < 0) return PyErr_NoMemory();
  PyObject *result;
  if (fits(plan, arguments, frame.arrays)) {
    Py_INCREF(plan);  // Another thread may take it from the list while the code runs.
    result = run(plan, &frame);
    Py_DECREF(plan);
  } else {
    result = Py_NewRef(Py_NotImplemented);
  }
  frame_close(&frame);
  return result;
}

static PyObject *call(PyObject *module, PyObject *const *values, Py_ssize_t count) {
  if (count != 2 || !PyList_CheckExact(values[0]) || !PyTuple_CheckExact(values[1])) {
    PyErr_SetString(PyExc_TypeError, "expected a list of plans and a tuple of arguments");
    return NULL;
  }
  for (Py_ssize_t k = 0; k < PyList_GET_SIZE(values[0]); k++) {
    PyObject *plan = PyList_GET_ITEM(values[0], k);
    if (Py_TYPE(plan)->tp_dealloc != plan_dealloc) continue;
    PyObject *result = try_plan((Plan *)plan, values[1]);
    if (result != Py_NotImplemented) return result;
    Py_DECREF(result);
  }
  Py_RETURN_NOTIMPLEMENTED;
}

// --- The module ---

static PyMemberDef plan_members[] = {
    {"hits", T_LONGLONG, offsetof(Plan, hits), READONLY, "how many calls it served"},
    {NULL},
};

static PyType_Slot plan_slots[] = {
    {Py_tp_new, plan_new},
    {Py_tp_dealloc, plan_dealloc},
    {Py_tp_traverse, plan_traverse},
    {Py_tp_members, plan_members},
    {0, NULL},
};

static PyType_Spec plan_spec = {
    .name = "stepwell_native_call.Plan",
    .basicsize = sizeof(Plan),
    .itemsize = sizeof(Layout),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = plan_slots,
};

// The digest of these sources, which whoever compiles them defines.
#define TEXT(name) #name
#define TEXT_OF(macro) TEXT(macro)

static int add_type(PyObject *module, PyType_Spec *spec) {
  PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
  if (!type) return -1;
  const int status = PyModule_AddType(module, (PyTypeObject *)type);
  Py_DECREF(type);
  return status;
}

static int module_exec(PyObject *module) {
  import_array1(-1);
  PyObject **memory = PyModule_GetState(module);
  *memory = PyType_FromModuleAndSpec(module, &memory_spec, NULL);
  if (!*memory) return -1;
  if (add_type(module, &plan_spec) < 0 || add_type(module, &launches_spec) < 0) return -1;
  return PyModule_AddStringConstant(module, "sources", TEXT_OF(SW_SOURCES));
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
