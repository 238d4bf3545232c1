'use strict';
/*
 * film.js - what a run says: when each warp did what, and what it cost.  Nothing is drawn here, and nothing taken from
 * the table: sectors, wavefronts and counts are made again from the addresses.
 *
 * Time is counted in instructions: each memory instruction, shuffle or barrier of a warp takes one.  Weighted, a memory
 * instruction takes as long as what it asks for: the wavefronts of shared memory, the sectors of global memory, the
 * lanes that meet at one address of an atomic.  All blocks of a launch begin at once, launches follow each other, and a
 * warp at a barrier waits for its block.
 */

const WARP = 32, SECTOR = 32, BANKS = 32;

/* Numbers of the set bits of a mask. */
function lanesOf(mask) {
    const lanes = [];
    for (let lane = 0; lane < WARP; lane++)
        if (mask >>> lane & 1) lanes.push(lane);
    return lanes;
}

/* [first, distance] stands for any number of lanes, a longer list for itself (run.py). */
function offsetsOf(packed, n) {
    return packed.length > 2 ? packed : Array.from({ length: n }, (_, i) => packed[0] + i * (packed[1] || 0));
}

/* An event as the file has it: [place, what, bytes, buffer, lanes, offsets]. */
function readEvent(run, packed) {
    const [place, what, size, buffer, mask, offsets] = packed;
    const name = run.event_names[what], lanes = lanesOf(mask);
    const event = { place: run.places[place], what: name, size, lanes, mask, buffer: run.buffers[buffer] };
    event.at = offsetsOf(offsets, lanes.length);
    event.shared = name.startsWith('shared ');
    event.does = event.shared ? name.slice(7) : name;
    event.memory = ['load', 'store', 'atomic'].includes(event.does);
    if (!event.memory) event.does = name === 'barrier' || name === 'fault' ? name : 'op';
    event.touches = event.memory || (name === 'fault' && Boolean(event.buffer));
    if (name === 'fault') {
        event.shared = event.touches && event.buffer.shared;
        event.size = 4;
    }
    if (event.touches && event.shared) event.waves = wavefronts(event);
    else if (event.touches) event.sectors = distinct(event.at.map(a => Math.floor(a / SECTOR)));
    return event;
}

function distinct(list) { return [...new Set(list)].sort((a, b) => a - b); }

/* Bytes that the lanes ask for, each once. */
function usefulBytes(event) { return new Set(event.at).size * event.size; }

/* How many lanes meet at the address where most meet: atomics there take turns. */
function mostAtOneAddress(event) {
    return Math.max(...event.at.map(address => event.at.filter(other => other === address).length));
}

/*
 * The wavefronts of an access to shared memory, one after the other: each a list of {bank, word, lanes}.  A wavefront
 * takes one word of each bank.  Of 8 and 16 bytes a lane the warp goes in 2 and 4 parts.
 */
function wavefronts(event) {
    const perPart = event.size <= 4 ? WARP : 128 / event.size, waves = [];
    for (let part = 0; part < WARP / perPart; part++) {
        const banks = Array.from({ length: BANKS }, () => new Map());
        event.lanes.forEach((lane, i) => {
            if (Math.floor(lane / perPart) !== part) return;
            for (let byte = 0; byte < event.size; byte += 4) {
                const word = Math.floor((event.at[i] + byte) / 4), bank = (word % BANKS + BANKS) % BANKS;
                banks[bank].set(word, [...(banks[bank].get(word) || []), lane]);
            }
        });
        const depth = Math.max(...banks.map(words => words.size));
        for (let wave = 0; wave < depth; wave++)
            waves.push(banks.flatMap((words, bank) => wave < words.size
                ? [{ bank, word: [...words.keys()][wave], lanes: [...words.values()][wave] }] : []));
    }
    return waves;
}

/* How long an event takes in weighted time. */
function costOf(event) {
    if (!event.memory) return 1;
    const served = event.shared ? event.waves.length : event.sectors.length;
    return Math.max(1, served, event.does === 'atomic' ? mostAtOneAddress(event) : 0);
}

/* Gives every event of the warps of one block its time, from `start` on; returns when the last one has ended. */
function timeBlock(warps, start, weighted) {
    const next = warps.map(() => 0), time = warps.map(() => start);
    for (;;) {
        const waiting = [];
        warps.forEach((warp, w) => {
            while (next[w] < warp.events.length) {
                const event = warp.events[next[w]++];
                event.t = time[w];
                event.takes = weighted ? costOf(event) : 1;
                time[w] += event.takes;
                if (event.what === 'barrier') {
                    waiting.push(w);
                    return;
                }
            }
            warp.end = time[w];
        });
        if (!waiting.length) return Math.max(start, ...time);
        const open = Math.max(...waiting.map(w => time[w]));
        waiting.forEach(w => { warps[w].events[next[w] - 1].until = time[w] = open; });
    }
}

/* Gives every event of the run its time; returns the run's length, which run.length is then, too. */
function timeRun(run, weighted) {
    let clock = 0;
    run.launches.forEach((launch, number) => {
        launch.start = clock;
        const blocks = new Map();
        run.warps.filter(warp => warp.launch === number).forEach(warp => {
            blocks.set(warp.block, [...(blocks.get(warp.block) || []), warp]);
        });
        launch.end = Math.max(clock + 1, ...[...blocks.values()].map(warps => timeBlock(warps, launch.start, weighted)));
        clock = launch.end;
    });
    run.length = clock;
    return clock;
}

/* The times at which something begins in one of these runs, in order. */
function beginnings(runs) {
    return distinct(runs.flatMap(run => run.warps.flatMap(warp => warp.events.map(event => event.t))));
}

/* The count that differs most between two runs, of those that both have: its name; undefined if all are equal.  Both the
 * difference and the ratio count: few stores more are not worth a word beside many loads. */
function mostDifferent(first, second) {
    const apart = name => {
        const [low, high] = [first[name], second[name]].sort((a, b) => a - b);
        return low > 0 ? (high - low) * high / low : 0;
    };
    return Object.keys(first).filter(name => !/mean|lanes|pct/.test(name) && apart(name))
        .sort((a, b) => apart(b) - apart(a))[0];
}

/* The run as the page has it, with times; see run.py for what is in the file. */
function readRun(file) {
    const run = Object.assign({}, file);
    run.warps = file.warps.map(([launch, block, warp, events]) => ({
        launch, block, warp, events: events.map(event => readEvent(file, event))
    }));
    run.warps.forEach(warp => {
        warp.last = Array(WARP).fill(-1); // each lane's last event
        warp.events.forEach((event, i) => event.lanes.forEach(lane => { warp.last[lane] = i; }));
        warp.stopped = Boolean(file.fault); // its lanes have not returned
        const [x, y, z] = run.launches[warp.launch].block;
        warp.lanes = Math.min(WARP, x * y * z - warp.warp * WARP);
    });
    timeRun(run, false);
    return run;
}

/* What this warp is at, at time t: {state: 'before', 'at', 'barrier', 'ended', event, index}. */
function atTime(warp, start, t) {
    if (t < start) return { state: 'before' };
    let low = 0, high = warp.events.length;
    while (low < high) { // the last event that is not later
        const middle = low + high >> 1;
        if (warp.events[middle].t <= t) low = middle + 1;
        else high = middle;
    }
    if (low === 0) return { state: warp.events.length ? 'before' : 'ended' };
    const event = warp.events[low - 1];
    if (event.what === 'barrier' && t < event.until) return { state: 'barrier', event, index: low - 1 };
    if (t >= warp.end) return { state: warp.stopped ? 'stopped' : 'ended', index: warp.events.length };
    return { state: 'at', event, index: low - 1 };
}

/* The counts of the table, of all that was done up to time t. */
function countsUpTo(run, t) {
    const c = { ld_requests: 0, ld_sectors: 0, st_requests: 0, st_sectors: 0, sh_ld_wavefronts: 0, sh_st_wavefronts: 0,
        atomic_requests: 0 };
    const blocks = new Map();
    let lanes = 0, instructions = 0, useful = 0, warpMost = 0, blockMost = 0;
    run.warps.forEach(warp => {
        let mine = 0;
        for (const event of warp.events) {
            if (event.t > t) break;
            if (!event.memory) continue;
            mine++;
            lanes += event.lanes.length;
            if (event.shared) {
                if (event.does === 'load') c.sh_ld_wavefronts += event.waves.length;
                if (event.does === 'store') c.sh_st_wavefronts += event.waves.length;
            } else if (event.does === 'atomic') {
                c.atomic_requests++;
            } else {
                const kind = event.does === 'load' ? 'ld' : 'st';
                c[kind + '_requests']++;
                c[kind + '_sectors'] += event.sectors.length;
                useful += usefulBytes(event);
            }
        }
        instructions += mine;
        warpMost = Math.max(warpMost, mine);
        const block = warp.launch + '/' + warp.block;
        blocks.set(block, (blocks.get(block) || 0) + mine);
    });
    blockMost = Math.max(0, ...blocks.values());
    let nWarps = 0, nBlocks = 0;
    run.launches.forEach(({ grid, block }) => {
        const n = grid[0] * grid[1] * grid[2];
        nBlocks += n;
        nWarps += n * Math.ceil(block[0] * block[1] * block[2] / WARP);
    });
    const moved = SECTOR * (c.ld_sectors + c.st_sectors);
    c.active_lanes = instructions ? lanes / instructions : 0;
    c.useful_pct = moved ? 100 * useful / moved : 0;
    c.warp_max_mean = instructions ? warpMost / (instructions / nWarps) : 0;
    c.block_max_mean = instructions ? blockMost / (instructions / nBlocks) : 0;
    return c;
}

/* Memory instructions of a warp: what maxwarp and maxblock are about. */
function workOf(warp) { return warp.events.filter(event => event.memory).length; }

/* The warp with most of them. */
function busiest(run) {
    const work = run.warps.map(workOf);
    return work.indexOf(Math.max(...work));
}

/* The block with most of them: {launch, block, work}. */
function busiestBlock(run) {
    const blocks = new Map();
    run.warps.forEach(warp => {
        const { launch, block } = warp, key = launch + '/' + block, known = blocks.get(key) || { launch, block, work: 0 };
        known.work += workOf(warp);
        blocks.set(key, known);
    });
    return [...blocks.values()].reduce((most, block) => block.work > most.work ? block : most);
}
