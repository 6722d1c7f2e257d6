"""From a recipe to its library with all its names; where pickled functions and records find theirs again."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..call.c_api import status
from ..call.c_api.api import Api
from ..errors import BindError, BindWarning, CompileError, InstantiationError, first_sentence
from ..forks import importing
from ..later import at_first_use
from ..loading.backends import backend_for
from ..loading.library import Library, build_along, linked
from ..loading.linking import (
    Linker,
    LoadedModule,
    populate,
    populate_device,
    populate_kernels,
    pythonic_forms,
    releases,
    symbols,
)
from ..loading.placing import bound, restored
from ..make.builds import build, is_begun
from ..make.files import HOST_MODEL
from ..make.files import LIBRARY as HOST_LIBRARY
from ..make.model_data import decode
from ..model.intents import IN, suggest
from ..model.module import Module
from ..model.slots import is_discarded
from ..styles.c_api import allocations
from ..toolchain.cache import steady_path
from ..types import Const, Scalar, unqualified
from .recipes import LIBRARIES, LOADING, UNREAD, Key, Recipe, note, report

if TYPE_CHECKING:
    from ..loading.backends import Loaded
    from ..make.device_code import DeviceCode
    from ..make.request import Request
    from ..types import Protected
    from ..values.overriding import Way

pathlib: Any = at_first_use("pathlib")


def library(recipe: Recipe) -> Library:
    """The library of a recipe: built, or found in the cache, or live already."""
    built = build(recipe.request)
    if recipe.request.sanitize:
        with importing:  # few programs look for errors of memory
            from ..toolchain.sanitizers import ensure_runtime

        ensure_runtime(recipe.request.sanitize)
    key = (recipe, os.path.basename(built.entry.place))
    with LOADING:
        if key not in LIBRARIES:
            LIBRARIES[key] = made = _read(key, built.module, built.file)
            if not (recipe.request.overriding or recipe.request.apart):
                said = remarks(built.module, made.__clashes__)
                if recipe.is_plain:
                    note(built.entry, said)
                report(recipe.request.name, said)
    return LIBRARIES[key]


def _read(key: Key, module: Module, file: str) -> Library:
    """The library of a build: one whose names were read one by one before is given all of them."""
    before = UNREAD.get(key[0])
    if before is None:
        return _load(key, module, file)

    def named(made: Library) -> None:
        Library.__init__(made, key[0].request.name, module, file)
        _named(made, key, module, _code(key[0].request, module, file))
        made.__instances__.update(before.instances)

    filled: Library = before.fill(named)
    return filled


def link(library: Library, key: Key, model: bytes, file: str, loaded: Loaded | None) -> None:
    """Give a library that is loaded, or whose code is built as it is needed, its names."""
    module = decode(model)
    linked(library, key[0].request.name, module, file)
    _named(library, key, module, loaded or _code(key[0].request, module, file))


def _code(request: Request, module: Module, file: str) -> Loaded:
    """The code of a library: loaded, or built as it is needed."""
    home = os.path.dirname(file)
    if not is_begun(home):
        return backend_for(request.dialect).load(steady_path(file))
    with importing:  # a program that finds all in the cache compiles nothing
        from ..loading.batches import Batches

    return Batches(request, home, module)


def _load(key: Key, module: Module, file: str) -> Library:
    recipe, request = key[0], key[0].request
    for option, names in (("check", recipe.check), ("nogil", recipe.nogil)):
        if isinstance(names, frozenset):
            _check_known(option, module, names)
    if recipe.check is True:
        _check_statuses(module)
    made = Library(request.name, module, file)
    if not request.arch and request.target != "numba_cuda":
        _named(made, key, module, _code(request, module, file))
        return made
    host = os.path.join(os.path.dirname(file), HOST_MODEL)
    if request.arch and os.path.exists(host):
        _with_host(made, key, module, file, decode(pathlib.Path(host).read_bytes()))
        return made
    linker = _begun(made, key, module)
    if request.arch:
        with importing:  # few programs launch kernels
            from ..launch.opening import OPENED

        populate_kernels(
            made, module, linker,
            *OPENED[request.dialect](
                request.name, module, linker, pathlib.Path(file).read_bytes(), request.arch,
                lambda name: (_restore_kernel, (*key, name)),
            ),
            lambda spellings: instantiate(made, recipe, spellings), request.dialect,
            constructors=_constructors(key, module, linker),
        )  # fmt: skip
        return made
    with importing:
        from ..compiled import install
        from ..make.device_code import tag

    populate_device(
        made, module, linker, lambda spellings: instantiate(made, recipe, spellings), _constructors(key, module, linker)
    )  # fmt: skip
    code = _device_code(recipe)
    code.add(pathlib.Path(file))
    install(
        made, request.target, request.dialect, linker.signature, device=code.units, tag=tag(pathlib.Path(file))
    )  # fmt: skip
    return made


def _with_host(made: Library, key: Key, module: Module, file: str, host: Module) -> None:
    """Fill a library of kernels that has functions of the host, too, which launch the same code."""
    with importing:  # few libraries have any
        from ..launch.code import Code, Image
        from ..launch.host_half import answer
        from ..launch.opening import open_kernels
    recipe, request = key[0], key[0].request
    known = {r.name for r in module.records} | {e.name for e in module.enums}
    module = replace(
        module,
        records=(*module.records, *(r for r in host.records if r.name not in known)),
        enums=(*module.enums, *(e for e in host.enums if e.name not in known)),
    )
    linker = _begun(made, key, module)
    code = Code([Image(pathlib.Path(file).read_bytes(), request.arch)])
    found = open_kernels(
        request.name, module, linker, code.images, lambda name: (_restore_kernel, (*key, name)), code=code
    )
    loaded = backend_for("cxx").load(steady_path(os.path.join(os.path.dirname(file), HOST_LIBRARY)))
    answer(loaded, code)
    functions = LoadedModule(
        request.name, host, loaded, linker, releases(recipe.nogil),
        lambda name: (_restore_plan, (*key, name)), "cuda",
    )  # fmt: skip
    populate_kernels(
        made, module, linker, *found, lambda spellings: instantiate(made, recipe, spellings), host=functions,
        constructors=_constructors(key, module, linker),
    )  # fmt: skip


def _constructors(key: Key, module: Module, linker: Linker) -> LoadedModule | None:
    """The constructors of the structs of device code, which run on the host; None: there are none."""
    recipe, request = key[0], key[0].request
    if not module.constructors or recipe.base is not None:
        return None
    with importing:  # few libraries have any
        from ..loading.constructing import ConstructorCode
    own = Module("c++", functions=module.constructors, records=module.records, enums=module.enums)
    return LoadedModule(
        request.name, own, ConstructorCode(request, own), linker, releases(recipe.nogil),
        lambda name: (_restore_plan, (*key, name)), "cxx",
    )  # fmt: skip


def _begun(made: Library, key: Key, module: Module) -> Linker:
    """What links a library's names, which it knows, as it knows how it is made again."""
    object.__setattr__(made, "__home__", (_again, key))
    linker = _linker(key, module)
    object.__setattr__(made, "__linker__", linker)
    linker.home = linker.home or made
    return linker


def _named(made: Library, key: Key, module: Module, loaded: Loaded) -> None:
    """Give a library of the host its names, for code that has been loaded."""
    recipe, request = key[0], key[0].request
    linker = _begun(made, key, module)
    known = allocations.chosen_allocations(module.functions, request.allocations) if request.style else {}
    compiled = LoadedModule(
        request.name, module, loaded, linker, releases(recipe.nogil),
        lambda name: (_restore_plan, (*_pickled(key), name)), request.dialect,
        Api(request.style, recipe.check, symbols(request.library, module.lazy, loaded), known),
        eager=request.target == "numba" or bool(request.overriding),
    )  # fmt: skip
    loaded.begin(made)
    if request.pythonic and recipe.base is None:
        pythonic_forms(linker, json.loads(request.pythonic), module)
    if request.apart and recipe.base is not None:
        populate(made, compiled, UNREAD[recipe.base].instance)
    else:
        populate(made, compiled, lambda spellings: instantiate(made, recipe, spellings))
    if recipe.base is None:
        linker.overriding = lambda cls, private: _overriding(made, recipe, cls, private)
        linker.opening = lambda cls, members: _opening(made, recipe, cls, members)
        linker.joining = lambda classes: _joining(made, recipe, classes)
    if request.target == "numba":
        with importing:
            from ..compiled import install

        install(made, request.target, request.dialect, linker.signature, address=loaded.address)


def _device_code(recipe: Recipe) -> DeviceCode:
    """What kernels are linked with; instantiations add to that of their library."""
    with importing:  # it reads and compiles CUDA C++, which nothing on the host needs
        from ..make.device_code import device_code

    request = (recipe.base or recipe).request
    return device_code(request, build(request).library)


def _linker(key: Key, module: Module) -> Linker:
    """The classes of a library's records; its instantiations share them, and add to them."""
    recipe = key[0]

    def restore(name: str, data: bytes) -> tuple[Any, ...]:
        return _restore_record, (*_pickled(key), name, data)

    if recipe.request.apart and recipe.base is not None:
        shared: Linker = UNREAD[recipe.base].linked(module, restore)
        return shared
    if recipe.base is None:
        every = recipe.request.target != "host"  # compiled code asks for all
        known = UNREAD[recipe].linker if recipe in UNREAD else None
        return Linker(
            module, recipe.request.name, dict(recipe.types), restore, at_once=every, known=known,
            dialect=recipe.request.dialect,
        )  # fmt: skip
    found: Linker = library(recipe.base).__linker__
    found.extend(module, restore)
    return found


def _pickled(key: Key) -> Key:
    """Of which library pickles say what they have: of what is read by name, the one that has the whole header."""
    recipe = key[0]
    return (recipe.base, "") if recipe.request.apart and recipe.base is not None else key


def instantiate(owner: Library, recipe: Recipe, spellings: tuple[str, ...]) -> Any:
    """What one of several spellings means: bound with the header, or built on its own, once.

    Raises
    ------
    InstantiationError
        If C++ accepts none of them, or what it is cannot cross.
    """
    with importing:  # few libraries have templates
        from ..loading.templates.meanings import instance_named
    home = owner.__linker__.home
    for spelling in (spellings, *spellings):
        for known in (owner.__instances__, home.__instances__):
            if spelling in known:
                return known[spelling]
    for spelling in spellings:
        if (meant := instance_named((owner, home), spelling)) is not None:
            return meant
    beside = recipe.request.beside or owner.__file__
    # Alone, it says nothing of the words that the rest of the source needs.
    asked = recipe.request.speaking_cuda() if owner.__model__.prelude else recipe.request
    request = replace(asked, instances=(spellings,), alone=True, beside=beside)
    shared = f"instantiate=[{spellings[0]!r}] makes it share the variables of this one"
    if not recipe.request.launches:  # kernels that need variables of their own are refused
        _warn_of_copies(owner, recipe.request.name, spellings[0], shared, 6)
    made = library(replace(recipe, request=request, base=recipe))
    instance = made.__model__.instances[0]
    if instance.kind != "plain":
        found = made.__instances__[instance.asked]
    elif (target := _bound_as(owner, instance.target)) in owner.__bound__:
        found = bound(owner, target)
    else:
        raise InstantiationError(spellings[0], _not_bound(instance.target, owner, made, home), crossing=True)
    # Of several spellings nobody has said which C++ took: another call may share the first, and mean another function.
    owner.__instances__[spellings if len(spellings) > 1 else instance.asked] = found
    build_along(home, made)
    _learn(home, made)
    return found


def _bound_as(owner: Library, name: str) -> str:
    """The name by which a library has a function: what a using-declaration names beside templates has its own."""
    meant = {target for said, target in owner.__model__.repeated if said == name}
    functions = meant.difference(template.qualified for template in owner.__model__.templates)
    return functions.pop() if len(functions) == 1 and name not in owner.__bound__ else name


def _not_bound(target: str, *libraries: Library) -> str:
    """Why a function beside a template, which C++ prefers to it, is not there, as the header's reading says."""
    reasons = dict.fromkeys(
        missing.reason
        for library in libraries
        for missing in library.__skipped__
        if missing.name == target or missing.name.startswith(f"{target}(")
    )
    return f"C++ means {target}, which is not bound{': ' if reasons else ''}{'; '.join(reasons)}"


def _learn(home: Library, made: Library) -> None:
    """Let a library know which classes an instantiation of it has brought, and what of them is not bound."""
    module = made.__model__
    for instance in module.instances:
        cls = made.__records__.get(instance.target) if instance.kind == "type" else None
        for name in () if cls is None else (instance.asked, cls.__samebytes_type__.spelling):
            home.__instances__.setdefault(name, cls)
    missing = tuple(dict.fromkeys((*home.__skipped__, *module.skipped)))
    if len(missing) > len(home.__skipped__):
        object.__setattr__(home, "__skipped__", missing)


def _overriding(owner: Library, recipe: Recipe, cls: Any, private: frozenset[str]) -> Way:
    """How C++ asks Python about virtual functions of a class: by a class that is built on its own, once.

    Raises
    ------
    TypeError
        If C++ does not derive such a class.
    """
    with importing:  # few classes are derived from
        from ..loading.linking.overriding import way_of
        from ..make.overriding import overriding_request
        from ..model.symbols import given_away
    what = f"a class that Python derives from {cls.__name__}"
    _warn_of_copies(owner, recipe.request.name, what, "what is inline, and not static, is shared", 8)
    request, made = overriding_request(
        recipe.request, owner.__file__, cls.__samebytes_type__, private,
        given=bool(
            {c.__samebytes_type__.name for c in (cls, *getattr(cls, "__samebytes_parts__", ()))}
            & given_away(owner.__model__, abstract=True)
        ),
        joined=getattr(cls, "__samebytes_joined__", ""), functions=owner.__model__.functions,
    )  # fmt: skip
    return way_of(_beside(recipe, request, cls.__name__), made, cls)


def _beside(recipe: Recipe, request: Request, names: str) -> Library:
    """What is built for a class of Python's beside the library whose classes it derives from."""
    try:
        nogil = False if isinstance(recipe.nogil, frozenset) else recipe.nogil  # names are of other functions
        return library(Recipe(request, (), nogil, base=recipe))
    except CompileError as error:
        raise TypeError(f"C++ derives no class from {names}: {first_sentence(error)}") from error


def _joining(owner: Library, recipe: Recipe, classes: tuple[Any, ...]) -> Any:
    """The class of C++'s that derives from several of a library's: it is built on its own, once.

    Raises
    ------
    TypeError
        If C++ derives none.
    """
    with importing:
        from ..make.overriding import joining_request
    names = " and ".join(cls.__name__ for cls in classes)
    request, made = joining_request(recipe.request, owner.__file__, [c.__samebytes_type__ for c in classes])
    cls = _beside(recipe, request, names).__records__[made.name]
    type.__setattr__(cls, "__samebytes_joined__", made.text)
    type.__setattr__(cls, "__samebytes_copied__", tuple(classes[i] for i in made.copied))
    return cls


def _opening(owner: Library, recipe: Recipe, cls: Any, members: tuple[Protected, ...]) -> Any:
    """The class of C++'s that opens protected members of another: it is built on its own, once.

    Raises
    ------
    TypeError
        If C++ derives none.
    """
    with importing:  # few classes use what is protected
        from ..make.overriding import opening_request
    what = f"what {cls.__name__} protects"
    _warn_of_copies(owner, recipe.request.name, what, "what is inline, and not static, is shared", 8)
    request, made = opening_request(
        recipe.request, owner.__file__, cls.__samebytes_type__, members,
        joined=getattr(cls, "__samebytes_joined__", ""),
    )  # fmt: skip
    found = _beside(recipe, request, cls.__name__).__records__.get(made.name)
    if found is None:
        raise TypeError(f"C++ derives no class from {cls.__name__}")
    return found


def _warn_of_copies(owner: Library, name: str, what: str, advice: str, level: int) -> None:
    """Once per library: variables that what is built on its own does not share."""
    copied = [v.qualified for v in owner.__model__.variables if v.repeated and not isinstance(v.type, Const)]
    if copied and not owner.__instances__.get(""):
        owner.__instances__[""] = True
        warnings.warn(
            f"{name}: {what} is built as a library of its own, which has its own {', '.join(copied)}; {advice}",
            BindWarning,
            stacklevel=level,
        )


def _check_known(option: str, module: Module, names: frozenset[str]) -> None:
    known = {name for f in module.functions for name in (f.name, f.qualified)}
    known |= {name for t in module.templates for name in (t.name, t.qualified)}
    for name in sorted(names - known):
        raise BindError(f"{option} names an unknown function {name!r}.{suggest(name, sorted(known))}")


def _check_statuses(module: Module) -> None:
    """Some function says by itself whether it succeeded: else ``check=True`` would check nothing, in silence."""
    if not module.functions or any(status.is_status(f.result) for f in module.functions):
        return
    numbers = [f.name for f in module.functions if isinstance(unqualified(f.result), Scalar)]
    named = f"check=[{numbers[0]!r}, …]" if numbers else "check=[…]"
    raise BindError(
        "check=True means functions that return an enumeration with a zero, and none here does: "
        f"name those whose number is a status, {named}"
    )


def remarks(module: Module, clashes: Iterable[str] = ()) -> list[str]:
    """What is to be said of a library: what was skipped, which outputs are discarded, patterns that mean nothing."""
    sentences = [f"expose={p!r} matches no file and no declaration.{near}" for p, near in module.unmatched]
    fields = sum(s.is_quiet for s in module.skipped)
    if skipped := [s for s in module.skipped if not s.is_quiet]:
        shown = "".join(f"\n  {s}" for s in skipped[:3])
        more = f"\n  … and {len(skipped) - 3} more in __skipped__" if len(skipped) > 3 else ""
        sentences.append(
            f"{len(skipped)} of {module.exposed - fields} declarations are not bound:{shown}{more}"
        )
    sentences += clashes
    lost = [
        f"{f.qualified}({p.spelling} {p.name})" for f in module.functions for p in f.arguments
        if is_discarded(p) and p.intent == IN
    ]  # fmt: skip
    if lost:
        shown = ", ".join(lost[:3]) + (f", … ({len(lost)} in all)" if len(lost) > 3 else "")
        sentences.append(
            f"what C++ writes to {shown} is discarded (intent 'in'); where C++ only writes there, choose 'out_return' "
            "in arg_intent to get it back"
        )
    return sentences


def _again(recipe: Recipe, digest: str) -> Library:
    """The very library that pickled, or in another process the recipe's."""
    if (recipe, digest) in LIBRARIES:
        return LIBRARIES[recipe, digest]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BindWarning)
        return library(recipe)


def _restore_plan(recipe: Recipe, digest: str, qualified: str) -> Any:
    """The plan of a pickled function; its builtin is an attribute of the plan."""
    function = bound(_again(recipe, digest), qualified)
    return getattr(function, "__plan__", None) or function.__self__


def _restore_kernel(recipe: Recipe, digest: str, qualified: str) -> Any:
    """A pickled kernel."""
    return bound(_again(recipe, digest), qualified)


def _restore_record(recipe: Recipe, digest: str, qualified: str, data: bytes | None) -> Any:
    """A pickled record from its bytes, or a pickled class."""
    return restored(_again(recipe, digest), qualified, data)
