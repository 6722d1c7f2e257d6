# The house's commands. Each makes .venv and installs what it needs: `make` alone lists them.

PYTHON ?= python3
# The wheel for CPUs only; PyPI's own brings gigabytes of CUDA. Say TORCH= to leave it out.
TORCH ?= torch==2.13.0+cpu
# Compilers, headers and libraries that the full tests ask; installed where that is allowed.
DEBIAN ?= clang-19 libclang1-19 lld-19 libc++-19-dev libamdhip64-dev libopenblas-dev liblapacke-dev libgsl-dev libfftw3-dev zlib1g-dev \
  libeigen3-dev libsqlite3-dev opencl-headers ocl-icd-libopencl1 pocl-opencl-icd libgmp-dev libmpfr-dev \
  liblua5.4-dev libcurl4-openssl-dev libcairo2-dev libfreetype-dev fonts-dejavu-core libgit2-dev libuv1-dev \
  libpugixml-dev libtinyxml2-dev libbox2d-dev libgeos++-dev libre2-dev libhnswlib-dev libnanoflann-dev libs2-dev \
  libprotobuf-dev protobuf-compiler libtag1-dev libbullet-dev libleveldb-dev librocksdb-dev libboost-dev libspdlog-dev \
  libopencv-core-dev libtbb-dev libxtensor-dev libquantlib0-dev libassimp-dev libarmadillo-dev liblemon-dev \
  libsimdjson-dev libnlopt-dev manpages-dev chromium

# Tests side by side; builds share one cache, so that none is made twice. Who has none left takes some of another's.
# One that ends is replaced by none: xdist loses its tests, and waits for
# them. Say PARALLEL= for one process.
PARALLEL ?= -n auto --maxprocesses=4 --max-worker-restart=0 --dist worksteal
# A file of the long tests stays with one process: some have a state of the whole process, as the stand-ins for drivers
# have, and begin but once in it.
BY_FILE := $(subst worksteal,loadfile --no-loadscope-reorder,$(PARALLEL))

# Tests start Python some hundred times: what it compiled is kept, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install -q
NATIVE := $(wildcard native/*.cpp native/*/*.cpp native/*.hpp native/*/*.hpp)

# $(call need,command that succeeds,what it means,Debian package)
need = @$(1) >/dev/null 2>&1 || { echo "make needs $(2): apt install $(3)" >&2; exit 1; }
# $(call extra,name): the requirements of one of pyproject.toml's extras, without samebytes itself
extra = $$($(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$(1)'])")

.PHONY: help demo test test-pythons test-full test-costs gpu bench lint docs clean

help:
	@echo "make demo         shade real mountains in C++ from NumPy, PyTorch and JAX; writes hillshade.png"
	@echo "make test         the quick tests (three minutes on two cores)"
	@echo "make test-pythons the tests with every other Python from 3.11 on that the machine has"
	@echo "make test-full    the others: the long ones, and those that need optional libraries (half an hour)"
	@echo "make test-costs   what each of the quick tests costs, in CPU seconds"
	@echo "make gpu          kernels on this machine's NVIDIA GPU, and a table (TABLE=docs/gpu.md writes it there)"
	@echo "make bench        the price of a call, beside other binding tools"
	@echo "make lint         ruff, mypy, clang-format"
	@echo "make docs         the documentation, in build/docs"
	@echo "make clean        remove .venv and everything built"

demo: .venv/installed
	$(BIN)/samebytes demo

test: .venv/installed
	$(BIN)/python -m pytest $(PARALLEL) -m "not full"

test-pythons:
	@.ci/pythons

test-full: .venv/full
	$(BIN)/python -m pytest $(BY_FILE) --remaining

test-costs: .venv/installed
	$(BIN)/python -m tests.costs -q $(PARALLEL) -m "not full"

# Nothing is installed where there is no GPU.
gpu:
	@$(PYTHON) tests/gpu/present.py
	@$(MAKE) --no-print-directory .venv/gpu
	@$(BIN)/python -m tests.gpu $(if $(TABLE),--table '$(TABLE)')

bench: .venv/bench
	$(BIN)/python bench/run.py

lint: .venv/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror $$(find native src -name '*.[ch]pp')

docs: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q --strict
	@echo "The documentation is in build/docs/index.html."

clean:
	rm -rf .venv .venv-3.* build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache hillshade.png

.venv/bin/python:
	$(call need,command -v $(PYTHON),Python 3.11 or newer,python3)
	$(call need,$(PYTHON) -c 'import sys; sys.exit(sys.hexversion < 0x030B0000)',Python 3.11 or newer (PYTHON=/path/to/it chooses one),python3)
	$(call need,$(PYTHON) -c 'import ensurepip',python3-venv,python3-venv)
	$(call need,$(PYTHON) -c 'import os; import sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")',python3-dev,python3-dev)
	$(call need,command -v $(CXX),a C++ compiler,g++)
	$(PYTHON) -m venv .venv

# Editable: Python sources need no new install, the compiled core does.
.venv/installed: pyproject.toml CMakeLists.txt $(NATIVE) | .venv/bin/python
	$(INSTALL) -e '.[demo,test]'
	@touch $@

# Three that do not wait for each other (`make -j3 .venv/full`): Python's packages, Debian's, and what HIP's tests compare with.
.venv/stacks: .venv/installed
	$(INSTALL) $(call extra,full) $(call extra,docs) $(call extra,cuda) $(call extra,numba-cuda) $(call extra,sycl) $(call extra,kernels) $(call extra,usm) $(call extra,compiler)
	@$(if $(TORCH),$(INSTALL) '$(TORCH)' || echo "PyTorch's tests are left out: pip finds no $(TORCH) for this Python.",:)
	@touch $@

.venv/debian: | .venv/bin/python
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(DEBIAN); } \
	    >/dev/null 2>&1 || echo "Tests that ask Clang, HIP and C libraries are left out: apt-get finds no $(DEBIAN)."; \
	else echo "Tests that ask Clang, HIP and C libraries need: apt install $(DEBIAN)"; fi
	@touch $@

.venv/hip: | .venv/bin/python
	$(BIN)/python tests/examples/libraries/fetched_hip.py
	@touch $@

.venv/full: .venv/stacks .venv/debian .venv/hip
	@touch $@

.venv/gpu: .venv/installed
	$(INSTALL) $(call extra,cuda) $(call extra,kernels) $(call extra,gpu)
	@touch $@

.venv/bench .venv/lint .venv/docs: .venv/%: .venv/installed
	$(INSTALL) $(call extra,$*)
	@touch $@
