// See josa.h. The code point of a Hangul syllable is U+AC00 + 28 * (initial and vowel) + final consonant (The Unicode
// Standard, 3.12). The value 0 for the final consonant means that the syllable ends in a vowel. A digit counts with the
// last sound of its Sino-Korean name: 영 일 이 삼 사 오 육 칠 팔 구. The Korean particle "(으)로" becomes 로 after a
// vowel and also after ㄹ.
#include "base/josa.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

enum sound { UNKNOWN, VOWEL, RIEUL, CONSONANT };

static const struct josa {
    const char *both, *consonant, *vowel;
} josas[] = {
    {"은(는)", "은", "는"}, {"이(가)", "이", "가"},   {"을(를)", "을", "를"},
    {"와(과)", "과", "와"}, {"(으)로", "으로", "로"},
};

static enum sound sound_of_syllable(const unsigned char *at)
{
    enum { FIRST = 0xac00, LAST = 0xd7a3, FINALS = 28, FINAL_RIEUL = 8 };
    unsigned code = (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    if (code < FIRST || code > LAST) return UNKNOWN;
    unsigned final = (code - FIRST) % FINALS;
    return !final ? VOWEL : final == FINAL_RIEUL ? RIEUL : CONSONANT;
}

// Returns the last sound of the word in `text` that ends before byte `end`. Quotation marks and a closing bracket are
// skipped, because these characters have no sound.
static enum sound sound_before(const char *text, size_t end)
{
    static const enum sound digit[] = {CONSONANT, RIEUL,     VOWEL, CONSONANT, VOWEL,
                                       VOWEL,     CONSONANT, RIEUL, RIEUL,     VOWEL};
    while (end && strchr("'\"`", text[end - 1])) --end;
    if (end > 1 && text[end - 1] == ')' && text[end - 2] == '(') return VOWEL;
    while (end && strchr("'\"`)]", text[end - 1])) --end;
    if (!end) return UNKNOWN;
    if (text[end - 1] >= '0' && text[end - 1] <= '9') return digit[text[end - 1] - '0'];
    if (end < 3 || utf8_length(text + end - 3, 3) != 3) return UNKNOWN;
    return sound_of_syllable((const unsigned char *)text + end - 3);
}

static const char *choose(const struct josa *j, enum sound sound)
{
    if (sound == UNKNOWN) return j->both;
    if (sound == RIEUL && !strcmp(j->vowel, "로")) return j->vowel;
    return sound == VOWEL ? j->vowel : j->consonant;
}

void josa_choose(struct text *t, size_t from)
{
    struct text out = {0};
    size_t at = from;
    while (at < t->length) {
        const struct josa *found = NULL;
        for (size_t k = 0; k < sizeof josas / sizeof *josas && !found; ++k)
            if (!strncmp(t->data + at, josas[k].both, strlen(josas[k].both))) found = &josas[k];
        if (found) {
            text_puts(&out, choose(found, sound_before(t->data, at)));
            at += strlen(found->both);
        } else {
            text_add(&out, t->data + at++, 1);
        }
    }
    t->length = from;
    text_add(t, out.length ? out.data : "", out.length);
    text_free(&out);
}
