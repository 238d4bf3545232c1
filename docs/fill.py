"""fill.py - wraps the prose of a Markdown page; headings, tables, code and HTML stay as they are."""
import re
import unicodedata

WIDTH = 100
# Never broken inside: placeholders, code, HTML, links with short texts, targets of the others.
WHOLE = re.compile(r"\{\{.*?\}\}|(`+)[^`].*?\1|<[^>]*>|\[[^][]{,40}\]\([^)]*\)|\]\([^)]*\)", re.S)
ITEM = re.compile(r" *(?:[-*+]|([0-9]+)[.)]) +")
VERBATIM = re.compile(r" *(#+ |\||>|<!--|</?(details|summary|div|p|table|a|img)\b)")
# What would be a list, a heading, a quotation, a table or HTML if a line began with it.
SPECIAL = re.compile(r"[-+*=]+$|#+$|[0-9]+[.)]$|[>|<]|```|~~~")
STOPS = "，。；：、！？"


def wide(c):
    return unicodedata.east_asian_width(c) in "WF"


def width(text):
    return len(text) if text.isascii() else sum(2 if wide(c) else 1 for c in text)


def join(lines):
    """One line of them; none of the blanks between that nobody sees in Chinese."""
    text = lines[0].strip()
    for line in lines[1:]:
        line = line.strip()
        gap = "" if text[-1] in STOPS or (wide(text[-1]) and wide(line[0])) else " "
        text += gap + line
    return text


def pieces(text):
    """What may stand on lines of their own, each with the blank before it, if any: split at blanks, and after Chinese stops."""
    whole = [m.span() for m in WHOLE.finditer(text)]
    cuts = [0]
    for i in range(1, len(text)):
        if any(a < i < b for a, b in whole):
            continue
        before, here = text[i - 1], text[i]
        may = here == " " or before in STOPS and (here.isalnum() or here in "`[（《")
        if may and not SPECIAL.match(re.match(r" ?(\S*)", text[i:])[1]):
            cuts.append(i)
    return [text[a:b] for a, b in zip(cuts, cuts[1:] + [len(text)])]


def fill_paragraph(lines):
    start = (ITEM.match(lines[0]) or re.match(" *", lines[0]))[0]
    done, line = [], start
    for piece in pieces(join([lines[0][len(start):], *lines[1:]])):
        if width(line + piece) > WIDTH and line != start:
            done.append(line)
            line = " " * len(start) + piece.lstrip(" ")
        else:
            line += piece
    return [*done, line]


def begins_item(line, above):
    """Is the line a list item, not the rest of the paragraph above it?  A number is one if it is 1, or in a numbered list."""
    item = ITEM.match(line)
    return item and (item[1] in (None, "1") or not above or re.match(" *[0-9]+[.)] ", above[0]))


def fill(text):
    done, paragraph, fence, code = [], [], None, False

    def end():
        if paragraph:
            done.extend(fill_paragraph(paragraph))
            paragraph.clear()

    for line in text.split("\n"):
        opening = re.match(r" *(```+|~~~+)", line)
        blank_before = not paragraph and (not done or not done[-1].strip())
        code = line.startswith("    ") and (code or blank_before)
        if fence or opening:
            end()
            done.append(line)
            if opening and not fence:
                fence = opening[1]
            elif fence and line.strip() == fence:
                fence = None
        elif code or not line.strip() or VERBATIM.match(line):
            end()
            done.append(line)
        else:
            if begins_item(line, paragraph):
                end()
            paragraph.append(line)
            if line.endswith("\\"):
                end()
    end()
    return "\n".join(done) + "\n"
