// How the arrays of a call nest in tuples, lists and dicts: taken from an example, matched with other calls, and built again.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

#include <string.h>

typedef enum { ARRAY, CONSTANT, TUPLE, LIST, DICT } Kind;

typedef struct {
  Kind kind;
  Py_ssize_t count;  // of the nodes right below
  PyObject *value;   // the constant, the class of a tuple, or the keys of a dict in a tuple; NULL for others
} Node;

// Nodes in the order in which they are met: each is followed by those below it.
typedef struct {
  Node *nodes;
  Py_ssize_t count, room, arrays;
  Py_ssize_t leaves;  // arrays, and constants other than None
} Tree;

static int tree_traverse(const Tree *tree, visitproc visit, void *arg) {
  for (Py_ssize_t k = 0; k < tree->count; k++) Py_VISIT(tree->nodes[k].value);
  return 0;
}

static void tree_clear(Tree *tree) {
  for (Py_ssize_t k = 0; k < tree->count; k++) Py_XDECREF(tree->nodes[k].value);
  PyMem_Free(tree->nodes);
  *tree = (Tree){0};
}

// --- Taking apart an example ---

// Add a node; takes the reference to `value`. Returns -1 with an exception.
static int add_node(Tree *tree, Kind kind, Py_ssize_t count, PyObject *value) {
  if (tree->count == tree->room) {
    const Py_ssize_t room = tree->room ? 2 * tree->room : 8;
    Node *nodes = PyMem_Realloc(tree->nodes, room * sizeof(Node));
    if (!nodes) {
      Py_XDECREF(value);
      PyErr_NoMemory();
      return -1;
    }
    tree->nodes = nodes;
    tree->room = room;
  }
  tree->nodes[tree->count++] = (Node){kind, count, value};
  return 0;
}

// What `same` can compare, apart from None. Other constants may have an equality of their own.
static int is_constant(PyObject *value) {
  return PyBool_Check(value) || PyLong_CheckExact(value) || PyFloat_CheckExact(value) || PyUnicode_CheckExact(value);
}

// Whether a tuple is named: made from its items one by one, and they are what iterating over it gives.
static int is_named(PyTypeObject *type) {
  return type->tp_iter == PyTuple_Type.tp_iter && PyObject_HasAttrString((PyObject *)type, "_fields");
}

// A tuple of the items of a list, which is given away.
static PyObject *as_tuple(PyObject *list) {
  PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
  Py_XDECREF(list);
  return tuple;
}

// Add an array, or a constant other than None. Returns -1 with a ValueError where it is not the next of the tuple `leaves`: the
// class of a named tuple may order its items as it likes, or make others of them.
static int add_leaf(Tree *tree, Kind kind, PyObject *leaf, PyObject *leaves) {
  if (tree->leaves >= PyTuple_GET_SIZE(leaves) || PyTuple_GET_ITEM(leaves, tree->leaves) != leaf) {
    PyErr_SetString(PyExc_ValueError, "expected the leaves in the order in which they nest");
    return -1;
  }
  tree->leaves++;
  tree->arrays += kind == ARRAY;
  return add_node(tree, kind, 0, kind == ARRAY ? NULL : Py_NewRef(leaf));
}

static int tree_add(Tree *tree, PyObject *value, PyObject *leaves);

// Add a node with the values right below it, and what is below them; takes the references to `children` and `own`.
static int add_parent(Tree *tree, Kind kind, PyObject *children, PyObject *own, PyObject *leaves) {
  if (!children) {
    Py_XDECREF(own);
    return -1;
  }
  int status = add_node(tree, kind, PyTuple_GET_SIZE(children), own);
  for (Py_ssize_t k = 0; !status && k < PyTuple_GET_SIZE(children); k++)
    status = tree_add(tree, PyTuple_GET_ITEM(children, k), leaves);
  Py_DECREF(children);
  return status;
}

// Add a nested value, whose leaves are the next of the tuple `leaves`. Returns -1 with an exception, which is a ValueError for
// what is neither an array nor a constant. The value was put together in Python, so that it is not nested too deeply.
static int tree_add(Tree *tree, PyObject *value, PyObject *leaves) {
  if (PyArray_CheckExact(value)) return add_leaf(tree, ARRAY, value, leaves);
  if (value == Py_None) return add_node(tree, CONSTANT, 0, Py_NewRef(value));
  if (is_constant(value)) return add_leaf(tree, CONSTANT, value, leaves);
  if (PyTuple_CheckExact(value) || (PyTuple_Check(value) && is_named(Py_TYPE(value))))
    return add_parent(tree, TUPLE, Py_NewRef(value), Py_NewRef((PyObject *)Py_TYPE(value)), leaves);
  if (PyList_CheckExact(value)) return add_parent(tree, LIST, PyList_AsTuple(value), NULL, leaves);
  if (PyDict_CheckExact(value)) {
    PyObject *keys = as_tuple(PyDict_Keys(value));
    if (!keys) return -1;
    return add_parent(tree, DICT, as_tuple(PyDict_Values(value)), keys, leaves);
  }
  PyErr_Format(PyExc_ValueError, "expected arrays and constants in tuples, lists and dicts, got %s", Py_TYPE(value)->tp_name);
  return -1;
}

// --- Matching ---

// Whether two constants are the same, as -0.0 and 0.0 are not. No code in Python runs.
static int same(PyObject *a, PyObject *b) {
  if (a == b) return 1;
  if (Py_TYPE(a) != Py_TYPE(b)) return 0;
  if (PyFloat_CheckExact(a)) {
    const double x = PyFloat_AS_DOUBLE(a), y = PyFloat_AS_DOUBLE(b);
    return !memcmp(&x, &y, sizeof(x));
  }
  return (PyLong_CheckExact(a) || PyUnicode_CheckExact(a)) && PyObject_RichCompareBool(a, b, Py_EQ) == 1;
}

static const Node *match(const Node *node, PyObject *value, PyObject ***arrays);

// The node behind those below `node`, if a dict has its keys in its order and its values nest like them; else NULL.
static const Node *match_dict(const Node *node, PyObject *dict, PyObject ***arrays) {
  const Node *next = node + 1;
  Py_ssize_t place = 0;
  PyObject *key, *value;
  for (Py_ssize_t k = 0; next && PyDict_Next(dict, &place, &key, &value); k++)
    next = same(PyTuple_GET_ITEM(node->value, k), key) ? match(next, value, arrays) : NULL;
  return next;
}

// The node behind `node` and those below it, if a value nests like them; else NULL. Its arrays go to `*arrays`, borrowed.
static const Node *match(const Node *node, PyObject *value, PyObject ***arrays) {
  const Node *next = node + 1;
  switch (node->kind) {
    case ARRAY:
      if (!PyArray_CheckExact(value)) return NULL;
      *(*arrays)++ = value;
      return next;
    case CONSTANT:
      return same(node->value, value) ? next : NULL;
    case TUPLE:
      if ((PyObject *)Py_TYPE(value) != node->value || PyTuple_GET_SIZE(value) != node->count) return NULL;
      for (Py_ssize_t k = 0; next && k < node->count; k++) next = match(next, PyTuple_GET_ITEM(value, k), arrays);
      return next;
    case LIST:
      if (!PyList_CheckExact(value) || PyList_GET_SIZE(value) != node->count) return NULL;
      for (Py_ssize_t k = 0; next && k < node->count; k++) next = match(next, PyList_GET_ITEM(value, k), arrays);
      return next;
    default:
      if (!PyDict_CheckExact(value) || PyDict_GET_SIZE(value) != node->count) return NULL;
      return match_dict(node, value, arrays);
  }
}

// --- Building ---

static PyObject *build(const Node **node, PyObject *const **arrays);

// The values below a node, in a tuple or a list; NULL with an exception.
static PyObject *build_below(const Node *parent, const Node **node, PyObject *const **arrays) {
  const int in_tuple = parent->kind == TUPLE;
  PyObject *made = in_tuple ? PyTuple_New(parent->count) : PyList_New(parent->count);
  for (Py_ssize_t k = 0; made && k < parent->count; k++) {
    PyObject *value = build(node, arrays);
    if (!value) {
      Py_CLEAR(made);
    } else if (in_tuple) {
      PyTuple_SET_ITEM(made, k, value);
    } else {
      PyList_SET_ITEM(made, k, value);
    }
  }
  return made;
}

static PyObject *build_dict(const Node *parent, const Node **node, PyObject *const **arrays) {
  PyObject *made = PyDict_New();
  for (Py_ssize_t k = 0; made && k < parent->count; k++) {
    PyObject *value = build(node, arrays);
    if (!value || PyDict_SetItem(made, PyTuple_GET_ITEM(parent->value, k), value) < 0) Py_CLEAR(made);
    Py_XDECREF(value);
  }
  return made;
}

// The value of `*node` and those below it, which `*node` then is behind, from the next of `*arrays`; NULL with an exception.
static PyObject *build(const Node **node, PyObject *const **arrays) {
  const Node *parent = (*node)++;
  if (parent->kind == ARRAY) return Py_NewRef(*(*arrays)++);
  if (parent->kind == CONSTANT) return Py_NewRef(parent->value);
  if (parent->kind == DICT) return build_dict(parent, node, arrays);
  PyObject *below = build_below(parent, node, arrays);
  if (!below || parent->kind == LIST || parent->value == (PyObject *)&PyTuple_Type) return below;
  PyObject *named = PyObject_Call(parent->value, below, NULL);
  Py_DECREF(below);
  return named;
}
