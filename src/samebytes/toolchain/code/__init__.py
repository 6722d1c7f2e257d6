"""The machine code of shared libraries, read: where functions lie, what they call, which ways lead through them.

:class:`~samebytes.toolchain.code.image.Image` is a library's code, :func:`~samebytes.toolchain.code.flow.flow` what can
run from one address on. Instructions are Capstone's own (``CsInsn`` with details), which is imported on use: where it
is not installed, nothing is read (:func:`~samebytes.toolchain.code.presence.can_decode`).
"""
