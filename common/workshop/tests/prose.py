#!/usr/bin/env python3
"""prose.py [FILE...]: reports sentence openings and words that pages must not use, as FILE:LINE: RULE: "TEXT".

Without FILE: the sources of all pages, CHANGELOG and CONTRIBUTING.
Code, program output, placeholders, link targets and the titles of pictures are not checked.
Exit status 1 if something is found.

prose.py --test FILE: FILE has one sentence per line: "- " must be found, "+ " must not.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Beginnings of sentences.  Questions and short headings may begin with What, Who or Where.
OPENINGS = (
    ("begins with a what/who clause: subject, verb, object", r"(What|Who|Whoever|Whose|Whom)\b[^?]{25,}$"),
    ("begins with its object or a condition: put the subject first",
     r"(?!.*\?$)(Of (the|what|ways|which|those|these|his|each) |Were |Not to |Whether |Why, |To have |"
     r"That (a|the|all|is) [^.]* is |A [a-z]+ a [a-z]+ |Where (n|it|he|a|the|columns|rows|CUDA|two|there|[a-z]+s) )"),
    ("begins without a subject or verb: write a whole sentence",
     r"(Dealt|Alike|Done|Taken|Asked|Left out|Unknown|Too (much|many|little|few)|Worst|The same(?! \w+)|Nothing) "),
)

# Words anywhere in a sentence: the replacement, and the pattern.
THING = (r"(thread|lane|step|line|row|warp|page|place|tile|turn|gather|block|load|submission|learner|chapter|case|"
         r"second|nonzero|product|word|slice|count)")
WORDS = (
    ("say GPU", r"\b(graphics )?cards?\b(?! file)"),
    ("say simulator", r"\bstand-ins?\b"),
    ("say library or baseline", r"\bpeers?\b"),
    ("name the actor: the program, the thread, the reader",
     r"\b(nobody|somebody|everybody|whoever|(who is|who has)(?!.*\?))\b"),
    ("programs are 'it', people 'they'", r"\b(he|him|his)\b"),
    ("say fixed", r"\bmend(ed|s)?\b"),
    ("say static or dynamic scheduling",
     r"\b(dealt|deals?|hand(s|ed|ing)? out (its|the|their) rows|asked? for rows)\b"),
    ("say inspection", r"\b(a|the|after a|each) look\b"),
    ("say results file", r"\b(a|no|its|two|of|each|every) records?\b"),
    ("say per or for each",
     r"\b(once|twice|times|thread|page|bytes?|sectors?|turns?|steps|line|idea|value|kernel|word|question|number|"
     r"wavefronts?|registers?|vote|addition) an? " + THING + r"\b"),
    ("say index or position", r"\b(each|every|its|no|at) place\b(?! in the)"),
    ("say kernel or variant", r"\b(a|every|other|no|all) ways? that\b"),
    ("say instead of", r"\b(takes?|in) \S+'s place\b"),
    ("say derived from", r"\bthat (it|they) (is|are) from\b"),
    ("say needs", r"\bwants? (a|an|one|its?|two|none|more|no|[a-z]+ bytes?)\b"),
    ("say continues", r"\b(go|goes|went|going) on\b(?! (a|an|the|to))"),
    ("name the mechanism, not a picture of it",
     r"\b(gone home|for free|walks?|stands? (there|before|behind|aside)|asks? in|let go|turned round|turned into|"
     r"makes? good|tells? a way|at work|no harm|lost by|other way round|that is left|held fixed|leads? past|"
     r"asks? least|leaves? open|in vain|have no part|suits? another)\b"),
    ("say even if", r"\b(also|already) if\b"),
    ("say if or when", r"\bwhere (it|they) (is|are)\b"),
    ("say in flight", r"\bon the way\b"),
    ("give the noun", r"\b(the rest is|are none|no more than that|and no more|what is left)\b"),
    ("explain it", r"\b(is|are|was|were) (told|said) so\b|\bquite what\b|'s to say\b|\bas it stands\b"),
    ("say generated, built or converted", r"\b(a|one) made\b(?! (from|of|by))"),
    ("say tested", r"\b(is|was|were|are|what was|been) tried\b|\buntried\b"),
    ("say unnoticed or silently", r"\b(unseen|without a word|says nothing)\b"),
    ("inverted: subject first", r"\bSo (a|the|it|there|that|what) .*, and so (is|are)\b|, for a (CPU|GPU)\b"),
)

CHINESE = (
    ("写：模拟器", "替身"),
    ("写：屏障", "栅障"),
    ("写：GPU", "显卡|[块张]卡|[在到从给]卡[上里，。]|卡[上的]"),
    ("写明主语", "没有人|谁(空|都|也|等)"),
    ("写：健壮性", "故意折腾"),
    ("写：结果文件", "一?[份条]记录"),
    ("写：问题、改动、预测、结果、遗留问题", "之前的问题|一处改动|仍有问题"),
)


def prose(text):
    """The lines of a page with everything but prose removed; the number of lines stays the same."""
    text = re.sub(r"\{[{%].*?[%}]\}|<!--.*?-->|!\[[^]]*\]", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    fenced = code = False
    above = ""
    for line in text.split("\n"):
        if re.match(r" *```", line):
            fenced, line = not fenced, ""
        elif fenced:
            line = ""
        code = line.startswith("    ") and (code or not above.strip()) or code and not line.strip()
        above = line
        line = "" if code or fenced else line
        line = re.sub(r"`[^`]*`", "X", line)
        line = re.sub(r"\]\([^)]*\)|https?://\S+", "]", line)
        yield re.sub(r"[*_\[\]]", "", line)


def sentences(lines):
    """Yields (number of its first line, sentence); sentences end at a stop, a table cell, a list item or an empty line.
    """
    start, words = 1, []
    for n, line in enumerate([*lines, ""], 1):
        begins = not line.strip() or re.match(r" *([-*+#|]|\d+\.) ", line)
        if begins and words:
            yield start, " ".join(words)
            words = []
        line = re.sub(r"^ *([-*+]|#+|\d+\.) ", "", line)
        for part in re.split(r"(?<=[.!?:;])\s+|\s*\|\s*", line):
            if not part.strip():
                continue
            start = start if words else n
            words.append(part.strip())
            if part.rstrip()[-1] in ".!?:;" or "|" in line:
                yield start, " ".join(words)
                words = []


def findings(text, chinese=False):
    """Yields (line, rule, what was found), at most once per rule and sentence."""
    lines = list(prose(text))
    if chinese:
        for n, line in enumerate(lines, 1):
            yield from ((n, say, m[0]) for say, pattern in CHINESE for m in [re.search(pattern, line)] if m)
        return
    for n, sentence in sentences(lines):
        for why, pattern in OPENINGS:
            if re.match(pattern, sentence):
                yield n, why, " ".join(sentence.split()[:5])
        for instead, pattern in WORDS:
            found = re.search(pattern, sentence, re.I)
            if found:
                yield n, instead, found[0]


def samples(path):
    failed = 0
    for n, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if line[:2] not in ("- ", "+ "):
            continue
        found = [f"{rule}: {text}" for _, rule, text in findings(line[2:])]
        if bool(found) != (line[0] == "-"):
            failed += 1
            print(f"{path}:{n}: {'found: ' + '; '.join(found) if found else 'nothing found'}: {line[2:]}")
    return failed != 0


def main(arguments):
    if arguments[:1] == ["--test"]:
        return samples(arguments[1])
    pages = sorted([*ROOT.glob("docs/pages/**/*.md"), *ROOT.glob("C*.md")])
    files = arguments or [str(p.relative_to(ROOT)) for p in pages]
    found = 0
    for name in files:
        for n, rule, text in findings((ROOT / name).read_text(), "/zh/" in name or name.endswith(".zh.md")):
            print(f'{name}:{n}: {rule}: "{text}"')
            found += 1
    return found != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
