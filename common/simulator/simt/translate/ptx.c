/* ptx.c - see rules.h.  What the instructions do is in include/simt_ptx.h. */
#include "rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_table.h"

enum { MOST_OPERANDS = 40, MOST_WORDS = 12 };

/* One asm statement: its text, its operands in C++, and the generated code. */
typedef struct assembly {
    char text[8192], place[1024];
    char constraint[MOST_OPERANDS];
    bool output[MOST_OPERANDS];
    size_t n;
    FILE *code;
    bool failed;
} assembly_t;

static void fail(assembly_t *a, const char *what, const char *instruction)
{
    if (!a->failed) fprintf(stderr, "%s: error: inline PTX: %s: %s\n", a->place, what, instruction);
    a->failed = true;
}

/* ---- the C++ around the text ---- */

/* Adds the contents of the string literal at token i, with its escapes decoded. */
static void add_text(assembly_t *a, const token_t *k)
{
    size_t length = strlen(a->text);
    for (const char *c = k->text + 1; c + 1 < k->text + k->length && length + 2 < sizeof a->text; ++c) {
        char sign = *c;
        if (sign == '\\' && c + 2 < k->text + k->length) {
            ++c;
            sign = *c == 'n' || *c == 't' || *c == '\n' ? ' ' : *c;
        }
        a->text[length++] = sign;
    }
    a->text[length] = 0;
}

/* The length of the label, with its colon, at the start of "again: ..."; 0 if there is none.  A :: belongs to an
 * instruction, not to a label. */
static size_t label_at(const char *s)
{
    const size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%=");
    return n && s[n] == ':' && s[n + 1] != ':' ? n + 1 : 0;
}

/* Instructions of PTX contain a dot, those of other assemblers do not. */
static bool is_ptx(const char *text)
{
    text += strspn(text, " \t\n{");
    const size_t label = label_at(text);
    if (label) return is_ptx(text + label);
    if (*text == '.' || *text == '@') return true;
    const size_t word = strcspn(text, " \t\n;");
    return memchr(text, '.', word) != NULL || (word == 4 && strncmp(text, "trap", 4) == 0);
}

/* Replaces the constraint of "=r"(x) by the start of a reference to x.  Returns the token after the operand. */
static size_t take_operand(assembly_t *a, tokens_t *t, size_t i, bool output)
{
    if (a->n == MOST_OPERANDS) return t->count;
    while (t->token[i].kind == TOKEN_TEXT && t->token[i + 1].kind == TOKEN_TEXT) token_drop(t, i++); /* "=" "r" */
    if (t->token[i].kind != TOKEN_TEXT || !token_is(t, i + 1, "(")) return t->count;
    const token_t *k = &t->token[i];
    a->constraint[a->n] = k->text[k->length - 2];
    a->output[a->n] = output;
    token_instead(t, i, "auto &&simt_e%zu = ", a->n);
    const size_t close = token_close(t, i + 1);
    token_after(t, close, ";");
    ++a->n;
    return close + 1;
}

static void take_operands(assembly_t *a, tokens_t *t, size_t i, size_t close)
{
    int part = 0;       /* 1: outputs, 2: inputs, 3: clobbers */
    while (i < close) {
        if (token_is(t, i, ":") || token_is(t, i, "::")) {
            part += token_is(t, i, "::") ? 2 : 1;
            token_drop(t, i++);
        } else if (part >= 3 || token_is(t, i, ",")) {
            token_drop(t, i++);
        } else {
            i = take_operand(a, t, i, part == 1);
        }
    }
}

static const char *type_of_constraint(char c)
{
    switch (c) {
    case 'h': return "uint16_t";
    case 'r': return "uint32_t";
    case 'l': return "uint64_t";
    case 'q': return "unsigned __int128";
    case 'f': return "float";
    case 'd': return "double";
    default: return NULL;
    }
}

/* ---- operands of an instruction ---- */

static char *trim(char *s)
{
    s += strspn(s, " \t\n");
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1])) s[--n] = 0;
    return s;
}

/* Splits the text at commas outside of brackets. */
static size_t cut(char *s, char **part, size_t most)
{
    size_t n = 0;
    int depth = 0;
    if (!*trim(s)) return 0;
    part[n++] = s;
    for (; *s; ++s) {
        depth += *s == '{' || *s == '[' ? 1 : *s == '}' || *s == ']' ? -1 : 0;
        if (*s == ',' && depth == 0 && n < most) {
            *s = 0;
            part[n++] = s + 1;
        }
    }
    for (size_t i = 0; i < n; ++i) part[i] = trim(part[i]);
    return n;
}

static const char *special_of(const char *name)
{
    for (size_t i = 0; i < sizeof PTX_SPECIALS / sizeof *PTX_SPECIALS; ++i)
        if (strcmp(name, PTX_SPECIALS[i].name) == 0) return PTX_SPECIALS[i].code;
    return NULL;
}

/* Writes a register, a number or an operand of the statement in C++ to `to`. */
static void operand(assembly_t *a, const char *s, char *to, size_t size)
{
    while (*s == '%' && s[1] == '%') ++s;
    const char *special = *s == '%' ? special_of(s + 1) : NULL;
    if (special) {
        snprintf(to, size, "%s", special);
    } else if (*s == '!') {
        char inner[128];
        operand(a, s + 1, inner, sizeof inner);
        snprintf(to, size, "!%s", inner);
    } else if (*s == '%' && isdigit((unsigned char)s[1])) {
        snprintf(to, size, "simt_%d", atoi(s + 1));
    } else if (s[0] == '0' && (s[1] == 'f' || s[1] == 'F')) {
        snprintf(to, size, "simt::from_bits<float>(0x%su)", s + 2);
    } else if (s[0] == '0' && (s[1] == 'd' || s[1] == 'D')) {
        snprintf(to, size, "simt::from_bits<double>(0x%sull)", s + 2);
    } else if (isdigit((unsigned char)*s) || *s == '-') {
        snprintf(to, size, "%s", s);
    } else if (*s == '%' || isalpha((unsigned char)*s) || *s == '_') {
        snprintf(to, size, "simt_r_%s", s + (*s == '%'));
        for (char *c = to; *c; ++c)
            if (*c == '.' || *c == '$') *c = '_';
    } else {
        fail(a, "an operand is not understood", s);
        snprintf(to, size, "0");
    }
}

/* Writes the address [a + 4] in C++ to `to`. */
static void address(assembly_t *a, char *s, bool shared, char *to, size_t size)
{
    char base[160];
    const size_t n = strlen(s);
    if (*s != '[' || s[n - 1] != ']') {
        fail(a, "an address in brackets is wanted", s);
        return;
    }
    s[n - 1] = 0;
    char *plus = strchr(s, '+');
    if (plus) *plus = 0;
    operand(a, trim(s + 1), base, sizeof base);
    snprintf(to, size, "simt_ptx::%s(%s) + %s", shared ? "shared" : "generic", base, plus ? trim(plus + 1) : "0");
}

/* ---- instructions ---- */

/* The parts of "ld.global.nc.v2.f32" that matter: key "ld", type "float", 2 values. */
typedef struct instruction {
    char key[64];
    const char *type, *second;  /* the last type named, and the one before it */
    bool shared;                /* the first space named */
    int values;
} instruction_t;

static const char *type_named(const char *word)
{
    for (size_t i = 0; i < sizeof PTX_TYPES / sizeof *PTX_TYPES; ++i)
        if (strcmp(word, PTX_TYPES[i].name) == 0) return PTX_TYPES[i].code;
    return NULL;
}

/* A memory order or scope that an mbarrier of the simulator always has is ignored, too. */
static bool means_nothing(const char *key, const char *word)
{
    static const char *const OF_BARRIERS[] = {"release", "acquire", "relaxed", "cta", "cluster"};
    for (size_t i = 0; i < sizeof OF_BARRIERS / sizeof *OF_BARRIERS && strncmp(key, "mbarrier", 8) == 0; ++i)
        if (strcmp(word, OF_BARRIERS[i]) == 0) return true;
    if (strcmp(key, "barrier") == 0 && strcmp(word, "cta") == 0) return true;
    for (size_t i = 0; i < sizeof PTX_WORDS / sizeof *PTX_WORDS; ++i)
        if (strcmp(word, PTX_WORDS[i]) == 0) return true;
    return false;
}

static instruction_t parse(const char *mnemonic)
{
    instruction_t in = {.type = "uint32_t", .second = "uint32_t", .values = 1};
    char copy[128], *rest = NULL;
    bool space = false;
    snprintf(copy, sizeof copy, "%s", mnemonic);
    for (char *word = strtok_r(copy, ".", &rest); word; word = strtok_r(NULL, ".", &rest)) {
        const char *type = *in.key ? type_named(word) : NULL;
        const bool shared = strncmp(word, "shared", 6) == 0, global = strcmp(word, "global") == 0;
        const bool names_space = strncmp(in.key, "cvta", 4) == 0 || strncmp(in.key, "mapa", 4) == 0 ||
                                 strncmp(in.key, "getctarank", 10) == 0;
        if (shared && names_space) word = (char *)"shared"; /* ::cta, ::cluster */
        if (type) {
            in.second = in.type;
            in.type = type;
        } else if ((shared || global) && !names_space) {
            in.shared = space ? in.shared : shared;
            space = true;
        } else if (word[0] == 'v' && (word[1] == '2' || word[1] == '4') && !word[2]) {
            in.values = word[1] - '0';
        } else if (!*in.key || !means_nothing(in.key, word)) {
            const size_t n = strlen(in.key);
            snprintf(in.key + n, sizeof in.key - n, "%s%s", n ? "." : "", word);
        }
    }
    return in;
}

/* What the table says of an instruction. */
typedef struct row {
    const char *key, *shape;
    char function[48];
    bool two_types;
} row_t;

static bool find_row(const char *key, row_t *row)
{
    const size_t n = strlen(key);
    for (size_t i = 0; i < sizeof PTX_TABLE / sizeof *PTX_TABLE; ++i)
        for (const char *name = PTX_TABLE[i].names, *end; *name; name = end + strspn(end, " ")) {
            end = name + strcspn(name, " ");
            if (strncmp(name, key, n) != 0 || (name[n] != '=' && name + n != end)) continue;
            const char *function = name[n] == '=' ? name + n + 1 : name;
            *row = (row_t){key, PTX_TABLE[i].shape, "", PTX_TABLE[i].two_types};
            snprintf(row->function, sizeof row->function, "%.*s", (int)(end - function), function);
            for (char *c = row->function; *c; ++c)
                if (*c == '.') *c = '_';
            return true;
        }
    return false;
}

/* Translates ld.v2 and st.v4, whose values are in braces. */
static void write_vector(assembly_t *a, const instruction_t *in, bool load, char **part)
{
    char *value[4], at[256], one[160], *braces = trim(part[load ? 0 : 1]);
    const size_t n = strlen(braces);
    if (n < 2 || *braces != '{' || braces[n - 1] != '}') {
        fail(a, "values in braces are wanted", braces);
        return;
    }
    braces[n - 1] = 0;
    const size_t values = cut(braces + 1, value, 4);
    address(a, part[load ? 1 : 0], in->shared, at, sizeof at);
    if (load) fprintf(a->code, "{ const auto simt_v = simt_ptx::ld_vector<%s, %d>(%s); ", in->type, in->values, at);
    else fprintf(a->code, "simt_ptx::st_vector<%s, %d>(%s", in->type, in->values, at);
    for (size_t i = 0; i < values; ++i) {
        operand(a, value[i], one, sizeof one);
        if (load) fprintf(a->code, "simt_ptx::put(%s, simt_v.x[%zu]); ", one, i);
        else fprintf(a->code, ", simt_ptx::as<%s>(%s)", in->type, one);
    }
    fprintf(a->code, load ? "} " : "); ");
}

/* Writes one operand.  A letter of the row's shape gives its kind: d destination, s source, w a source of the
 * second type in the name, u a 32-bit number, p a predicate, n a constant; an address in the first space of the
 * name (a), in global (b) or in shared memory (m). */
static void write_operand(assembly_t *a, const instruction_t *in, char kind, char *s)
{
    char text[256] = "0";
    if (strchr("abm", kind)) address(a, s, kind == 'm' || (kind == 'a' && in->shared), text, sizeof text);
    else operand(a, s, text, sizeof text);
    switch (kind) {
    case 's': fprintf(a->code, "simt_ptx::as<%s>(%s)", in->type, text); break;
    case 'u': fprintf(a->code, "simt_ptx::as<uint32_t>(%s)", text); break;
    case 'p': fprintf(a->code, "(bool)(%s)", text); break;
    default: fputs(text, a->code);
    }
}

/* Splits {%1, %2}, or one register, into value, at most 8; returns their number. */
static size_t in_braces(assembly_t *a, char *s, char **value)
{
    s = trim(s);
    const size_t n = strlen(s);
    if (*s != '{') {
        value[0] = s;
        return 1;
    }
    if (s[n - 1] == '}') s[n - 1] = 0;
    else fail(a, "values in braces are wanted", s);
    return cut(s + 1, value, 8);
}

/* Writes the registers of a matrix as an array. */
static void write_array(assembly_t *a, const char *name, const char *type, char *s)
{
    char *value[8], one[160];
    const size_t n = in_braces(a, s, value);
    fprintf(a->code, "const %s simt_%s[] = {", type, name);
    for (size_t i = 0; i < n; ++i) {
        operand(a, value[i], one, sizeof one);
        fprintf(a->code, "%ssimt_ptx::as<%s>(%s)", i ? ", " : "", type, one);
    }
    fputs("}; ", a->code);
}

static void write_puts(assembly_t *a, char *s, const char *from)
{
    char *value[8], one[160];
    const size_t n = in_braces(a, s, value);
    for (size_t i = 0; i < n; ++i) {
        operand(a, value[i], one, sizeof one);
        fprintf(a->code, "simt_ptx::put(%s, %s[%zu]); ", one, from, i);
    }
}

/* Cuts off the second result, after a |: shfl stores there whether the lane that it reads is in range. */
static void write_second(assembly_t *a, const row_t *row, char **part)
{
    char *second = strchr(part[0], '|'), to[160], lane[160], clamp[160];
    if (!second) return;
    *second++ = 0;
    part[0] = trim(part[0]);
    operand(a, trim(second), to, sizeof to);
    if (strcmp(row->key, "elect.sync") == 0) {
        operand(a, part[1], lane, sizeof lane);
        fprintf(a->code, "simt_ptx::put(%s, simt_ptx::elect_in_range(simt_ptx::as<uint32_t>(%s))); ", to, lane);
    } else if (strncmp(row->key, "shfl.", 5) == 0) {
        operand(a, part[2], lane, sizeof lane);
        operand(a, part[3], clamp, sizeof clamp);
        fprintf(a->code, "simt_ptx::put(%s, simt_ptx::%s_in_range(", to, row->function);
        fprintf(a->code, "simt_ptx::as<uint32_t>(%s), ", lane);
        fprintf(a->code, "simt_ptx::as<uint32_t>(%s))); ", clamp);
    } else {
        fail(a, "this instruction has no second result in the simulator", row->key);
    }
}

/* Translates mov.b64 d, {lo, hi}, which joins two registers, and mov.b64 {lo, hi}, s, which splits one; _ stands
 * for an unused part. */
static void write_pieces(assembly_t *a, const instruction_t *in, char **part)
{
    char *value[8], one[160];
    if (*part[0] == '{') {
        const size_t n = in_braces(a, part[0], value);
        operand(a, part[1], one, sizeof one);
        fprintf(a->code, "{ const auto simt_v = simt_ptx::as<%s>(%s); ", in->type, one);
        for (size_t i = 0; i < n; ++i) {
            if (strcmp(value[i], "_") == 0) continue;
            operand(a, value[i], one, sizeof one);
            fprintf(a->code, "simt_ptx::put(%s, simt_ptx::piece<%s, %zu>(simt_v, %zu)); ", one, in->type, n, i);
        }
        fputs("} ", a->code);
        return;
    }
    operand(a, part[0], one, sizeof one);
    fprintf(a->code, "simt_ptx::put(%s, simt_ptx::pack<%s>(", one, in->type);
    const size_t n = in_braces(a, part[1], value);
    for (size_t i = 0; i < n; ++i) {
        operand(a, value[i], one, sizeof one);
        fprintf(a->code, "%s%s", i ? ", " : "", one);
    }
    fputs(")); ", a->code);
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c} */
static void write_mma(assembly_t *a, const char *mnemonic, char *operands)
{
    enum { D, A, B, C, TYPES };
    char copy[128], *rest = NULL, *part[TYPES], *value[8];
    int types = 0, which[TYPES] = {0}, m = 0, n = 0, k = 0;
    bool saturates = false, rows = false, columns = false;
    snprintf(copy, sizeof copy, "%s", mnemonic);
    for (char *word = strtok_r(copy, ".", &rest); word; word = strtok_r(NULL, ".", &rest)) {
        saturates = saturates || strcmp(word, "satfinite") == 0;
        rows = rows || strcmp(word, "row") == 0;
        columns = columns || strcmp(word, "col") == 0;
        if (*word == 'm' && isdigit((unsigned char)word[1])) sscanf(word, "m%dn%dk%d", &m, &n, &k);
        for (int i = 0; i < (int)(sizeof PTX_MMA_TYPES / sizeof *PTX_MMA_TYPES) && types < TYPES; ++i)
            if (strcmp(word, PTX_MMA_TYPES[i].name) == 0) which[types++] = i + 1;
    }
    const bool known = types == TYPES && rows && columns && n == 8 && (m == 8 || m == 16) &&
                       PTX_MMA_TYPES[which[D] - 1].sum && PTX_MMA_TYPES[which[C] - 1].sum &&
                       PTX_MMA_TYPES[which[A] - 1].element && PTX_MMA_TYPES[which[B] - 1].element &&
                       !(m == 8 && which[A] == 1); /* Volta's, whose threads have other elements */
    if (!known || cut(operands, part, TYPES) != TYPES) {
        fail(a, "the simulator does not know this shape", mnemonic);
        return;
    }
    char destinations[512];
    snprintf(destinations, sizeof destinations, "%s", part[D]);
    const size_t results = in_braces(a, part[D], value);
    fputs("{ ", a->code);
    write_array(a, "a", PTX_MMA_TYPES[which[A] - 1].element_register, part[A]);
    write_array(a, "b", PTX_MMA_TYPES[which[B] - 1].element_register, part[B]);
    write_array(a, "c", PTX_MMA_TYPES[which[C] - 1].sum_register, part[C]);
    fprintf(a->code, "%s simt_d[%zu] = {}; simt_ptx::mma<%d, %d, simt_ptx::%s, simt_ptx::%s, simt_ptx::%s, ",
            PTX_MMA_TYPES[which[D] - 1].sum_register, results, m, k, PTX_MMA_TYPES[which[A] - 1].element,
            PTX_MMA_TYPES[which[B] - 1].element, PTX_MMA_TYPES[which[C] - 1].sum);
    fprintf(a->code, "simt_ptx::%s>(simt_d, simt_a, simt_b, simt_c, %s); ", PTX_MMA_TYPES[which[D] - 1].sum,
            saturates ? "true" : "false");
    write_puts(a, destinations, "simt_d");
    fputs("} ", a->code);
}

/* Translates ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {d}, [a], and stmatrix, whose operands are in the
 * opposite order. */
static void write_matrix(assembly_t *a, const char *mnemonic, char *operands)
{
    char *part[2], at[256];
    const bool load = *mnemonic == 'l', turned = strstr(mnemonic, ".trans") != NULL;
    const int count = strstr(mnemonic, ".x4") ? 4 : strstr(mnemonic, ".x2") ? 2 : 1;
    if (cut(operands, part, 2) != 2 || !strstr(mnemonic, ".b16")) {
        fail(a, "the simulator does not know this shape", mnemonic);
        return;
    }
    address(a, part[load], strstr(mnemonic, ".shared") != NULL, at, sizeof at);
    fputs("{ ", a->code);
    if (load) {
        fprintf(a->code, "const auto simt_v = simt_ptx::ldmatrix<%d, %s>(%s); ", count, turned ? "true" : "false", at);
        write_puts(a, part[0], "simt_v.x");
    } else {
        write_array(a, "v", "uint32_t", part[1]);
        fprintf(a->code, "simt_ptx::stmatrix<%d, %s>(%s, simt_v); ", count, turned ? "true" : "false", at);
    }
    fputs("} ", a->code);
}

static void write_instruction(assembly_t *a, char *mnemonic, char *operands)
{
    char *part[8], to[160];
    if (strncmp(mnemonic, "mma.sync.", 9) == 0) {
        write_mma(a, mnemonic, operands);
        return;
    }
    if (strncmp(mnemonic, "ldmatrix.", 9) == 0 || strncmp(mnemonic, "stmatrix.", 9) == 0) {
        write_matrix(a, mnemonic, operands);
        return;
    }
    const instruction_t in = parse(mnemonic);
    row_t found, *const row = &found;
    if (!find_row(in.key, row)) {
        fail(a, "the simulator does not know this instruction", mnemonic);
        return;
    }
    const size_t n = cut(operands, part, 8), wanted = strcspn(row->shape, "?");
    const bool vector = in.values > 1 && (strcmp(row->key, "ld") == 0 || strcmp(row->key, "st") == 0);
    if (n < wanted || n > strlen(row->shape)) {
        fail(a, "it has other operands here", mnemonic);
        return;
    }
    if (vector) {
        write_vector(a, &in, *row->key == 'l', part);
        return;
    }
    if (strcmp(row->key, "mov") == 0 && (*part[0] == '{' || *part[1] == '{')) {
        write_pieces(a, &in, part);
        return;
    }
    const bool result = *row->shape == 'd';
    if (result) {
        write_second(a, row, part);
        operand(a, part[0], to, sizeof to);
        if (strcmp(part[0], "_") == 0) fputs("(void)(", a->code);
        else fprintf(a->code, "simt_ptx::put(%s, ", to);
    }
    fprintf(a->code, "simt_ptx::%s<%s%s%s>(", row->function, in.type, row->two_types ? ", " : "",
            row->two_types ? in.second : "");
    const char *kind = row->shape;
    for (size_t i = 0; i < n; ++i, ++kind) {
        kind += *kind == '?';
        if (i < (size_t)result) continue;
        if (i > (size_t)result) fputs(", ", a->code);
        write_operand(a, &in, *kind, part[i]);
    }
    fputs(result ? ")); " : "); ", a->code);
}

/* .reg .u32 a, b; or a, b<4>: variables. */
static void write_registers(assembly_t *a, char *s)
{
    char *rest = NULL, *type = strtok_r(s, " \t\n.", &rest), *part[MOST_WORDS];
    const char *code = type ? type_named(type) : NULL;
    if (!code) {
        fail(a, "registers of a type that is not known", type ? type : "");
        return;
    }
    const size_t n = cut(rest, part, MOST_WORDS);
    for (size_t i = 0; i < n; ++i) {
        char name[160];
        if (strchr(part[i], '<')) fail(a, "numbered registers are not known", part[i]);
        operand(a, part[i], name, sizeof name);
        fprintf(a->code, "%s %s = 0; ", code, name);
    }
}

/* A label's name in C++; `length` of s. */
static void write_label(FILE *f, const char *s, size_t length)
{
    fputs("simt_l_", f);
    for (size_t i = 0; i < length; ++i) fputc(isalnum((unsigned char)s[i]) ? s[i] : '_', f);
}

/* A label belongs to its statement, since the compiler may emit the statement more than once. */
static void declare_labels(assembly_t *a)
{
    for (const char *s = a->text; *s; s += *s != 0) {
        s += strspn(s, " \t\n{};");
        const size_t length = label_at(s);
        if (length) {
            fputs("__label__ ", a->code);
            write_label(a->code, s, length - 1);
            fputs("; ", a->code);
        }
        s += length ? length - 1 : strcspn(s, " \t\n{};");
    }
}

/* Translates the text between two semicolons.  Braces are dropped, because every register gets a unique name. */
static void write_statement(assembly_t *a, char *s)
{
    while (*(s = trim(s)) == '{' || *s == '}') ++s;
    const size_t label = label_at(s);
    if (label) {
        write_label(a->code, s, label - 1);
        fputs(":; ", a->code);
        write_statement(a, s + label);
        return;
    }
    if (!*s) return;
    if (strncmp(s, ".reg", 4) == 0) {
        write_registers(a, s + 4);
        return;
    }
    if (*s == '@') {
        char guard[160];
        const size_t length = strcspn(s, " \t\n");
        const char after = s[length];
        s[length] = 0;
        operand(a, s + 1, guard, sizeof guard);
        fprintf(a->code, "if (%s) ", guard);
        s = after ? trim(s + length + 1) : s + length;
    }
    const size_t length = strcspn(s, " \t\n");
    char *operands = s + length + (s[length] != 0);
    s[length] = 0;
    if (strcmp(s, "bra") == 0 || strcmp(s, "bra.uni") == 0) {
        operands = trim(operands);
        fputs("goto ", a->code);
        write_label(a->code, operands, strlen(operands));
        fputs("; ", a->code);
        return;
    }
    write_instruction(a, s, operands);
}

static void write_text(assembly_t *a)
{
    for (char *s = a->text, *next; s; s = next) {
        next = strchr(s, ';');
        if (next) *next++ = 0;
        char *comment = strstr(s, "//");
        if (comment) *comment = 0;
        write_statement(a, s);
    }
}

/* Translates asm volatile("text" : "=r"(x) : "r"(y)); at i.  false after an error. */
static bool translate_statement(tokens_t *t, size_t i)
{
    static assembly_t a;
    a = (assembly_t){0};
    size_t open = i + 1;
    while (open < t->count && t->token[open].kind == TOKEN_WORD) ++open;
    if (!token_is(t, open, "(") || t->token[open + 1].kind != TOKEN_TEXT) return true;
    const size_t close = token_close(t, open);
    size_t k = open + 1;
    for (; t->token[k].kind == TOKEN_TEXT; ++k) add_text(&a, &t->token[k]);
    if (!is_ptx(a.text)) return true;
    tokens_place(t, i, a.place, sizeof a.place);
    for (size_t d = i; d < k; ++d) token_instead(t, d, "%s", d == i ? "do {" : "");
    take_operands(&a, t, k, close);
    char *code = NULL;
    size_t size = 0;
    a.code = open_memstream(&code, &size);
    if (!a.code) return false;
    for (size_t n = 0; n < a.n; ++n) {
        const char *type = type_of_constraint(a.constraint[n]);
        fprintf(a.code, type ? "%s simt_%zu = simt_ptx::in<%s>(simt_e%zu); " : "%s simt_%zu = (%s)simt_e%zu; ",
                type ? type : "const long long", n, type ? type : "long long", n);
    }
    fputs("{ ", a.code);
    declare_labels(&a);
    write_text(&a);
    fputs("} ", a.code);
    for (size_t n = 0; n < a.n; ++n)
        if (a.output[n]) fprintf(a.code, "simt_ptx::out(simt_e%zu, simt_%zu); ", n, n);
    fclose(a.code);
    token_instead(t, close, "%s } while (0)", code);
    free(code);
    return !a.failed;
}

bool translate_ptx(tokens_t *t)
{
    static const char *const ASM[] = {"asm", "__asm__", "__asm", NULL};
    bool right = true;
    for (size_t i = 0; i < t->count; ++i)
        if (t->token[i].kind == TOKEN_WORD && token_among(t, i, ASM)) right = translate_statement(t, i) && right;
    return right;
}
