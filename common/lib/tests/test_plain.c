/* test_plain.c - what a terminal would obey, and what becomes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "plain.h"

static const struct {
    const char *text, *line;
} CASES[] = {
    {"", ""},
    {"my file.cu: 3 < 4", "my file.cu: 3 < 4"},
    {"\xe4\xb8\xad\xe6\x96\x87 \xc3\xa9 \xf0\x9f\x90\x8d", "\xe4\xb8\xad\xe6\x96\x87 \xc3\xa9 \xf0\x9f\x90\x8d"},
    {"\033[31mred\033[0m \033]0;title\a", "?[31mred?[0m ?]0;title?"},
    {"a\nb\tc\rd", "a b c d"},
    {"\x01\x08\x0e\x7f", "????"},
    {"\xc2\x9b" "31m \xc2\x80\xc2\x9f", "?31m ??"},                                  /* C1 as UTF-8 */
    {"\x9b" "31m", "?31m"},                                                          /* and as a byte */
    {"\xe2\x80\xae" "gnp.exe", "?gnp.exe"},                                          /* U+202E */
    {"\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad", "????"},                    /* U+202A to U+202D */
    {"\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9", "????"},                    /* U+2066 to U+2069 */
    {"\xe2\x80\xa8\xe2\x80\xa9", "??"},                                              /* U+2028, U+2029 */
    {"\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c\xe2\x80\x8b\xef\xbb\xbf", "?????"},           /* marks, no width */
    {"\xf3\xa0\x81\x81", "?"},                                                       /* a tag */
    {"\xc0\xaf \xe0\x80\x9b \xf0\x80\x80\x9b", "?? ??? ????"},                       /* longer than need be */
    {"\xed\xa0\x80 \xf4\x90\x80\x80 \xff\xfe \xf8\x88\x80\x80\x80", "??? ???? ?? ?????"}, /* no characters */
    {"\xe4\xb8", "??"},                                                              /* cut */
    {"\xe4\xb8\033", "???"},                                                         /* cut by an escape */
};

TEST(test_what_a_terminal_would_obey_is_not_there)
{
    char text[128];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        strcpy(text, CASES[i].text);
        assert_ptr_equal(plain_line(text), text);
        if (strcmp(text, CASES[i].line)) fail_msg("case %zu: expected \"%s\", got \"%s\"", i, CASES[i].line, text);
    }
}

TEST(test_lines_stay_lines)
{
    char text[] = "a\tb\r\nc\033\n";
    assert_string_equal(plain_lines(text), "a\tb \nc?\n");
}

/* Every byte, and every pair: no control comes out, and twice is as once. */
TEST(test_every_pair_of_bytes)
{
    for (unsigned pair = 0; pair < 65536; ++pair) {
        char text[3] = {(char)(pair >> 8), (char)pair, 0}, again[3];
        plain_line(text);
        for (const char *c = text; *c; ++c) {
            const unsigned byte = (unsigned char)*c;
            if (byte < ' ' || byte == 0x7F || (c == text && byte >= 0x80 && byte < 0xC2))
                fail_msg("%04x: a control is left", pair);
        }
        strcpy(again, text);
        assert_string_equal(plain_line(again), text);
    }
}

TEST(test_a_stream_hands_it_on)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size), *stream = plain_stream(to);
    assert_non_null(stream);
    fprintf(stream, "\033[31m\xe4");
    fprintf(stream, "\xb8\xad\tb\nc");
    fclose(stream);
    fputs(" d", to);
    fclose(to);
    assert_string_equal(text, "?[31m\xe4\xb8\xad\tb\nc d");
    free(text);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
