#!/usr/bin/env python3
"""Makes the pictures of the Chinese pages: NAME.zh.svg of each NAME.svg, its texts by plots/zh.tsv.

Which ones: those that docs/pages/zh and docs/pages/README.zh.md show.  Names (of steps, matrices, GPUs, from the
records) and numbers stay.  A text without a line in zh.tsv, and a line that no picture needs, is a mistake.
"""
import argparse
import html
import pathlib
import re
import sys

TABLE = pathlib.Path("plots/zh.tsv")
SHOWN = re.compile(r"plots/pictures/[\w./-]*\.zh\.svg")
TEXT = re.compile(r"<text[^>]*>.*?</text>", re.S)
PIECE = re.compile(r">([^<]+)<")
TITLE = re.compile(r"<title>([^<]*)</title>")
FONTS = "'Liberation Sans', 'Helvetica Neue', Arial, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
WORDS = set("GB/s lane cu BLAS gemm cuSPARSE cudaMemcpyAsync".split())  # names, and pieces of them


class Names:
    """What the records call steps, matrices and machines: whole, without parameters, the pieces a narrow bar has."""

    def __init__(self):
        self.known = set(WORDS)
        for record in pathlib.Path("plots/data").glob("*/*.tsv"):
            at = None
            for line in record.read_text().splitlines():
                key, _, value = line.partition(": ")
                cells = line.split("\t")
                if line.startswith("#"):
                    if key in ("# gpu", "# cpu"):
                        self.known.add(value)
                elif at is None:
                    at = [i for i, name in enumerate(cells) if name in ("step", "case", "dtype")]
                else:
                    for i in at:
                        self.add(cells[i])

    def add(self, name):
        if name in self.known or "=" in name:
            return
        self.known.add(name)
        for piece in re.split(r"[:(]", name)[:1] + re.split(r"[/_-]", name):
            self.known.add(piece)
        if "(" in name:
            self.known.add(name[name.index("("):])

    def holds(self, text):
        """Nothing to translate: no letters, a name, a matrix of any size; steps, types and formats: v4 / v3, v3 COO."""
        if not re.search("[A-Za-z]", text) or text in self.known:
            return True
        if re.fullmatch(r"(\w+:)+[\d,]+", text) and text.split(":")[-2] in self.known:
            return True
        return all(re.fullmatch(r"[vc]\d+(/\w+)?|fp\d+|[^a-z]+|[KMG]iB", word) for word in re.split("[ ,:]+", text))


class Table:
    def __init__(self):
        self.exact, self.patterns, self.used, self.mistakes = {}, [], set(), []
        for n, line in enumerate(TABLE.read_text().splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            cells = line.split("\t")
            if len(cells) != 2 or cells[0] in self.exact:
                self.mistakes.append(f"{TABLE}:{n}: not two columns, or a text that is there twice")
                continue
            self.exact[cells[0]] = cells[1]
            if re.search(r"%\d", cells[0]):
                parts = re.split(r"(%\d|%%)", cells[0])
                pattern = "".join("(.+?)" if re.fullmatch(r"%\d", part) else re.escape(part.replace("%%", "%"))
                                  for part in parts)
                self.patterns.append((re.compile(pattern), cells[0]))

    def translate(self, text, names):
        """The Chinese text, or None."""
        if text in self.exact and "%" not in text:
            self.used.add(text)
            return self.exact[text]
        if names.holds(text):
            return text
        for pattern, english in self.patterns:
            found = pattern.fullmatch(text)
            parts = [self.translate(part, names) for part in found.groups()] if found else [None]
            if None not in parts:
                self.used.add(english)
                chinese = self.exact[english].replace("%%", "%")
                return re.sub(r"%(\d)", lambda m: parts[int(m[1]) - 1], chinese)
        return None


def draw(picture, table, names):
    """The Chinese picture of an English one."""
    def chinese(text):
        plain = html.unescape(text)
        done = table.translate(plain.strip(), names)
        if done is None:
            table.mistakes.append(f"{picture}: no line in {TABLE} for: {plain.strip()}")
            done = plain.strip()
        return html.escape(done, quote=False)

    def text(found):
        if not re.search("[A-Za-z]", "".join(PIECE.findall(found[0]))):
            return found[0]  # a number, or a power of ten in two pieces
        return PIECE.sub(lambda piece: f">{chinese(piece[1])}<" if piece[1].strip() else piece[0], found[0])

    svg = TEXT.sub(text, picture.read_text())
    svg = TITLE.sub(lambda t: f"<title>{chinese(t[1])}</title>", svg, count=1)
    svg = svg.replace("<svg", '<svg xml:lang="zh"', 1)
    return svg.replace('font-family="sans-serif"', f'font-family="{FONTS}"')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, say which pictures differ")
    check = parser.parse_args().check
    pages = [*pathlib.Path("docs/pages/zh").glob("**/*.md"), pathlib.Path("docs/pages/README.zh.md")]
    shown = sorted({p for page in pages for p in SHOWN.findall(page.read_text())})
    table, names = Table(), Names()
    for name in shown:
        target, source = pathlib.Path(name), pathlib.Path(name.replace(".zh.svg", ".svg"))
        if not source.is_file():
            table.mistakes.append(f"{name}: there is no {source}")
            continue
        svg = draw(source, table, names)
        if target.is_file() and target.read_text() == svg:
            continue
        if check:
            table.mistakes.append(f"{name} is not made of {source}: make docs")
        else:
            target.write_text(svg)
    table.mistakes += [f"{TABLE}: no picture says: {text}" for text in table.exact if text not in table.used]
    print("".join(m + "\n" for m in table.mistakes), end="", file=sys.stderr)
    return 1 if table.mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
