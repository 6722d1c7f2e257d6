"""style="c_api": an output is guessed only where something says that C writes one value there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

TYPES = """
#include <stddef.h>
typedef unsigned char u8; typedef enum { OK, BAD } st; typedef _Bool flag;
typedef u8 sort; typedef u8 tone;
typedef struct thing_s *thing; typedef struct part_s part; typedef struct row { int cells[4]; } row;
int part_free(part* p);
"""
# Declarations in the style of real libraries, and what comes out. Most were once guessed so that C wrote beyond.
ROWS: tuple[tuple[str, str], ...] = (
    # What copies, writes, sets and ends takes what lies there.
    ("void pic_write_image(thing p, u8** image)", ""),
    ("void pic_read_image(thing p, u8** image)", ""),
    ("void pic_set_rows(thing p, u8** rows)", ""),
    ("void numbers_copy_to(const part* v, double* to)", ""),
    ("int seq_copyToArrays(const part* s, double* x, double* y, double* z, double* m)", ""),
    ("int VLinearCombination(int nvec, double* c, thing* X, thing z)", ""),
    ("void SolveFree(void** mem)", ""),
    ("st linkDestroy(thing* handle)", ""),
    ("st linker_release(thing* phandle)", ""),
    ("st cs_close(size_t* handle)", ""),
    ("void doc_decrefp(thing* doc)", ""),
    ("int conn_disconnect(part** conn)", ""),
    ("void array_restore(thing v, double** values)", ""),
    ("int mem_dest(thing c, u8** outbuffer, size_t* outsize)", ""),
    ("int ref_count_inc(int* rc)", ""),
    ("int buf_make_writable(part** buf)", ""),
    # Rows of a matrix and numbers beside them; lists beside counts.
    ("int dense_factor(double** a, size_t n, double* beta)", ""),
    ("int ModifiedGS(thing* v, double** h, int k, int p, double* new_norm)", ""),
    ("int nodes_near(thing t, unsigned* nr, thing* nodes, unsigned long flags)", ""),
    ("int features_get(int* len, const char** result)", ""),
    ("int children_get(const part* tree, const u8** names, int* len, int max)", "len"),
    ("int groups_inq(int id, int* numgrps, int* ncids)", "numgrps"),
    ("thing mix_init(int n, int (*f)(void*), void** data)", ""),
    ("int build_array(thing* out, size_t* erroff, const char* format, void** arg_list)", "out"),
    ("int GetRootInfo(void* mem, int* rootsfound)", ""),
    ("int calc_binning(thing f, int naxis, double* minin, double* maxin, int* status)", "status"),
    ("int to_pattern(const part* set, unsigned short* result, int resultCapacity)", ""),
    ("int vec_nest(thing c, int, part**, part**)", ""),
    ("int parse_next(char** ptr, const char* delimiter, int* isanumber)", "isanumber"),
    ("int args_parse(thing c, char*** arguments)", ""),
    ("int buffer_size_set_minmax(thing t, size_t* min, size_t* max)", ""),
    ("void* thread_get_local(unsigned* key)", ""),
    ("int dn2text(part*** dn, char** text)", "text"),
    ("void** coder_new(int kind)", ""),
    ("int coder_read_header(void** coder, part* image)", ""),
    ("int wide_escape(const wchar_t* text, wchar_t* out)", ""),
    ("int text_to_pathW(const wchar_t* text, int* path)", ""),
    ("int text_to_pathA(const char* text, char* path)", ""),
    ("int get_lambda(const part* lp, double* lambda)", ""),
    ("int get_solution(const part* lp, double* rc)", ""),
    ("int get_sensitivity(const part* lp, double* from, double* till)", ""),
    ("int get_partial(const part* lp, int* blockstart)", ""),
    ("int set_partial(part* lp, int blockcount, int* blockstart)", ""),
    ("int named_color_info(const part* list, unsigned n, unsigned short* colorant)", ""),
    ("int encode_data(int len, u8* tables, u8** coding)", ""),
    ("int find_next(part* lp, int* count)", ""),
    ("int parse_reply(const u8* data, int size, row* cells, int* ncells)", ""),
    # Samples beside samples; a noun that is many; what a stream has left; a limit; and what grows.
    ("void decorrelate(thing st, const short* in, short* out, int strength)", ""),
    ("int connectingNodeList(part* a, part* b, part**)", ""),
    ("int stream_run(thing enc, u8** next_out, size_t* avail_out)", ""),
    ("int der_decode(const void* der, unsigned* max_der_len)", ""),
    ("int tree_expand(const part* definitions, part** element)", ""),
    ("int get_bands(const part* p, int*, int*)", ""),
    ("int level_get(const part* p, double*)", ""),
    ("void level_put(part* p, double)", ""),
    ("void* key_get(unsigned* key)", ""),
    ("void key_set(unsigned* key, void* value)", ""),
    ("int part_steps(const part* p, int* first)", ""),
    ("int part_set_steps(part* p, int count, int* first)", ""),
    # And what something settles.
    ("unsigned* wide_fold(const unsigned* s, size_t n, unsigned* resultbuf, size_t* lengthp)", "lengthp"),
    ("char* db_get(part* db, const char* kbuf, int ksiz, int* sp)", "sp"),
    ("st feature_is_present(const part* p, int feature, st* value)", "value"),
    ("int register_read(part* p, int reg, unsigned short* value)", "value"),
    ("void lp_solve_version(int* majorversion, int* release, int* build)", "majorversion release build"),
    ("int get_ptr_duals(const part* lp, double** lower)", "lower"),
    ("int part_headers(const part* m, thing* metap)", "metap"),
    ("const char* key_of(size_t* len)", "len"),
    ("int table_next_fs(thing table, const part* iter, thing* fs)", "fs"),
    ("const char* iter_key(const part* it, size_t* klen)", "klen"),
    ("st cs_open(int arch, int mode, size_t* handle)", "handle"),
    ("int part_open(const char* path, part** made)", "made"),
    ("int get_size(const part* p, int* width, int* height)", "width height"),
    ("st is_simple(const part* p, flag* res)", "res"),
    ("int recv_bytes(thing c, void* buffer, size_t buflen, size_t* n)", "n"),
    ("double read_number(const char* text, char** endptr)", "endptr"),
    ("void db_put(thing d, const char* key, size_t keylen, char** errptr)", "errptr"),
    ("int doc_dump(thing d, char** mem, size_t* size)", "mem size"),
    ("int list_devices(unsigned num_entries, thing* devices, unsigned* num_devices)", "num_devices"),
    ("int part_resolve(thing t, const part* from, part** into)", "into"),
    # The first verb counts: what adds a node that frees ends none.
    ("st graphAddMemFreeNode(thing* phGraphNode, part* graph, const part* before)", "phGraphNode"),
    # A family's mark; texts that are asked for; what is set by value elsewhere; parameters without names.
    ("int seat_sessions(const char* seat, unsigned** ret_uids, unsigned* ret_n_uids)", "ret_uids ret_n_uids"),
    ("int journal_get_cursor(part* j, char** cursor)", "cursor"),
    ("int uid_get_state(unsigned uid, char** state)", "state"),
    ("int list_kinds(const part* p, int** kinds_dl)", "kinds_dl"),
    ("void entry_flags(part* p, unsigned long*, unsigned long*)", "arg1 arg2"),
    ("void entry_set_flags(part* p, unsigned long, unsigned long)", ""),
    ("int get_bounds(const part* p, int at, double* lower, double* upper)", "lower upper"),
    ("int set_bounds(part* p, int at, double lower, double upper)", ""),
    ("const char* entry_comment(const part* p, size_t at, int*, int flags)", "arg2"),
    ("part* archive_open(const char*, int, int*)", "arg2"),
    ("void error_get(const part* p, int*, int*)", "arg1 arg2"),
    ("int packet_next(part* p, thing*, const u8**)", "arg1 arg2"),
    # As many come out as go in by value: not where something counts, and not one alone, which may be a vector.
    ("int sky_forward(double, double, part*, double*, double*)", "arg3 arg4"),
    ("void lab_to_rgb(part* p, float, float, float, unsigned*, unsigned*, unsigned*)", "arg4 arg5 arg6"),
    ("int sky_step(double, part*, double*)", ""),
    ("int sky_table(double, double, part*, double*, double*)", ""),
    ("void sky_series(const part* f, double a, double b, double* series12, double* series24)", ""),
    ("void sky_limits(const part* f, double* min_out, double* max_out)", "min_out max_out"),
    ("part* sky_at(const char* text, part** section)", ""),
    ("void queue_get_marks(part* queue, unsigned* markCount, row* mark)", ""),
    ("int sky_mix(double, double, part*, double*, double*, double*)", ""),
    ("int sky_rows(double n, double nrows, part*, double* a, double* b)", ""),
    ("void sky_scale(double, double, part*, double*, double*)", ""),
    # One function for each type of a value; blocks have such functions, too.
    ("int ini_readInt(part* p, int* value)", "value"),
    ("int ini_readLong(part* p, long* value)", "value"),
    ("int ini_readDouble(part* p, double* value)", "value"),
    ("int ini_readU8(part* p, u8* value)", "value"),
    ("int block_readInt(part* p, int* block)", ""),
    ("int block_readLong(part* p, long* block)", ""),
    ("int block_readDouble(part* p, double* block)", ""),
    # One quantity by its name, of a function that tells; not what goes in, too, and not beside extents.
    ("int clock_look(const part* p, double* idle_seconds, long* frames_left)", "idle_seconds frames_left"),
    ("int source_look(const char* source, int* type)", "type"),
    ("int char_look(const char* file, int* mode)", ""),
    ("int clock_look_all(const part* p, int n, double* idle_seconds)", ""),
    ("void clock_run(const part* p, long* frames_left)", ""),
    # What was there before, and the place of one handle behind what goes in.
    ("int side_select(part* p, st side, st* prev_side)", "prev_side"),
    ("const st* sides_iterate(part* p, void** prevp)", ""),  # where the next call goes on
    ("const char* side_name(part*, int, int*)", ""),  # an array of which C reads the element of that number
    ("int dir_add(const char* name, const void* cookie, const void** oldcookie)", "oldcookie"),
    ("int store_old(part* p, double* old_values)", ""),
    ("int side_keep(part* p, int n, int* old_rows)", ""),
    ("int hosts_check_key(part* hosts, const char* key, size_t keylen, int mask, part** host)", "host"),
    ("int hosts_check_all(part* hosts, size_t n, part** host)", ""),
    ("int config_in(const char* path, part** config)", "config"),
    ("int config_on(part** config, const char* path)", ""),
    ("int child_replace(part* node, part* child, part** returnChild)", "returnChild"),
    ("int info_unref(part** info)", ""),
    # Bytes are buffers, unless a version, a length of what comes out, or the function's own name is one.
    ("int lib_version(u8* major, u8* minor)", "major minor"),
    ("int clock_get_status(part* p, u8* status)", "status"),
    ("int chip_get_serial(part* p, u8* serial)", ""),
    ("int chip_get_key(part* p, u8* key)", ""),
    ("int chip_read_status(part* p, u8* status, int n)", ""),
    ("const void* record_find(const part* p, const char* key, u8* valueLen)", "valueLen"),
    ("int chip_get_sort(part* p, sort* which)", "which"),
    ("int chip_set_sort(part* p, sort which)", ""),
    ("int chip_get_tone(part* p, tone* which)", ""),
    ("int chip_play(part* p, tone first, const tone* which)", ""),
    # A mask asks for several; the size that a function returns is not given twice; waiting is no output.
    ("int device_get_info(part* p, unsigned mask, unsigned* info)", ""),
    ("size_t field_size(const part* p, size_t* size)", ""),
    ("int renew(int handle, int* timeOut)", ""),
    ("int file_read(part* p, const char* name, u8* buffer, int offset, unsigned* length)", ""),
    ("part* map_get_named(const part* p, const char** space)", ""),
    ("int path_solve(part* g, int from, int to, int* dist, int* prev)", ""),
    ("int tree_look(const part* p, int* left, int* right)", ""),
    ("int step_on(double t, double h, part* p, double* y, double* dydt)", ""),
    ("int mesh_look(const part* p, int* cell_type)", ""),
    ("int axes_get(const part* p, double* axis1, double* axis2)", ""),
    ("int heads_on(part* p, st* prev_node)", ""),
    # What comes out of one function comes out of its kin; handles and counts, which go in as often, do not.
    ("int box_get_valid(const part* p, int* lowest)", "lowest"),
    ("int box_valid(const part* p, int* lowest)", "lowest"),
    ("int box_put_valid(const part* p, int* lowest)", ""),
    ("int box_valid_at(const part* p, int n, int* lowest)", ""),
    ("int box_get_data(const part* p, long* value)", "value"),
    ("int box_room(const part* p, long* value)", ""),
    ("int box_get_span(const part* p, unsigned* addr_len)", "addr_len"),
    ("int box_take(int fd, row* addr, unsigned* addr_len)", ""),
    ("int box_get_rows(const part* p, int n, long* inner)", ""),
    ("int box_get_row(const part* p, long* inner)", "inner"),
    ("int box_at(const part* p, long* inner)", ""),
    # Named counts beside single ones; quantities that are asked for; numbered ones.
    ("int box_get_ratio(const part* p, unsigned* ratio_num, unsigned* ratio_den)", "ratio_num ratio_den"),
    ("int peer_get_all(const part* p, char** address, unsigned short* port)", "address port"),
    ("void joint_get_both(const part* p, double* angle1, double* angle2)", "angle1 angle2"),
    ("int thumb_encode(part* p, const part* image, int size, part** out_thumb)", "out_thumb"),
    ("int record_register(part* p, part** record, int flags, unsigned short rdlen, const void* rdata)", "record"),
    ("int open_page(thing* handle, char** kind, int* length, int* httpStatus)", "handle kind length httpStatus"),
)  # fmt: skip


def outputs(lib: Any) -> dict[str, str]:
    """The outputs of each function."""
    return {
        f.name: " ".join(p.name for p in f.parameters if not p.intent.visible)
        for f in lib.__model__.functions
    }


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    header = tmp_path_factory.mktemp("guesses") / "guesses.h"
    header.write_text(TYPES + "\n".join(f"{declaration};" for declaration, _ in ROWS))
    return sb.bind(header, library="libnothing.so", style="c_api")


@pytest.mark.parametrize(("declaration", "expected"), ROWS, ids=[r[0].partition("(")[0] for r in ROWS])
def test_what_is_guessed(lib: Any, declaration: str, expected: str) -> None:
    name = declaration.partition("(")[0].split()[-1].lstrip("*")
    assert outputs(lib)[name] == expected


DOCUMENTED = r"""
typedef struct part_s part; typedef enum { LEFT, RIGHT } st; struct row_s;
/** Asks for the weight. \param p the part \param[out] value the number of grams */
int part_ask(const part *p, int *value);
/** \see part_ask */
int part_ask_r(void *context, const part *p, int *value);
/** \param p the part
    \param[out] values array of the grams */
int part_many(const part *p, int *values);
/** \param p the part
    \param[in,out] step on input the wanted step, on output the real one */
int part_get_step(const part *p, int *step);
/**
 * part_look:
 * @p: a part
 * @weight: (out): where to store the weight
 */
int part_look(const part *p, double *weight);
int part_tell(const part *p, /*out*/ int *weight);
int part_keep(const part *p, /*in,out*/ int *weight);
int part_say(const part *p, int *weight) __attribute__((access(write_only, 2)));
int part_say_all(const part *p, int *weight, int n) __attribute__((access(write_only, 2, 3)));
/* Plain comments count, too: on return, *weight is set to the weight. */
int part_weight_of(const part *p, int *weight);
/** \param p the part
    \param size output value, buffer size in bytes */
int part_buffer_size(const part *p, int *size);
/* Reads a value.
 *
 * value - pointer to store the value, or NULL
 * skip - whether the first of the list is left out
 */
int part_read_value(const part *p, int *value, int skip);
/** @param mid <b>OUT</b>: the number of the message */
int part_publish(const part *p, int *mid, int payloadlen, const void *payload);
/** @param mid pointer to an int. If not NULL, it will be set to the number of the message. */
int part_announce(const part *p, int *mid, int payloadlen, const void *payload);
/** Writes the part to *out. If *out is NULL, memory is allocated, else it is advanced. */
int part_to_der(const part *p, unsigned char **out);
/* Writes the list. If |pp| points to NULL, memory is allocated for it. */
int part_list_to_der(const part *p, unsigned char **pp);
/** @param size pointer to a value that will hold the maximum size */
int part_most(const part *p, int *size);
/** `sp' specifies the pointer to the variable into which the size is assigned. */
int part_region(const part *p, int *sp);
/** \p kind (if not NULL) is updated to tell the kind. */
int part_kind_of(const part *p, int *kind);
/** Looks for the users, and stores them in *users. */
int part_all(int **users);
/** On success \p lists is updated to point to a newly allocated list, which must be freed. */
int part_groups(const part *p, struct row_s **lists);
/** \param[out] syms an immutable array of symbols */
int part_syms(const part *p, const unsigned **syms);
/** \param[out] rows array of rows, of which the caller has `n` */
int part_rows(const part *p, int n, int **rows);
int part_order(const char *text, /* input text */
               st *direction, /* output direction */
               int *levels /* output array */);
int part_hand(/*! [in] The name,
                *  which is a text. */
              const char *name,
              /*! [out] The handle of the part. */
              int *hnd,
              /*! [in,out] Pointer to the requested time; on return, it is the granted one. */
              int *time,
              /*! [in] Pointer to an array of names. */
              const char **names);
int part_bits(const part *p, /* the part */
              unsigned *low, /* minimum number of bits, which is set */
              unsigned long *sizes_of, /* number of bits per dimension, which are set */
              unsigned long *per /* one number for each of the parts is stored here */);
int head_number(const char *head, /* the text */
                const char *key,  /* its name */
                double *dval);    /* double value (returned) */
int head_other(const char *head, double *dval);
/* Fill *pna with the number of parts. */
int part_numbers(const part *p, int *pna);
/* PLACE is set to the place, and the result is stored in *TOTAL_OF. */
int part_place(const part *p, int *place, int *total_of);
/** \param[out] mode the mode that is in use
    \param[out] digest the sum */
void part_set_mode_of(const part *p, int *mode, unsigned char *digest);
/** \param p the part \param size its length \param result the result or error will be written here */
int part_unpack(void *p, unsigned size, int *result);
"""
TOLD = (
    ("part_ask", "value"), ("part_ask_r", "value"), ("part_many", ""), ("part_get_step", ""), ("part_look", "weight"),
    ("part_tell", "weight"), ("part_keep", ""), ("part_say", "weight"), ("part_say_all", ""),
    ("part_weight_of", "weight"),
    ("part_buffer_size", "size"), ("part_read_value", "value"), ("part_publish", "mid"), ("part_announce", "mid"),
    ("part_to_der", ""), ("part_list_to_der", ""), ("part_most", "size"), ("part_region", "sp"),
    ("part_kind_of", "kind"), ("part_all", "users"),
    ("part_groups", "lists"), ("part_syms", "syms"), ("part_rows", ""), ("part_order", "direction"),
    ("part_hand", "hnd"), ("part_bits", "low"), ("part_numbers", "pna"), ("head_number", "dval"),
    ("head_other", ""), ("part_place", "place total_of"),
    ("part_set_mode_of", "mode"), ("part_unpack", "result"),
)  # fmt: skip


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Any:
    header = tmp_path_factory.mktemp("documented") / "documented.h"
    header.write_text(DOCUMENTED)
    return sb.bind(header, library="libnothing.so", style="c_api")


@pytest.mark.parametrize(("function", "expected"), TOLD, ids=[t[0] for t in TOLD])
def test_documents_and_annotations(documented: Any, function: str, expected: str) -> None:
    assert outputs(documented)[function] == expected


def test_explain_says_which_rule(documented: Any) -> None:
    (facts,) = sb.explain(documented, "part_ask_r").functions
    assert facts.arguments[-1].why == "the documentation's [out] of part_ask() says that it comes out"
    (facts,) = sb.explain(documented, "part_many").functions
    assert "goes in" in str(sb.explain(documented, "part_get_step"))
    assert facts.arguments[-1].why


def test_the_message_names_the_intent(tmp_path: Path) -> None:
    (tmp_path / "level.h").write_text(
        "static inline int level(void *h, int *where) { return *where = 3, 0; }\n"
    )
    lib: Any = sb.bind(tmp_path / "level.h", style="c_api")
    advice = r"arg_intent=\{'level': \{'where': 'out_return'\}\} returns it"
    with pytest.raises(sb.ArgumentError, match=advice):
        lib.level(None)
    with pytest.raises(sb.Error, match=advice):
        lib.level(None, "x")
    intents = {"level": {"where": "out_return"}}
    again: Any = sb.bind(tmp_path / "level.h", style="c_api", arg_intent=intents)
    assert again.level(None) == (0, 3)


def test_a_small_number_is_no_address(tmp_path: Path) -> None:
    """An int is an address in this style; where no program has memory, a number was meant for C."""
    (tmp_path / "swap.h").write_text(
        "static inline int swap(int *a, int *b) { int c = *a; *a = *b; *b = c; return c; }\n"
        "static inline double first(const double *x) { return *x; }\n"
        "static inline long any(void *x) { return (long)x; }\n"
    )
    lib: Any = sb.bind(tmp_path / "swap.h", style="c_api")
    for number in (1, 5, 4095, np.int64(7)):
        with pytest.raises(
            sb.ArgumentError, match=r"swap\(\) argument 1 'a'.*An int is an address here.*\[\d+\] is a"
        ):
            lib.swap(number, number)
    with pytest.raises(sb.ArgumentError, match="An int is an address here"):
        lib.first(3)
    assert lib.any(5) == 5
    a, b = [1], [2]
    assert lib.swap(a, b) == 1
    assert (a, b) == ([2], [1])
    number = np.full(1, 2.5)
    assert lib.first(number.ctypes.data) == 2.5
