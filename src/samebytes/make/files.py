"""The files of a finished build, by name."""

# Its model, what is loaded on the host, the source of device code, and kernels.
MODEL, LIBRARY, SHIMS = "model.json", "library.so", "shims.cu"
CUBIN, PTX, SPIRV = "kernels.cubin", "kernels.ptx", "kernels.spirv"
# What is said of it whenever it is loaded: beside what it was built to be, once it has been loaded.
REMARKS = "remarks.json"
