"""What shapes.hpp declares, as samebytes read it.

Written by ``samebytes bind``: to change it, run that again.
"""

from __future__ import annotations

from samebytes.model.intents import InOutPtr
from samebytes.model.module import Constant, Instance, Module, Template, Variable
from samebytes.model.signature import Default, Location, Parameter, Signature
from samebytes.model.verdicts import Verdict
from samebytes.types import SCALARS, VOID
from samebytes.types.array import CArray
from samebytes.types.base import Const
from samebytes.types.containers import Container, Dictionary, Maybe, Product
from samebytes.types.converted import Owner, Text
from samebytes.types.enum import Enum
from samebytes.types.function import Argument, Function
from samebytes.types.handle import Handle, Virtual
from samebytes.types.pointer import Pointer
from samebytes.types.struct import Base, Extent, Field, Struct

_shapes__Colour = Enum(
    name='shapes::Colour',
    underlying=SCALARS["int32"],
    members=(('red', 1), ('green', 2)),
    scoped=True,
    spelling='shapes::Colour',
)

_shapes__Point = Struct(
    name='shapes::Point',
    fields=(
        Field(name='x', type=SCALARS["float64"], offset=0, spelling='double'),
        Field(name='y', type=SCALARS["float64"], offset=8, spelling='double'),
    ),
    fixed=Extent(size=16, align=8),
    spelling='shapes::Point',
    doc='Two numbers.',
)

_shapes__Shape = Handle(
    name='shapes::Shape',
    fields=(),
    fixed=Extent(size=40, align=8),
    complete=False,
    aggregate=False,
    spelling='shapes::Shape',
    doc='Something with a name.',
    copyable=True,
    destructible=True,
    virtual=True,
    polymorphic=True,
    virtuals=(Virtual(name='area', home='shapes::Shape', result='double', qualifiers='const', method='area'),),
)

_shapes__Square = Handle(
    name='shapes::Square',
    fields=(Field(name='side', type=SCALARS["float64"], offset=40, spelling='double'),),
    fixed=Extent(size=48, align=8),
    complete=False,
    aggregate=False,
    spelling='shapes::Square',
    bases=(Base(name='shapes::Shape', offset=0),),
    hidden=('area',),
    copyable=True,
    destructible=True,
    virtual=True,
    polymorphic=True,
    virtuals=(Virtual(name='area', home='shapes::Square', result='double', qualifiers='const', method='area'),),
)

MODULE = Module(
    language='c++',
    functions=(
        Signature(
            name='moved',
            qualified='shapes::moved',
            parameters=(
                Parameter(name='p', type=_shapes__Point, spelling='shapes::Point'),
                Parameter(
                    name='by',
                    type=SCALARS["float64"],
                    spelling='double',
                    default=Default(text='1', value=1.0),
                ),
            ),
            result=_shapes__Point,
            result_spelling='shapes::Point',
            symbol='_ZN6shapes5movedENS_5PointEd',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=22, column=14),
        ),
        Signature(
            name='total',
            qualified='shapes::total',
            parameters=(
                Parameter(
                    name='v',
                    type=Const(type=Container(spelling='std::vector<double>', element=SCALARS["float64"])),
                    spelling='const std::vector<double> &',
                    passing='lvalue_ref',
                ),
            ),
            result=SCALARS["float64"],
            result_spelling='double',
            symbol='_ZN6shapes5totalERKSt6vectorIdSaIdEE',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=23, column=15),
        ),
        Signature(
            name='counted',
            qualified='shapes::counted',
            parameters=(
                Parameter(
                    name='words',
                    type=Const(
                        type=Container(
                            spelling='std::vector<std::basic_string<char>>',
                            element=Text(spelling='std::basic_string<char>'),
                        ),
                    ),
                    spelling='const std::vector<std::basic_string<char>> &',
                    passing='lvalue_ref',
                ),
            ),
            result=Dictionary(
                spelling='std::map<std::basic_string<char>, int>',
                key=Text(spelling='std::basic_string<char>'),
                value=SCALARS["int32"],
            ),
            result_spelling='std::map<std::basic_string<char>, int>',
            symbol='_ZN6shapes7countedERKSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS6_EE',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=28, column=35),
        ),
        Signature(
            name='maybe',
            qualified='shapes::maybe',
            parameters=(Parameter(name='b', type=SCALARS["bool"], spelling='bool'),),
            result=Maybe(spelling='std::optional<int>', value=SCALARS["int32"]),
            result_spelling='std::optional<int>',
            symbol='_ZN6shapes5maybeEb',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=33, column=27),
        ),
        Signature(
            name='both',
            qualified='shapes::both',
            parameters=(),
            result=Product(
                spelling='std::pair<int, std::basic_string<char>>',
                elements=(SCALARS["int32"], Text(spelling='std::basic_string<char>')),
            ),
            result_spelling='std::pair<int, std::basic_string<char>>',
            symbol='_ZN6shapes4bothB5cxx11Ev',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=34, column=36),
        ),
        Signature(
            name='called',
            qualified='shapes::called',
            parameters=(
                Parameter(
                    name='f',
                    type=Pointer(
                        pointee=Function(
                            result=SCALARS["float64"],
                            arguments=(Argument(type=SCALARS["float64"], spelling='double'),),
                            spelling='double (*)(double)',
                            result_spelling='double',
                            holder='std::function<double (double)>',
                        ),
                    ),
                    spelling='const std::function<double (double)> &',
                ),
                Parameter(name='x', type=SCALARS["float64"], spelling='double'),
            ),
            result=SCALARS["float64"],
            result_spelling='double',
            symbol='_ZN6shapes6calledERKSt8functionIFddEEd',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=35, column=15),
        ),
        Signature(
            name='filled',
            qualified='shapes::filled',
            parameters=(
                Parameter(
                    name='row',
                    type=CArray(element=SCALARS["float32"], shape=(3,)),
                    spelling='float (&)[3]',
                    passing='lvalue_ref',
                ),
            ),
            result=VOID,
            result_spelling='void',
            symbol='_ZN6shapes6filledERA3_f',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=36, column=13),
        ),
        Signature(
            name='doubled',
            qualified='shapes::doubled',
            parameters=(
                Parameter(name='values', type=Pointer(pointee=SCALARS["float64"]), spelling='double *'),
                Parameter(name='n', type=SCALARS["int32"], spelling='int'),
            ),
            result=VOID,
            result_spelling='void',
            symbol='_ZN6shapes7doubledEPdi',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=37, column=13),
        ),
        Signature(
            name='over',
            qualified='shapes::over',
            parameters=(Parameter(name='x', type=SCALARS["int32"], spelling='int'),),
            result=SCALARS["int32"],
            result_spelling='int',
            symbol='_ZN6shapes4overEi',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=40, column=12),
        ),
        Signature(
            name='over',
            qualified='shapes::over',
            parameters=(Parameter(name='x', type=SCALARS["float64"], spelling='double'),),
            result=SCALARS["float64"],
            result_spelling='double',
            symbol='_ZN6shapes4overEd',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=41, column=15),
        ),
        Signature(
            name='failing',
            qualified='shapes::failing',
            parameters=(),
            result=SCALARS["int32"],
            result_spelling='int',
            symbol='_ZN6shapes7failingEv',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=42, column=12),
        ),
        Signature(
            name='Shape',
            qualified='shapes::Shape::Shape',
            parameters=(
                Parameter(
                    name='other',
                    type=Const(type=_shapes__Shape),
                    spelling='const shapes::Shape &',
                    passing='lvalue_ref',
                ),
            ),
            result=_shapes__Shape,
            result_spelling='shapes::Shape',
            namespace=('shapes', 'Shape'),
            location=Location(file='shapes.hpp', line=49, column=7),
            kind='constructor',
            owner='shapes::Shape',
            home='shapes::Shape',
            implicit=True,
        ),
        Signature(
            name='Shape',
            qualified='shapes::Shape::Shape',
            parameters=(
                Parameter(
                    name='name',
                    type=Text(spelling='std::basic_string<char>'),
                    spelling='std::basic_string<char>',
                ),
            ),
            result=_shapes__Shape,
            result_spelling='shapes::Shape',
            symbol='_ZN6shapes5ShapeC1ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE',
            namespace=('shapes', 'Shape'),
            location=Location(file='shapes.hpp', line=53, column=12),
            kind='constructor',
            owner='shapes::Shape',
            home='shapes::Shape',
            explicit=True,
        ),
        Signature(
            name='area',
            qualified='shapes::Shape::area',
            parameters=(
                Parameter(
                    name='self',
                    type=Const(type=_shapes__Shape),
                    spelling='const shapes::Shape &',
                    passing='lvalue_ref',
                ),
            ),
            result=SCALARS["float64"],
            result_spelling='double',
            symbol='_ZNK6shapes5Shape4areaEv',
            namespace=('shapes', 'Shape'),
            location=Location(file='shapes.hpp', line=55, column=18),
            kind='method',
            owner='shapes::Shape',
            qualifiers='const',
            home='shapes::Shape',
        ),
        Signature(
            name='name',
            qualified='shapes::Shape::name',
            parameters=(
                Parameter(
                    name='self',
                    type=Const(type=_shapes__Shape),
                    spelling='const shapes::Shape &',
                    passing='lvalue_ref',
                ),
            ),
            result=Const(type=Text(spelling='std::basic_string<char>')),
            result_spelling='const std::basic_string<char> &',
            result_passing='lvalue_ref',
            symbol='_ZNK6shapes5Shape4nameB5cxx11Ev',
            namespace=('shapes', 'Shape'),
            location=Location(file='shapes.hpp', line=56, column=22),
            kind='method',
            owner='shapes::Shape',
            qualifiers='const',
            home='shapes::Shape',
        ),
        Signature(
            name='made',
            qualified='shapes::Shape::made',
            parameters=(),
            result=SCALARS["int32"],
            result_spelling='int',
            symbol='_ZN6shapes5Shape4madeEv',
            namespace=('shapes', 'Shape'),
            location=Location(file='shapes.hpp', line=57, column=14),
            kind='static',
            owner='shapes::Shape',
            home='shapes::Shape',
        ),
        Signature(
            name='operator+=',
            qualified='shapes::Shape::operator+=',
            parameters=(
                Parameter(
                    name='self',
                    type=_shapes__Shape,
                    spelling='shapes::Shape &',
                    passing='lvalue_ref',
                    intent=InOutPtr(),
                ),
                Parameter(
                    name='more',
                    type=Const(type=Text(spelling='std::basic_string<char>')),
                    spelling='const std::basic_string<char> &',
                    passing='lvalue_ref',
                ),
            ),
            result=_shapes__Shape,
            result_spelling='shapes::Shape &',
            result_passing='lvalue_ref',
            symbol='_ZN6shapes5ShapepLERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE',
            namespace=('shapes', 'Shape'),
            location=Location(file='shapes.hpp', line=58, column=10),
            kind='method',
            owner='shapes::Shape',
            home='shapes::Shape',
        ),
        Signature(
            name='operator==',
            qualified='shapes::Shape::operator==',
            parameters=(
                Parameter(
                    name='self',
                    type=Const(type=_shapes__Shape),
                    spelling='const shapes::Shape &',
                    passing='lvalue_ref',
                ),
                Parameter(
                    name='o',
                    type=Const(type=_shapes__Shape),
                    spelling='const shapes::Shape &',
                    passing='lvalue_ref',
                ),
            ),
            result=SCALARS["bool"],
            result_spelling='bool',
            symbol='_ZNK6shapes5ShapeeqERKS0_',
            namespace=('shapes', 'Shape'),
            location=Location(file='shapes.hpp', line=62, column=8),
            kind='method',
            owner='shapes::Shape',
            qualifiers='const',
            home='shapes::Shape',
        ),
        Signature(
            name='Square',
            qualified='shapes::Square::Square',
            parameters=(
                Parameter(
                    name='other',
                    type=Const(type=_shapes__Square),
                    spelling='const shapes::Square &',
                    passing='lvalue_ref',
                ),
            ),
            result=_shapes__Square,
            result_spelling='shapes::Square',
            namespace=('shapes', 'Square'),
            location=Location(file='shapes.hpp', line=64, column=7),
            kind='constructor',
            owner='shapes::Square',
            home='shapes::Square',
            implicit=True,
        ),
        Signature(
            name='Square',
            qualified='shapes::Square::Square',
            parameters=(Parameter(name='side', type=SCALARS["float64"], spelling='double'),),
            result=_shapes__Square,
            result_spelling='shapes::Square',
            symbol='_ZN6shapes6SquareC1Ed',
            namespace=('shapes', 'Square'),
            location=Location(file='shapes.hpp', line=67, column=12),
            kind='constructor',
            owner='shapes::Square',
            home='shapes::Square',
            explicit=True,
        ),
        Signature(
            name='area',
            qualified='shapes::Square::area',
            parameters=(
                Parameter(
                    name='self',
                    type=Const(type=_shapes__Square),
                    spelling='const shapes::Square &',
                    passing='lvalue_ref',
                ),
            ),
            result=SCALARS["float64"],
            result_spelling='double',
            symbol='_ZNK6shapes6Square4areaEv',
            namespace=('shapes', 'Square'),
            location=Location(file='shapes.hpp', line=68, column=10),
            kind='method',
            owner='shapes::Square',
            qualifiers='const',
            home='shapes::Square',
        ),
        Signature(
            name='made',
            qualified='shapes::made',
            parameters=(Parameter(name='side', type=SCALARS["float64"], spelling='double'),),
            result=Owner(spelling='std::unique_ptr<shapes::Shape>', target=_shapes__Shape),
            result_spelling='std::unique_ptr<shapes::Shape>',
            symbol='_ZN6shapes4madeEd',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=70, column=31),
        ),
        Signature(
            name='area_of',
            qualified='shapes::area_of',
            parameters=(
                Parameter(
                    name='s',
                    type=Const(type=_shapes__Shape),
                    spelling='const shapes::Shape &',
                    passing='lvalue_ref',
                ),
            ),
            result=SCALARS["float64"],
            result_spelling='double',
            symbol='_ZN6shapes7area_ofERKNS_5ShapeE',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=71, column=15),
        ),
        Signature(
            name='twice',
            qualified='shapes::twice<int>',
            parameters=(Parameter(name='x', type=SCALARS["int32"], spelling='int'),),
            result=SCALARS["int32"],
            result_spelling='int',
            symbol='_ZN6shapes5twiceIiEET_S1_',
            namespace=('shapes',),
            location=Location(file='shapes.hpp', line=44, column=3),
            instance='shapes::twice<int>',
        ),
    ),
    records=(_shapes__Point, _shapes__Shape, _shapes__Square),
    enums=(_shapes__Colour,),
    constants=(
        Constant(
            name='corners',
            qualified='shapes::corners',
            value=4,
            spelling='const int',
            location=Location(file='shapes.hpp', line=19, column=15),
        ),
    ),
    variables=(
        Variable(
            name='level',
            qualified='shapes::level',
            type=SCALARS["float64"],
            spelling='double',
            symbol='_ZN6shapes5levelE',
            location=Location(file='shapes.hpp', line=20, column=15),
        ),
    ),
    exposed=31,
    templates=(
        Template(
            name='twice',
            qualified='shapes::twice',
            kind='function',
            declarations=('template <class T> shapes::twice(T)',),
            location=Location(file='shapes.hpp', line=44, column=3),
            arguments=('x',),
        ),
    ),
    instances=(
        Instance(
            asked='shapes::twice<int>',
            kind='function',
            target='shapes::twice<int>',
            calls=('shapes::twice(int)',),
        ),
    ),
    verdicts=(
        Verdict(symbol='samebytes_f0_2', instructions=10, reads=(0, 1, 2)),
        Verdict(symbol='samebytes_f0_1', instructions=9, reads=(0, 2)),
        Verdict(symbol='samebytes_f1_1', reason='it has a loop'),
        Verdict(symbol='samebytes_f2_1', reason='it has a loop'),
        Verdict(symbol='samebytes_f3_1', reason='it calls _Znwm, of another library'),
        Verdict(symbol='samebytes_f4_0', reason='it calls _Znwm, of another library'),
        Verdict(symbol='samebytes_f5_2', reason='it calls a function by an address that it computes'),
        Verdict(symbol='samebytes_f6_1', instructions=5, reads=(0,)),
        Verdict(symbol='samebytes_f7_2', reason='it has a loop'),
        Verdict(symbol='samebytes_f8_1', instructions=7, reads=(0, 1)),
        Verdict(symbol='samebytes_f9_1', instructions=8, reads=(0, 1)),
        Verdict(symbol='samebytes_f10_0', instructions=31, calls=2),
        Verdict(
            symbol='samebytes_f12_1',
            reason='it calls _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm, of another library',
        ),
        Verdict(
            symbol='samebytes_f11_1',
            reason='it calls _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm, of another library',
        ),
        Verdict(symbol='samebytes_f13_1', reason='it calls a function by an address that it computes'),
        Verdict(symbol='samebytes_f14_1', reason='it calls _Znwm, of another library'),
        Verdict(symbol='samebytes_f15_0', instructions=5, reads=(0,)),
        Verdict(symbol='samebytes_f16_2', reason='it has a loop'),
        Verdict(symbol='samebytes_f17_2', reason='it calls memcmp, of another library'),
        Verdict(symbol='samebytes_f19_1', instructions=19, reads=(0, 1)),
        Verdict(
            symbol='samebytes_f18_1',
            reason='it calls _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm, of another library',
        ),
        Verdict(symbol='samebytes_f20_1', reason='it calls a function by an address that it computes'),
        Verdict(symbol='samebytes_f21_1', reason='it has a loop'),
        Verdict(symbol='samebytes_f22_1', reason='it calls a function by an address that it computes'),
        Verdict(symbol='samebytes_f23_1', instructions=8, reads=(0, 1)),
    ),
    clashing=('isinf', 'isnan'),
)

# The library beside it carries the same word.
BUILD = "318f66794cea801e3e556d55e065806f"
