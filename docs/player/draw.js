'use strict';
/*
 * draw.js - the pictures of the player: the lanes of a warp with what they touch, and all warps as bars.  SVG, put
 * together by d3-selection; colours are classes (player.css).
 */

/* As many children of a kind as there are data, each with its attributes. */
function marks(parent, kind, name, data, attributes) {
    const all = parent.selectAll(`${kind}.${name}`).data(data).join(kind).attr('class', (d, i) =>
        `${name} ${d.class || ''}`);
    Object.entries(attributes).forEach(([key, value]) => all.attr(key, value));
    return all;
}

function kindOf(event) {
    return event.memory && event.shared ? 'shared' : event.does;
}

/* Where each lane is: at, waits, barrier, retired, none (a block may have fewer). */
function laneStates(warp, at) {
    return Array.from({ length: WARP }, (_, lane) => {
        if (lane >= warp.lanes) return 'none';
        if (at.state === 'before' || at.state === 'stopped') return 'waits';
        if (!warp.stopped && (at.state === 'ended' || warp.last[lane] < at.index)) return 'retired';
        const takesPart = at.event.mask >>> lane & 1;
        if (at.event.what === 'barrier') return takesPart ? 'barrier' : 'waits';
        return takesPart ? 'at' : 'waits';
    });
}

const LANE_Y = 16, LANE_HEIGHT = 22, BELOW = 84, LEFT = 2, MOST_BELOW = 170;

/* Pixels between two wavefronts: all of an access stand in MOST_BELOW. */
function waveStep(event) { return Math.min(18, MOST_BELOW / event.waves.length); }

/* The height that drawLanes needs for whatever there is in a run. */
function heightOf(run) {
    return BELOW + 22 + Math.max(28, ...run.warps.flatMap(warp => warp.events.map(event =>
        event.waves ? event.waves.length * waveStep(event) : 0)));
}

/* The lanes of `warp`, at what it does: {state, event} of film.js. */
function drawLanes(svg, warp, at, height, words) {
    const width = svg.node().clientWidth || 340, cell = (width - 2 * LEFT) / WARP;
    const x = lane => LEFT + lane * cell, middle = lane => x(lane) + cell / 2;
    const event = at.state === 'at' ? at.event : null;
    const states = laneStates(warp, at), kind = event ? kindOf(event) : '';
    marks(svg, 'rect', 'lane', states.map(state => ({ class: `${state} ${kind}` })), {
        x: (d, i) => x(i) + 1, y: LANE_Y, width: cell - 2, height: LANE_HEIGHT, rx: 2
    });
    marks(svg, 'text', 'number', [0, 8, 16, 24, 31].map(lane => ({ lane })), { x: d => middle(d.lane), y: LANE_Y - 4 })
        .text(d => d.lane);
    const crossed = states.map((state, lane) => ({ state, lane })).filter(d => d.state === 'retired');
    const [wide, high] = [cell - 6, LANE_HEIGHT - 8];
    marks(svg, 'path', 'cross', crossed, {
        d: d => `M${x(d.lane) + 3},${LANE_Y + 4}l${wide},${high}m0,${-high}l${-wide},${high}`
    });
    const below = { lines: [], boxes: [], texts: [] };
    const place = event && (event.shared ? placeBanks : placeSectors);
    if (event && event.touches) place(event, below, { width, cell, middle, words });
    else if (event && event.does === 'op') placeOperation(event, below, { cell, middle });
    marks(svg, 'path', 'wire', below.lines, {
        d: d => `M${d.from},${LANE_Y + LANE_HEIGHT + (d.arrow ? 6 : 1)}L${d.to},${d.y}`,
        'marker-end': d => d.arrow ? 'url(#arrow)' : null });
    marks(svg, 'rect', 'box', below.boxes, {
        x: d => d.x, y: d => d.y, width: d => Math.max(1, d.width), height: d => d.height
    });
    marks(svg, 'text', 'label', below.texts, { x: d => d.x, y: d => d.y, 'text-anchor': d => d.anchor || 'start' })
        .text(d => d.text);
    svg.attr('height', height);
}

function nameOf(event) { return event.buffer ? event.buffer.name : ''; }

/* Sectors of 32 bytes in a row, those asked for; the used bytes of each are filled, a wire leads from each lane. */
function placeSectors(event, out, { width, middle, words }) {
    const n = event.sectors.length, room = (width - 2 * LEFT) / n, box = Math.min(46, room - (n > 1 ? 3 : 0));
    const left = LEFT + (width - 2 * LEFT - n * room) / 2;
    const sectorX = sector => left + event.sectors.indexOf(sector) * room + (room - box) / 2;
    const kind = kindOf(event), seen = new Set();
    event.sectors.forEach(sector => {
        out.boxes.push({ x: sectorX(sector), y: BELOW, width: box, height: 24, class: 'sector' });
    });
    event.at.forEach((at, i) => {
        const from = sectorX(Math.floor(at / SECTOR)) + box * (at % SECTOR) / SECTOR, width = box * event.size / SECTOR;
        out.lines.push({ from: middle(event.lanes[i]), to: from + width / 2, y: BELOW, class: kind });
        if (seen.has(at)) return;
        seen.add(at);
        out.boxes.push({ x: from + 0.5, y: BELOW + 1, width: width - 1, height: 22, class: `used ${kind}` });
    });
    const name = s => `${words.sector} ${s}`, ends = [event.sectors[0], event.sectors[n - 1]];
    out.texts.push({ x: sectorX(ends[0]), y: BELOW + 40, text: `${nameOf(event)}  ${name(ends[0])}` });
    if (n > 1) out.texts.push({ x: sectorX(ends[1]) + box, y: BELOW + 40, text: name(ends[1]), anchor: 'end' });
}

/* The 32 banks, a row for each wavefront. */
function placeBanks(event, out, { cell, middle, words }) {
    const step = waveStep(event), height = step - (step > 8 ? 2 : 1), kind = kindOf(event);
    const x = bank => LEFT + bank * cell + 1, y = wave => BELOW + wave * step, width = cell - 2;
    event.waves.forEach((wave, k) => {
        for (let bank = 0; bank < BANKS; bank++)
            out.boxes.push({ x: x(bank), y: y(k), width, height, class: 'bank' });
        wave.forEach(({ bank, lanes }) => {
            out.boxes.push({ x: x(bank), y: y(k), width, height, class: `used ${kind}` });
            if (height >= 12 && cell >= 15) {
                const text = lanes[0] + (lanes.length > 1 ? '+' : '');
                out.texts.push({ x: middle(bank), y: y(k) + height - 4, text, anchor: 'middle', class: 'on' });
            }
            lanes.forEach(lane => out.lines.push({ from: middle(lane), to: middle(bank), y: y(k), class: kind }));
        });
    });
    const bottom = y(event.waves.length) + 13;
    out.texts.push({ x: LEFT, y: bottom, text: `${nameOf(event)}  ${words.bank} 0` });
    out.texts.push({ x: LEFT + BANKS * cell, y: bottom, text: `${words.bank} 31`, anchor: 'end' });
}

/* A shuffle: an arrow from the lane that is read to the one that reads.  Votes and reductions: all lanes to all. */
function placeOperation(event, out, { cell, middle }) {
    const centre = middle((event.lanes[0] + event.lanes[event.lanes.length - 1]) / 2);
    event.lanes.forEach((lane, i) => {
        const to = middle(lane);
        out.boxes.push({ x: LEFT + lane * cell + 1, y: BELOW, width: cell - 2, height: LANE_HEIGHT, class: 'used op' });
        if (event.what.includes('shfl')) {
            out.lines.push({ from: middle(event.at[i]), to, y: BELOW - 2, class: 'op', arrow: true });
        } else {
            out.lines.push({ from: to, to: centre, y: (LANE_Y + LANE_HEIGHT + BELOW) / 2, class: 'op' },
                { from: to, to, y: BELOW, class: 'op faint' });
        }
    });
}

/* A warp's life as stretches of one kind: {from, to, class}. */
function stretches(warp) {
    const out = [];
    const add = (from, to, name) => {
        const last = out[out.length - 1];
        if (last && last.to === from && last.class === name) last.to = to;
        else out.push({ from, to, class: name });
    };
    warp.events.forEach(event => {
        if (event.what === 'barrier') {
            add(event.t, Math.max(event.until || 0, event.t + 1), 'barrier');
            return;
        }
        add(event.t, event.t + event.takes, kindOf(event));
    });
    return out;
}

/* All warps, a bar each.  Drawn once; `pick` is called with warp and time where somebody points. */
function drawBars(svg, run, length, words, pick) {
    const width = svg.node().clientWidth || 340, n = run.warps.length;
    const row = Math.max(5, Math.min(16, 200 / Math.max(1, n))), top = 14, left = 30;
    const x = t => left + (width - left - 2) * t / length, y = i => top + i * row;
    const bars = run.warps.flatMap((warp, i) => stretches(warp).map(d => Object.assign(d, { y: y(i) })));
    marks(svg, 'rect', 'bar', bars, {
        x: d => x(d.from), y: d => d.y + 0.5, width: d => Math.max(0.5, x(d.to) - x(d.from)), height: row - 1.5
    });
    const firsts = run.warps.map((warp, i) => ({ warp, i })).filter(({ warp }, i) => i === 0 ||
        warp.block !== run.warps[i - 1].block || warp.launch !== run.warps[i - 1].launch);
    marks(svg, 'path', 'between', firsts, { d: d => `M0,${y(d.i)}H${width}` });
    const named = firsts.filter((d, k) => k === 0 || (d.i - firsts[k - 1].i) * row >= 10);
    const most = busiestBlock(run), isMost = d => d.warp.launch === most.launch && d.warp.block === most.block;
    marks(svg, 'text', 'label', named.map(d => Object.assign(d, { class: isMost(d) ? 'busiest' : '' })),
        { x: 0, y: d => y(d.i) + 9 }).text(d => 'b' + d.warp.block);
    marks(svg, 'path', 'launch', run.launches.map(d => ({ t: d.start })), { d: d => `M${x(d.t)},${top - 4}V${y(n)}` });
    const faults = run.fault ? [run.fault.before, run.fault.here].filter(Boolean) : [];
    marks(svg, 'circle', 'fault', faults.map(([w, e]) => ({ w, t: run.warps[w].events[e].t })),
        { cx: d => x(d.t + 0.5), cy: d => y(d.w) + row / 2, r: 6 });
    const show = busiest(run);
    marks(svg, 'text', 'most', show < 0 ? [] : [show], { x: left - 9, y: d => y(d) + row / 2 + 4 }).text('▸');
    svg.attr('height', y(n) + 4);
    svg.selectAll('rect.hit').data([0]).join('rect').attr('class', 'hit').attr('width', width).attr('height', y(n) + 4)
        .on('pointerdown pointermove', function () {
            const pointer = event_of(arguments);
            if (pointer.type === 'pointermove' && !pointer.buttons) return;
            const box = svg.node().getBoundingClientRect();
            pick(Math.max(0, Math.min(n - 1, Math.floor((pointer.clientY - box.top - top) / row))),
                (pointer.clientX - box.left - left) / (width - left - 2) * length);
        });
    return { x, y, row, width, height: y(n) };
}

/* d3-selection before its second version kept the event apart from what it calls. */
function event_of(args) { return args[0] instanceof Event ? args[0] : d3.event; }

function drawCursor(svg, scale, t, warp) {
    marks(svg, 'path', 'cursor', [0], { d: `M${scale.x(t + 0.5)},8V${scale.height}` });
    marks(svg, 'rect', 'chosen', [0], { x: 27, y: scale.y(warp) - 0.5, width: scale.width - 28, height: scale.row });
}
