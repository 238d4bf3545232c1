'use strict';
/*
 * player.js - the page: one run or two side by side, at one time.  What is shown follows from `view`; whatever changes
 * it calls show().
 */

const runs = JSON.parse(document.getElementById('runs').textContent).map(readRun);
let length, begins; // of the time axis; the times at which something begins
const view = { t: 0, weighted: runs.length > 1, playing: false, speed: 4, language: document.documentElement.lang === 'zh' ? 'zh' : 'en', only: -1,
    warp: runs.map(() => 0) };
const words = () => WORDS[view.language];
const panels = [];
const height = Math.max(...runs.map(heightOf)); // of the lanes' picture: the page does not jump

/* Times as view.weighted has them; the time shown is where the first event that was shown, or is next, is now. */
function setTimes() {
    const at = begins && begins[Math.max(0, begins.findLastIndex(t => t <= view.t))];
    const shown = runs.flatMap(run => run.warps.flatMap(warp => warp.events)).find(event => event.t === at);
    runs.forEach(run => timeRun(run, view.weighted));
    length = Math.max(1, ...runs.map(run => run.length));
    begins = beginnings(runs);
    view.t = shown ? shown.t : 0;
}
setTimes();

/* ---- a panel: one run -------------------------------------------------------------------------- */

function makePanel(run, number) {
    const root = d3.select('#panels').append('section').attr('class', 'panel').attr('aria-label', run.step);
    const panel = { run, number, root, file: null, scale: null };
    root.append('h2').append('span').text(`${run.step}: ${run.idea}`);
    root.append('p').attr('class', 'launch');
    if (run.why.length) makeFault(panel);
    const choice = root.append('p').attr('class', 'choice');
    panel.select = choice.append('label');
    panel.select.append('span');
    panel.select.append('select').on('change', function () { choose(number, +this.value); })
        .selectAll('option').data(run.warps).join('option').attr('value', (d, i) => i);
    panel.follow = choice.append('button').attr('type', 'button').on('click', () => choose(number, busiest(run)));
    panel.said = root.append('p').attr('class', 'said').attr('aria-live', 'polite');
    panel.lanes = root.append('svg').attr('class', 'lanes').attr('role', 'img');
    panel.lanes.append('defs').html('<marker id="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6"' +
        ' markerHeight="6" orient="auto"><path d="M0,0L6,3L0,6z"/></marker>');
    panel.keys = root.append('p').attr('class', 'keys');
    panel.name = root.append('p').attr('class', 'file');
    panel.code = root.append('div').attr('class', 'code').attr('tabindex', 0);
    panel.bars = root.append('svg').attr('class', 'bars').attr('role', 'img');
    panel.kinds = root.append('p').attr('class', 'keys');
    panel.most = root.append('p').attr('class', 'most');
    panel.table = root.append('table').attr('class', 'counts');
    return panel;
}

/* A fault: what the simulator said, and the way to the two accesses. */
function makeFault(panel) {
    const { run, number, root } = panel, box = root.append('div').attr('class', 'fault');
    box.append('strong');
    box.append('pre').text(run.why.join('\n'));
    if (run.fault && run.fault.before) box.append('p').attr('class', 'racing');
    panel.jumps = box.selectAll('button').data(run.fault ? ['before', 'here'].filter(name => run.fault[name]) : [])
        .join('button').attr('type', 'button').on('click', function () {
            const [warp, event] = run.fault[d3.select(this).datum()];
            choose(number, warp);
            go(run.warps[warp].events[event].t);
        });
}

/* Comment, string, word of CUDA, or other: enough to read by. */
const CODE_WORDS = ['__\\w+', 'threadIdx', 'blockIdx', 'blockDim', 'gridDim', 'atomic\\w+', 'if', 'else', 'for', 'while',
    'do', 'return', 'const', 'unsigned', 'int', 'float', 'double', 'void', 'template', 'typename', 'class', 'struct',
    'static', 'size_t', 'u?int\\d+_t', 'T'];
const TOKENS = new RegExp(`(//.*|/\\*.*?\\*/)|("[^"]*")|\\b(${CODE_WORDS.join('|')})\\b`, 'g');

function coloured(span, line) {
    let from = 0;
    for (const found of line.matchAll(TOKENS)) {
        span.append('span').text(line.slice(from, found.index));
        span.append('span').attr('class', found[1] ? 'comment' : found[2] ? 'string' : 'word').text(found[0]);
        from = found.index + found[0].length;
    }
    span.append('span').text(line.slice(from));
}

/* The file that the warp is in; each line with how often a warp has done something there. */
function showSource(panel, place) {
    const { run, code } = panel;
    const [name, line] = place || run.places[0];
    if (panel.file !== name) {
        panel.file = name;
        const [first, lines] = run.files[name];
        code.selectAll('*').remove();
        panel.rows = lines.map((text, i) => {
            const row = code.append('div').attr('class', 'line');
            row.append('span').attr('class', 'times');
            row.append('span').attr('class', 'number').text(first + i);
            coloured(row.append('code'), text);
            return { row, line: first + i };
        });
        panel.name.text(name);
    }
    const times = new Map();
    run.warps.forEach(warp => warp.events.forEach(({ t, place: [file, number] }) => {
        if (t <= view.t && file === name) times.set(number, (times.get(number) || 0) + 1);
    }));
    panel.rows.forEach(({ row, line: number }) => {
        row.classed('here', Boolean(place) && number === line);
        row.select('.times').text(times.get(number) || '');
        if (number === line && place) scrollTo_(code.node(), row.node());
    });
}

/* Moves the code, not the page. */
function scrollTo_(box, row) {
    const top = row.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight)
        box.scrollTop = Math.max(0, top - box.clientHeight / 2);
}

/* What the warp does, in a sentence. */
function sentence(warp, at) {
    const w = words(), name = w.warpName(warp.block, warp.warp);
    if (at.state !== 'at') return `${name}: ${w[at.state]}`;
    const { event } = at, n = event.lanes.length, parts = [];
    if (event.memory) {
        parts.push(w.lanesDo(n, event.does, event.size, event.buffer ? event.buffer.name : ''));
        if (event.shared) parts.push(w.waves(event.waves.length));
        else parts.push(w.sectors(event.sectors.length, usefulBytes(event)));
        const same = mostAtOneAddress(event);
        if (event.does === 'atomic' && same > 1) parts.push(w.same(same));
    } else if (event.what === 'barrier') parts.push(w.arrives(n));
    else if (event.what === 'fault') parts.push(w.fault);
    else parts.push(w.op(event.what, n));
    return `${name}, ${w.line(event.place[1])}: ${parts.join('; ')}`;
}

/* Three digits behind the point at most. */
const plain = x => Number.isInteger(x) ? String(x) : x.toFixed(x < 10 ? 2 : 1);

function showCounts(panel) {
    const { run, table } = panel, w = words();
    const now = countsUpTo(run, view.t), end = run.counts;
    const rows = Object.keys(w.names).filter(name => end[name] === undefined ? now[name] > 0 : end[name] > 0);
    table.selectAll('caption').data([w.counts]).join('caption').text(d => d);
    table.selectAll('thead').data([0]).join('thead').selectAll('tr').data([0]).join('tr').selectAll('th')
        .data(['', w.now, ...(Object.keys(end).length ? [w.table] : [])]).join('th').attr('scope', 'col').text(d => d);
    const lines = table.selectAll('tbody').data([0]).join('tbody').selectAll('tr').data(rows).join('tr')
        .attr('data-count', d => d).attr('data-now', d => now[d]).attr('data-end', d => end[d]);
    lines.selectAll('th').data(d => [d]).join('th').attr('scope', 'row').text(d => w.names[d]);
    lines.selectAll('td').data(d => [now[d], ...(end[d] === undefined ? [] : [end[d]])]).join('td').text(plain);
}

function showPanel(panel) {
    const { run, number } = panel, w = words(), warp = run.warps[view.warp[number]];
    panel.root.style('display', view.only < 0 || view.only === number ? null : 'none');
    if (!warp || (view.only >= 0 && view.only !== number)) return;
    const launch = run.launches[warp.launch], at = atTime(warp, launch.start, view.t);
    const product = size => size[0] * size[1] * size[2];
    panel.root.select('.launch').text([`${run.case} ${run.dtype}`,
        w.launch(warp.launch + 1, run.launches.length, launch.kernel),
        w.grid(product(launch.grid), product(launch.block))].join(' · '));
    panel.select.select('span').text(w.warp + ' ');
    const several = run.launches.length > 1;
    panel.select.selectAll('option').text(d => w.warpName(d.block, d.warp) + (several ? ` (${d.launch + 1})` : ''));
    panel.select.select('select').property('value', view.warp[number]);
    panel.follow.text(w.follow);
    panel.root.selectAll('.fault strong').text(w.faultHead);
    panel.root.selectAll('.racing').text(w.racing);
    if (panel.jumps) panel.jumps.text(d => d === 'here' ? w.access : w.before_);
    const said = sentence(warp, at);
    panel.said.text(said);
    panel.lanes.attr('aria-label', said);
    drawLanes(panel.lanes, warp, at, height, w);
    showKeys(panel.keys, w.keys, 'lane ');
    showSource(panel, at.event && at.event.place);
    if (!panel.scale) panel.scale = drawBars(panel.bars, run, length, w, (i, t) => { choose(number, i); go(t); });
    panel.bars.attr('aria-label', view.weighted ? w.weightedHelp : w.timelineHelp);
    drawCursor(panel.bars, panel.scale, view.t, view.warp[number]);
    showKeys(panel.kinds, w.kinds, 'bar ');
    const most = run.warps[busiest(run)], block = busiestBlock(run), end = countsUpTo(run, length);
    const mean = (work, ratio) => plain(ratio ? work / ratio : 0);
    panel.most.text([
        w.most(w.warpName(most.block, most.warp), workOf(most), mean(workOf(most), end.warp_max_mean)),
        w.mostBlock(block.block, block.work, mean(block.work, end.block_max_mean))].join(' '));
    showCounts(panel);
}

function showKeys(where, names, kind) {
    const all = where.selectAll('span.key').data(Object.entries(names)).join('span').attr('class', 'key');
    all.selectAll('svg').data(d => [d]).join('svg').attr('width', 12).attr('height', 12)
        .selectAll('rect').data(d => [d]).join('rect').attr('class', d => kind + d[0])
        .attr('width', 12).attr('height', 12);
    all.selectAll('span').data(d => [d]).join('span').text(d => d[1]);
}

/* ---- controls ----------------------------------------------------------------------------------- */

function go(t) {
    view.t = Math.max(0, Math.min(length - 1, Math.floor(t)));
    show();
}

function choose(number, warp) {
    view.warp[number] = Math.max(0, Math.min(runs[number].warps.length - 1, warp));
    show();
}

/* The same warp in all panels, where they have it. */
function move(by) { runs.forEach((run, i) => choose(i, view.warp[i] + by)); }

let ticking = 0, last = 0;
function tick(now) {
    if (!view.playing) return;
    if (now - last >= 1000 / view.speed) {
        last = now;
        if (view.t >= length - 1) play(false);
        else go(view.t + Math.max(1, Math.round(view.speed / 30)));
    }
    ticking = requestAnimationFrame(tick);
}

function play(on) {
    if (on && view.t >= length - 1) view.t = 0;
    view.playing = on;
    cancelAnimationFrame(ticking);
    if (on) ticking = requestAnimationFrame(tick);
    show();
}

/* To where something begins, before or after the time shown; to the start or the end where nothing does. */
function step(by) {
    const t = by < 0 ? begins.findLast(time => time < view.t) : begins.find(time => time > view.t);
    go(t === undefined ? (by < 0 ? 0 : length - 1) : t);
}

const BUTTONS = [['first', '⇤', () => go(0)], ['back', '←', () => step(-1)],
    ['play', '▶', () => play(!view.playing)], ['next', '→', () => step(1)], ['last', '⇥', () => go(length - 1)]];

const KEYS = { ' ': () => play(!view.playing), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
    ArrowUp: () => move(-1), ArrowDown: () => move(1), Home: () => go(0), End: () => go(length - 1) };

document.addEventListener('keydown', event => {
    if (!KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT') return;
    if (event.key === ' ' && event.target.tagName === 'BUTTON') return; // it presses the button
    event.preventDefault();
    KEYS[event.key]();
});

function showControls() {
    const w = words(), bar = d3.select('#controls');
    bar.selectAll('button.step').data(BUTTONS).join('button').attr('type', 'button').attr('class', 'step')
        .attr('aria-label', d => d[0] === 'play' && view.playing ? w.pause : w[d[0]]).attr('title', d => w[d[0]])
        .text(d => d[0] === 'play' && view.playing ? '❚❚' : d[1])
        .on('click', function () { d3.select(this).datum()[2](); });
    const time = bar.selectAll('label.time').data([0]).join('label').attr('class', 'time');
    time.selectAll('span').data([0]).join('span').text(`${w.time} ${view.t + 1} / ${length} `);
    time.selectAll('input').data([0]).join('input').attr('type', 'range').attr('min', 0).attr('max', length - 1)
        .attr('aria-label', w.time).property('value', view.t).on('input', function () { go(+this.value); });
    const speed = bar.selectAll('label.speed').data([0]).join('label').attr('class', 'speed');
    speed.selectAll('span').data([0]).join('span').text(w.speed + ' ');
    speed.selectAll('input').data([0]).join('input').attr('type', 'range').attr('min', 1).attr('max', 60)
        .attr('aria-label', w.speed).property('value', view.speed)
        .on('input', function () { view.speed = +this.value; });
    const shown = runs.length < 2 ? [] : [[-1, w.both], ...runs.map((run, i) => [i, run.step])];
    bar.selectAll('button.only').data(shown).join('button').attr('type', 'button').attr('class', 'only')
        .attr('aria-pressed', d => String(view.only === d[0])).text(d => d[1])
        .on('click', function () { view.only = d3.select(this).datum()[0]; redraw(); });
    bar.selectAll('button.weigh').data([0]).join('button').attr('type', 'button').attr('class', 'weigh')
        .attr('aria-pressed', String(view.weighted)).text(w.weigh)
        .on('click', () => { view.weighted = !view.weighted; setTimes(); redraw(); });
    bar.selectAll('button.language').data([0]).join('button').attr('type', 'button').attr('class', 'language')
        .text(w.other).on('click', () => { view.language = view.language === 'en' ? 'zh' : 'en'; redraw(); });
    d3.select('#help').text(`${w.help} ${view.weighted ? w.weightedHelp : w.timelineHelp}`);
    showLook(w);
    document.documentElement.lang = view.language;
}

/* What to look for: of two steps what was wrong with the first and what the second should do, and the count that
 * differs most; of one step what it should do.  The words of the step's own file are English. */
function showLook(w) {
    const parts = [], last = runs[runs.length - 1], from = last.look.From;
    if (view.language === 'en') {
        if (runs.length > 1 && from && from !== runs[0].step.split('/')[0]) parts.push(w.derived(last.step, from));
        if (runs.length > 1 && last.look.Was) parts.push(last.look.Was);
        if (last.look.Expect) parts.push(last.look.Expect);
    }
    if (runs.length > 1) {
        const [first, second] = runs.map(run => countsUpTo(run, run.length)), name = mostDifferent(first, second);
        if (name) parts.push(w.differ(w.names[name], runs[0].step, first[name], runs[1].step, second[name]));
    }
    d3.select('#look').text(parts.length ? `${w.look} ${parts.join(' ')}` : '');
}

function show() {
    showControls();
    panels.forEach(showPanel);
}

/* Widths have changed. */
function redraw() {
    panels.forEach(panel => { panel.scale = null; });
    d3.select('#panels').classed('two', runs.length > 1 && view.only < 0);
    show();
}

if (location.hash === '#zh') view.language = 'zh';
runs.forEach((run, i) => panels.push(makePanel(run, i)));
runs.forEach((run, i) => { if (run.fault && run.fault.here) view.warp[i] = run.fault.here[0]; });
const faulty = runs.find(run => run.fault && run.fault.here);
if (faulty) view.t = faulty.warps[faulty.fault.here[0]].events[faulty.fault.here[1]].t;
if (innerWidth < 700 && runs.length > 1) view.only = 0;
window.addEventListener('resize', redraw);
redraw();
