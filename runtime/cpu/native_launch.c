// Repeated calls of programs on a GPU: arguments are checked, memory is taken from torch's allocator, and all kernels are launched
// through the driver.
//
// A `Launches` holds what such a call needs: what the arguments are like, where the buffers of the program come from, and the
// kernels with their parameters. `run(arguments)` gives the result of a call, NotImplemented where the arguments are not like
// those: the caller then takes the long way. The code knows torch by the attributes of tensors alone, and the driver by the
// address of its function.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// `cuLaunchKernel` of the driver: function, grid, block, bytes of shared memory, stream, addresses of parameters.
typedef int (*LaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

// What the driver says where a thread has no context yet: torch and Triton make one current.
enum { NO_CONTEXT = 201 };

// The boundary that pointers of kernels that were compiled for aligned ones lie at.
enum { BOUNDARY = 16 };

// A parameter: the address of a buffer with an offset in bytes, or a number where `buffer` is negative. A number of 32 bits is the
// lower half of one of 64.
typedef struct {
  Py_ssize_t buffer;
  int64_t value;
  int aligned;
} Slot;

typedef struct {
  void *function;
  unsigned programs, threads, shared;
  Py_ssize_t first, count;  // of its parameters
} Launch;

// An argument: its bytes, and whether a result takes its memory.
typedef struct {
  int64_t bytes;
  int donated;
} Given;

// The attributes of tensors that are asked for, and their names as strings of Python.
enum { DTYPE, SHAPE, DEVICE, REQUIRES_GRAD, IS_CONTIGUOUS, DATA_PTR, ATTRIBUTES };
static PyObject *names[ATTRIBUTES];

typedef struct {
  PyObject_HEAD
  LaunchKernel launch;
  PyObject *tensor;     // the class of the arguments
  PyObject *device;     // the one that they are on
  PyObject *arguments;  // of each its shape, its dtype, its bytes, and whether a result takes its memory
  PyObject *buffers;    // where each comes from: the number of an argument, a function that makes one, a tensor, or None
  PyObject *checks;     // functions without arguments, each with the value that it has to give: the current device
  PyObject *stream;     // a function without arguments, which gives the handle of the current stream of the device
  PyObject *outputs;    // the numbers of the buffers that are results
  PyObject *give;       // makes the result of the list of them
  Given *given;
  Slot *slots;
  Launch *launches;
  Py_ssize_t slot_count, launch_count;
  long long hits;
} Launches;

// --- Making them ---

static int launches_traverse(PyObject *object, visitproc visit, void *arg) {
  const Launches *self = (const Launches *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->tensor);
  Py_VISIT(self->device);
  Py_VISIT(self->arguments);
  Py_VISIT(self->buffers);
  Py_VISIT(self->checks);
  Py_VISIT(self->stream);
  Py_VISIT(self->outputs);
  Py_VISIT(self->give);
  return 0;
}

static void launches_dealloc(PyObject *object) {
  Launches *self = (Launches *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  Py_XDECREF(self->tensor);
  Py_XDECREF(self->device);
  Py_XDECREF(self->arguments);
  Py_XDECREF(self->buffers);
  Py_XDECREF(self->checks);
  Py_XDECREF(self->stream);
  Py_XDECREF(self->outputs);
  Py_XDECREF(self->give);
  PyMem_Free(self->given);
  PyMem_Free(self->slots);
  PyMem_Free(self->launches);
  type->tp_free(object);
  Py_DECREF(type);
}

static int set_names(void) {
  static const char *const texts[] = {"dtype", "shape", "device", "requires_grad", "is_contiguous", "data_ptr"};
  for (int k = 0; k < ATTRIBUTES; k++)
    if (!names[k] && !(names[k] = PyUnicode_InternFromString(texts[k]))) return -1;
  return 0;
}

// Whether numbers of buffers are in range; -1 with an exception where one is not.
static int expect_buffer(const Launches *self, Py_ssize_t number) {
  if (number >= 0 && number < PyTuple_GET_SIZE(self->buffers)) return 0;
  PyErr_Format(PyExc_ValueError, "expected the number of one of %zd buffers, got %zd", PyTuple_GET_SIZE(self->buffers), number);
  return -1;
}

// Read the arguments: (shape, dtype, bytes, whether it is donated).
static int set_given(Launches *self) {
  const Py_ssize_t count = PyTuple_GET_SIZE(self->arguments);
  self->given = PyMem_Calloc(count + 1, sizeof(Given));
  if (!self->given) return PyErr_NoMemory(), -1;
  for (Py_ssize_t k = 0; k < count; k++) {
    PyObject *argument = PyTuple_GET_ITEM(self->arguments, k), *shape, *dtype;
    if (!PyTuple_Check(argument)) {
      PyErr_SetString(PyExc_TypeError, "expected a shape, a dtype, bytes and a flag for each argument");
      return -1;
    }
    long long bytes;
    if (!PyArg_ParseTuple(argument, "OOLp", &shape, &dtype, &bytes, &self->given[k].donated)) return -1;
    self->given[k].bytes = bytes;
  }
  return 0;
}

// Whether each check is a function and a value; -1 with an exception where one is not.
static int expect_checks(const Launches *self) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(self->checks); k++) {
    PyObject *check = PyTuple_GET_ITEM(self->checks, k);
    if (!PyTuple_Check(check) || PyTuple_GET_SIZE(check) != 2) {
      PyErr_SetString(PyExc_TypeError, "expected a function and a value for each check");
      return -1;
    }
  }
  return 0;
}

// Read the parameters of a kernel: (buffer, offset, whether it is aligned) or a number.
static int add_slot(Launches *self, PyObject *given) {
  Slot *slot = &self->slots[self->slot_count++];
  if (PyLong_Check(given)) {
    *slot = (Slot){-1, PyLong_AsLongLong(given), 0};
    return PyErr_Occurred() ? -1 : 0;
  }
  long long offset;
  if (!PyArg_ParseTuple(given, "nLp", &slot->buffer, &offset, &slot->aligned)) return -1;
  slot->value = offset;
  return expect_buffer(self, slot->buffer);
}

// Read the kernels: (function, programs, threads of one, bytes of shared memory, parameters).
static int set_launches(Launches *self, PyObject *kernels) {
  const Py_ssize_t count = PyTuple_GET_SIZE(kernels);
  Py_ssize_t slots = 0;
  for (Py_ssize_t k = 0; k < count; k++) {
    PyObject *kernel = PyTuple_GET_ITEM(kernels, k);
    if (!PyTuple_Check(kernel) || PyTuple_GET_SIZE(kernel) != 5 || !PyTuple_Check(PyTuple_GET_ITEM(kernel, 4))) {
      PyErr_SetString(PyExc_TypeError, "expected a function, three numbers and a tuple of parameters for each kernel");
      return -1;
    }
    slots += PyTuple_GET_SIZE(PyTuple_GET_ITEM(kernel, 4));
  }
  self->slots = PyMem_Calloc(slots + 1, sizeof(Slot));
  self->launches = PyMem_Calloc(count + 1, sizeof(Launch));
  if (!self->slots || !self->launches) return PyErr_NoMemory(), -1;
  for (Py_ssize_t k = 0; k < count; k++) {
    Launch *launch = &self->launches[self->launch_count++];
    unsigned long long function;
    PyObject *parameters;
    if (!PyArg_ParseTuple(PyTuple_GET_ITEM(kernels, k), "KIIIO", &function, &launch->programs, &launch->threads,
                          &launch->shared, &parameters))
      return -1;
    launch->function = (void *)(uintptr_t)function;
    launch->first = self->slot_count;
    launch->count = PyTuple_GET_SIZE(parameters);
    for (Py_ssize_t j = 0; j < launch->count; j++)
      if (add_slot(self, PyTuple_GET_ITEM(parameters, j)) < 0) return -1;
  }
  return 0;
}

// Whether the sources of buffers and results are in range; -1 with an exception where one is not.
static int expect_sources(const Launches *self) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(self->buffers); k++) {
    PyObject *source = PyTuple_GET_ITEM(self->buffers, k);
    const Py_ssize_t number = PyLong_Check(source) ? PyLong_AsSsize_t(source) : 0;
    if (PyLong_Check(source) && (number < 0 || number >= PyTuple_GET_SIZE(self->arguments))) {
      PyErr_SetString(PyExc_ValueError, "expected the number of an argument");
      return -1;
    }
  }
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(self->outputs); k++) {
    const Py_ssize_t number = PyLong_AsSsize_t(PyTuple_GET_ITEM(self->outputs, k));
    if ((number == -1 && PyErr_Occurred()) || expect_buffer(self, number) < 0) return -1;
  }
  return 0;
}

// Launches(launch, tensor, device, arguments, buffers, checks, stream, kernels, outputs, give)
static PyObject *launches_new(PyTypeObject *type, PyObject *values, PyObject *keywords) {
  unsigned long long launch;
  PyObject *tensor, *device, *arguments, *buffers, *checks, *stream, *kernels, *outputs, *give;
  static char *keys[] = {"launch", "tensor",  "device",  "arguments", "buffers", "checks",
                         "stream", "kernels", "outputs", "give",      NULL};
  PyTypeObject *tuple = &PyTuple_Type;
  if (!PyArg_ParseTupleAndKeywords(values, keywords, "KOOO!O!O!OO!O!O", keys, &launch, &tensor, &device, tuple, &arguments,
                                   tuple, &buffers, tuple, &checks, &stream, tuple, &kernels, tuple, &outputs, &give))
    return NULL;
  Launches *self = set_names() < 0 ? NULL : (Launches *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->launch = (LaunchKernel)(uintptr_t)launch;
  self->tensor = Py_NewRef(tensor);
  self->device = Py_NewRef(device);
  self->arguments = Py_NewRef(arguments);
  self->buffers = Py_NewRef(buffers);
  self->checks = Py_NewRef(checks);
  self->stream = Py_NewRef(stream);
  self->outputs = Py_NewRef(outputs);
  self->give = Py_NewRef(give);
  if (set_given(self) < 0 || expect_checks(self) < 0 || set_launches(self, kernels) < 0 || expect_sources(self) < 0)
    Py_CLEAR(self);
  return (PyObject *)self;
}

// --- Calls ---

// Whether an attribute of a tensor equals what is expected, or is the same object; -1 with an exception.
static int has(PyObject *tensor, int attribute, PyObject *expected, int by_identity) {
  PyObject *found = PyObject_GetAttr(tensor, names[attribute]);
  if (!found) return -1;
  const int fits = found == expected ? 1 : by_identity ? 0 : PyObject_RichCompareBool(found, expected, Py_EQ);
  Py_DECREF(found);
  return fits;
}

static int is_contiguous(PyObject *tensor) {
  PyObject *found = PyObject_CallMethodNoArgs(tensor, names[IS_CONTIGUOUS]);
  if (!found) return -1;
  const int fits = found == Py_True;
  Py_DECREF(found);
  return fits;
}

// Whether an argument is a tensor like the one that the kernels were compiled for; -1 with an exception.
static int is_like_given(const Launches *self, PyObject *tensor, PyObject *kind) {
  if ((PyObject *)Py_TYPE(tensor) != self->tensor) return 0;
  int fits = has(tensor, DTYPE, PyTuple_GET_ITEM(kind, 1), 1);
  if (fits == 1) fits = has(tensor, SHAPE, PyTuple_GET_ITEM(kind, 0), 0);
  if (fits == 1) fits = has(tensor, DEVICE, self->device, 0);
  if (fits == 1) fits = has(tensor, REQUIRES_GRAD, Py_False, 1);
  return fits == 1 ? is_contiguous(tensor) : fits;
}

// Whether all functions give what they have to; -1 with an exception.
static int holds(const Launches *self) {
  int fits = 1;
  for (Py_ssize_t k = 0; fits == 1 && k < PyTuple_GET_SIZE(self->checks); k++) {
    PyObject *check = PyTuple_GET_ITEM(self->checks, k), *found = PyObject_CallNoArgs(PyTuple_GET_ITEM(check, 0));
    if (!found) return -1;
    fits = PyObject_RichCompareBool(found, PyTuple_GET_ITEM(check, 1), Py_EQ);
    Py_DECREF(found);
  }
  return fits;
}

// The tensor of a buffer: a new reference, NULL where there is none or with an exception.
static PyObject *tensor_of_buffer(PyObject *source, PyObject *arguments) {
  if (source == Py_None) return NULL;
  if (PyLong_Check(source)) return Py_NewRef(PyTuple_GET_ITEM(arguments, PyLong_AsSsize_t(source)));
  return PyCallable_Check(source) ? PyObject_CallNoArgs(source) : Py_NewRef(source);
}

static int address_of(PyObject *tensor, uint64_t *address) {
  PyObject *found = PyObject_CallMethodNoArgs(tensor, names[DATA_PTR]);
  if (!found) return -1;
  *address = PyLong_AsUnsignedLongLong(found);
  Py_DECREF(found);
  return PyErr_Occurred() ? -1 : 0;
}

// Whether donated arguments share no memory with others; -1 with an exception.
static int are_apart(const Launches *self, PyObject *arguments) {
  const Py_ssize_t count = PyTuple_GET_SIZE(arguments);
  for (Py_ssize_t k = 0; k < count; k++) {
    if (!self->given[k].donated) continue;
    uint64_t mine, other;
    if (address_of(PyTuple_GET_ITEM(arguments, k), &mine) < 0) return -1;
    for (Py_ssize_t j = 0; j < count; j++) {
      if (j == k) continue;
      if (address_of(PyTuple_GET_ITEM(arguments, j), &other) < 0) return -1;
      if (mine < other + self->given[j].bytes && other < mine + self->given[k].bytes) return 0;
    }
  }
  return 1;
}

// Set the parameters of all kernels; 0 where a pointer is not as aligned as one of them needs it.
static int set_parameters_of(const Launches *self, const uint64_t *addresses, uint64_t *values) {
  for (Py_ssize_t k = 0; k < self->slot_count; k++) {
    const Slot *slot = &self->slots[k];
    values[k] = slot->value + (slot->buffer < 0 ? 0 : addresses[slot->buffer]);
    if (slot->aligned && values[k] % BOUNDARY) return 0;
  }
  return 1;
}

// Launch all kernels on a stream. Returns what the driver says of the first one that it refuses, `started` whether any ran.
static int launch_all(const Launches *self, uint64_t *values, void **parameters, void *stream, int *started) {
  int status = 0;
  for (Py_ssize_t k = 0; k < self->slot_count; k++) parameters[k] = &values[k];
  PyThreadState *state = PyEval_SaveThread();
  for (Py_ssize_t k = 0; k < self->launch_count && !status; k++) {
    const Launch *each = &self->launches[k];
    status = self->launch(each->function, each->programs, 1, 1, each->threads, 1, 1, each->shared, stream,
                          parameters + each->first, NULL);
    if (!status) *started = 1;
  }
  PyEval_RestoreThread(state);
  return status;
}

// The result of tensors that the kernels have been launched for.
static PyObject *give_results(const Launches *self, PyObject *const *tensors) {
  const Py_ssize_t count = PyTuple_GET_SIZE(self->outputs);
  PyObject *results = PyList_New(count);
  if (!results) return NULL;
  for (Py_ssize_t k = 0; k < count; k++)
    PyList_SET_ITEM(results, k, Py_NewRef(tensors[PyLong_AsSsize_t(PyTuple_GET_ITEM(self->outputs, k))]));
  PyObject *result = PyObject_CallOneArg(self->give, results);
  Py_DECREF(results);
  return result;
}

// Launch on tensors, whose addresses and parameters have room: the result, NotImplemented, or NULL with an exception.
static PyObject *run_on(Launches *self, PyObject *const *tensors, uint64_t *addresses, uint64_t *values, void **parameters) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(self->buffers); k++)
    if (tensors[k] && address_of(tensors[k], &addresses[k]) < 0) return NULL;
  if (!set_parameters_of(self, addresses, values)) Py_RETURN_NOTIMPLEMENTED;
  PyObject *stream = PyObject_CallNoArgs(self->stream);
  if (!stream) return NULL;
  const uintptr_t handle = (uintptr_t)PyLong_AsUnsignedLongLong(stream);
  Py_DECREF(stream);
  if (PyErr_Occurred()) return NULL;
  int started = 0;
  const int status = launch_all(self, values, parameters, (void *)handle, &started);
  if (status == NO_CONTEXT && !started) Py_RETURN_NOTIMPLEMENTED;
  if (status) return PyErr_Format(PyExc_RuntimeError, "cuLaunchKernel: error %d of the CUDA driver", status);
  self->hits++;
  return give_results(self, tensors);
}

// Make the buffers of a call, and launch on them.
static PyObject *run_launches(Launches *self, PyObject *arguments) {
  const Py_ssize_t count = PyTuple_GET_SIZE(self->buffers), slots = self->slot_count;
  PyObject **tensors = PyMem_Calloc(2 * count + 2 * slots + 1, sizeof(uint64_t));
  if (!tensors) return PyErr_NoMemory();
  uint64_t *addresses = (uint64_t *)(tensors + count), *values = addresses + count;
  PyObject *result = NULL;
  Py_ssize_t made = 0;
  for (; made < count; made++) {
    tensors[made] = tensor_of_buffer(PyTuple_GET_ITEM(self->buffers, made), arguments);
    if (!tensors[made] && PyErr_Occurred()) break;
  }
  if (made == count) result = run_on(self, tensors, addresses, values, (void **)(values + slots));
  for (Py_ssize_t k = 0; k < count; k++) Py_XDECREF(tensors[k]);
  PyMem_Free(tensors);
  return result;
}

// run(arguments): the result of a call, NotImplemented where it has to go another way.
static PyObject *launches_run(PyObject *object, PyObject *arguments) {
  Launches *self = (Launches *)object;
  if (!PyTuple_CheckExact(arguments) || PyTuple_GET_SIZE(arguments) != PyTuple_GET_SIZE(self->arguments))
    Py_RETURN_NOTIMPLEMENTED;
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(arguments); k++) {
    const int is_like = is_like_given(self, PyTuple_GET_ITEM(arguments, k), PyTuple_GET_ITEM(self->arguments, k));
    if (is_like < 0) return NULL;
    if (!is_like) Py_RETURN_NOTIMPLEMENTED;
  }
  int fits = are_apart(self, arguments);
  if (fits == 1) fits = holds(self);
  if (fits < 0) return NULL;
  if (!fits) Py_RETURN_NOTIMPLEMENTED;
  Py_INCREF(self);  // Another thread may drop it meanwhile.
  PyObject *result = run_launches(self, arguments);
  Py_DECREF(self);
  return result;
}

static PyMethodDef launches_methods[] = {
    {"run", launches_run, METH_O, NULL},
    {NULL},
};

static PyMemberDef launches_members[] = {
    {"hits", T_LONGLONG, offsetof(Launches, hits), READONLY, "how many calls it served"},
    {NULL},
};

static PyType_Slot launches_slots[] = {
    {Py_tp_new, launches_new},
    {Py_tp_dealloc, launches_dealloc},
    {Py_tp_traverse, launches_traverse},
    {Py_tp_methods, launches_methods},
    {Py_tp_members, launches_members},
    {0, NULL},
};

static PyType_Spec launches_spec = {
    .name = "stepwell_native_call.Launches",
    .basicsize = sizeof(Launches),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = launches_slots,
};
