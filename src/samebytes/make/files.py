"""The files of a finished build, by name."""

# Its model, what is loaded on the host, the source of device code, and kernels.
MODEL, LIBRARY, SHIMS = "model.json", "library.so", "shims.cu"
CUBIN, PTX, SPIRV, HSACO = "kernels.cubin", "kernels.ptx", "kernels.spirv", "kernels.hsaco"
# Of the functions of the host beside kernels: their model.
HOST_MODEL = "host.json"
# Of a header whose shims are built as they are needed: what of them programs used; and what one such build has.
USED, BATCH = "used.json", "batch.json"
# Of a header that is not read yet: its names, and whether a program needed all of it.
NAMES, NAMED = "names.json", "named.json"
# What is said of it whenever it is loaded: beside what it was built to be, once it has been loaded.
REMARKS = "remarks.json"
