// What running calls may write to: see call/writes.hpp.
#include "call/writes.hpp"

#include "call/plan.hpp"

namespace samebytes {

bool Running::writes(PyObject* object) const {
  for (Py_ssize_t i = 0; candidate_ && i < count_; ++i)
    if (args_[i] == object && candidate_->inputs[i].writes) return true;
  return false;
}

bool Running::note_address(PyObject* object) const {
  if (!is_record_class(Py_TYPE(object)) || writes(object)) return true;
  return resources_->write(as_instance(object)->data, Py_SIZE(object));
}

void note_running_call(const Running& call) {
  for (Py_ssize_t i = 0; call.candidate_ && i < call.count_; ++i)
    if (call.candidate_->inputs[i].writes) note_written(call.args_[i]);
  if (call.resources_) call.resources_->each_written(note_written_bytes);
}

void note_running_calls() {
  for (const Running* call = innermost_call; call; call = call->outer_) note_running_call(*call);
  note_pinned();
}

bool note_address(PyObject* object, CallResources& resources) {
  const Running* const call = innermost_call;
  if (call && call->resources_ == &resources) return call->note_address(object);
  note_written(object);
  return true;
}

namespace {

PyObject* note(PyObject*, PyObject* object) {
  const Running* const call = innermost_call;
  const bool converts = call && call->converting >= 0;
  if (converts && !call->note_address(object)) return nullptr;
  if (!converts && !(call && call->converting == Running::kTrying)) note_written(object);
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"note_written", note, METH_O,
                            "note_written(object, /)\n--\n\nThe call whose argument is converted may write "
                            "to the object, if it is made."},
                           {}};

}  // namespace

int add_writes(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace samebytes
