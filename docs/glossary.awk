# glossary.awk - the Chinese page of the glossary from docs/glossary.md, which holds both languages: Chinese first.
# awk -f docs/glossary.awk docs/glossary.md >docs/zh/glossary.md
BEGIN { FS = " *[|] *" }
/^# / { print "# 术语表 · Glossary"; next }
/^\[中文\]/ { print "[English](../glossary.md) · 相关页面：[我们怎样测量](how-we-measure.md)、[没有 GPU 也能学](without-a-gpu.md)"; next }
/^One word for one thing/ { next }
/^每个概念只用一个词/ { sub(/第二列/, "第一列"); print "由 `docs/glossary.md` 生成：同样的词条，中文在前。" $0; next }
/^## / { n = split(substr($0, 4), title, " · "); print "## " title[2] " · " title[1]; next }
/^[|] English / { print "| 中文 | English | 说明 |"; next }
/^[|] :--/ { print "| :-- | :-- | :-- |"; next }
/^[|]/ {
    if (NF != 6) { print FILENAME ":" FNR ": " NF - 2 " cells, not 4" > "/dev/stderr"; failed = 1 }
    zh = $3 == "同名" ? $2 : $3
    print "| " zh " | " $2 " | " $5 " |"
    next
}
{ print }
END { exit failed }
