'use strict';
// The time machine: walks through the recording of a GPU block (one or two), step by step, forwards and back. Each
// element of class "step" holds a recording as JSON, as its first child, and a walk in plain text for browsers without
// scripts. The page has one script, these files in this order:
//
//     recording.js   what a recording tells: the state at a step, and who wrote or read a cell
//     teller.js      the same in words
//     grid.js        elements of the page, and pictures made of cells
//     panels.js      the parts of the view: controls, findings, source, lanes, memory, variables
//     step.js        the view, its keys, and the start
//
// All text comes from the recording's words (step_word.def). Nothing is parsed as markup.
//
// How going back works: nothing is ever undone. What lanes do is small: the state of all lanes is copied every GAP
// steps (a checkpoint, made when a step behind it is first asked for), and a step's state is the nearest checkpoint
// with the few steps after it applied. Memory and variables are large, and are not copied: each cell, and each part
// of each variable in each lane, has a history, the events that concern it in order of time. What a cell holds at a
// step is the last event of its history up to there, found by bisection. The same histories tell who wrote a cell,
// who read it, and where it changes next.

const LANES = 32;
const GAP = 128;
// What a lane does: its state, and the same as a step sees it: READY and in this step, READY and apart from its warp.
const ABSENT = 0, FRESH = 1, READY = 2, BARRIER = 3, WAITING = 4, ASLEEP = 5, EXITED = 6, ACTIVE = 7, ELSEWHERE = 8;
const BECOMES = {b: BARRIER, s: WAITING, z: ASLEEP, g: READY, x: EXITED}; // by an event

// ----------------------------------------------------------------------------------------------------- small functions
const range = (n) => [...Array(n).keys()];

const lanesOfMask = new Map();
function lanesOf(mask) { // ascending
    if (!lanesOfMask.has(mask)) lanesOfMask.set(mask, range(LANES).filter((lane) => mask >>> lane & 1));
    return lanesOfMask.get(mask);
}

// Of values (or elements) in a recording's short form, the one of a lane of the mask.
function pick(values, mask, lane) {
    if (values === null || typeof values !== 'object') return values;
    if (Array.isArray(values)) return values[lanesOf(mask).indexOf(lane)];
    const first = 31 - Math.clz32(mask & -mask);
    return values.f + values.b * (lane - first);
}

// The index of the first of ascending numbers, from low up to high, that is not below the value.
function bisect(numbers, value, low = 0, high = numbers.length) {
    while (low < high) {
        const middle = low + high >> 1;
        if (numbers[middle] < value) low = middle + 1; else high = middle;
    }
    return low;
}

// ------------------------------------------------------------------------------------------------------------- history
// For each key the entries that concern it, in order of time. An entry is the number of an event * 32 + a lane.
class History {
    constructor(most) { // most: how many entries there can be
        this.size = 0;
        this.pairs = new Int32Array(2 * most); // key, entry, key, entry …
    }
    add(key, entry) {
        this.pairs[this.size++] = key;
        this.pairs[this.size++] = entry;
    }
    // All is there: sorts by key, and keeps the order within a key. The entries of a key begin at from[key].
    close(keys) {
        const {size, pairs} = this;
        const from = new Int32Array(keys + 1), entries = new Int32Array(size / 2);
        for (let i = 0; i < size; i += 2) ++from[pairs[i] + 1];
        for (let key = 0; key < keys; ++key) from[key + 1] += from[key];
        const at = from.slice();
        for (let i = 0; i < size; i += 2) entries[at[pairs[i]]++] = pairs[i + 1];
        Object.assign(this, {from, entries, pairs: null});
    }
    // The index of the first of the key's entries that is not below this one.
    place(key, entry) {
        return bisect(this.entries, entry, this.from[key], this.from[key + 1]);
    }
    // The last entry of a key below this one, or the first that is not below it; -1 for none.
    last(key, entry) {
        const at = this.place(key, entry);
        return at > this.from[key] ? this.entries[at - 1] : -1;
    }
    next(key, entry) {
        const at = this.place(key, entry);
        return at < this.from[key + 1] ? this.entries[at] : -1;
    }
}

// ----------------------------------------------------------------------------------------------------------- recording
// Steps count from first to last; start, one below first, is the state before the first step.
class Recording {
    constructor(data) {
        this.data = data;
        this.first = data.first;
        this.start = data.first - 1;
        this.last = this.start + data.steps.length;
        this.rows = data.before.concat(data.steps);
        this.lanes = data.blocks.length * data.warps * LANES;
        this.parts = [];
        for (const v of data.variables) {
            v.from = this.parts.length;
            v.parts.forEach((name, i) => this.parts.push({name, kind: v.kinds[i], variable: v}));
        }
        this.cells = 1; // key 0 is that of cells that nobody touches
        this.regions = this.makeRegions();
        this.readEvents();
        this.checkpoints = [this.initial()];
    }
    // A region is an array of one block, or one that all blocks have. Its cells map elements to keys of histories.
    // The result is by array + 1 (0: memory outside all arrays) and by slot.
    makeRegions() {
        const outside = {name: '', type: '', dims: [], count: 0, space: 'global'};
        return [outside].concat(this.data.arrays).map((array, i) => {
            const region = (slot) => Object.assign({}, array, {array: i - 1, slot, cells: new Map()});
            const one = region(0);
            return this.data.blocks.map((_, slot) => array.space === 'shared' ? region(slot) : one);
        });
    }
    slot(warp) { return Math.floor(warp / this.data.warps); }
    region(array, warp) { return this.regions[array + 1][this.slot(warp)]; }
    key({region, element}) { return region.cells.get(element) || 0; }

    // The lane of a thread by its indices; undefined: its block is not recorded.
    laneOf(block, thread) {
        const slot = this.data.blocks.findIndex((b) => `${b}` === `${block}`);
        const [x, y] = this.data.block;
        return slot < 0 ? undefined : slot * this.data.warps * LANES + thread[0] + x * (thread[1] + y * thread[2]);
    }

    // ---- steps and their events
    stepOf(row) { return Math.max(this.start, row - this.data.before.length + this.first); }
    row(step) { return step > this.start ? this.rows[step - this.first + this.data.before.length] : null; }
    // Entries of a step and of all before it are below after(step); those of all before it are below before(step).
    after(step) { return this.until[step - this.start] * LANES; }
    before(step) { return step > this.start ? this.after(step - 1) : 0; }
    eventsOf(step) {
        if (step <= this.start) return [];
        return this.events.slice(this.until[step - this.first], this.until[step - this.start]);
    }
    // The latest of a warp's steps up to this one; start: none yet.
    latest(warp, step) {
        const steps = this.warpSteps[warp];
        return steps[bisect(steps, step + 1) - 1] || this.start;
    }

    readEvents() {
        this.events = []; // {row, warp, mask, event}
        this.until = new Int32Array(this.last - this.start + 1); // how many there are up to a step's end
        this.warpSteps = range(this.lanes / LANES).map(() => []);
        this.barrierSteps = []; // in which a barrier is complete, of the block or of a warp
        this.met = this.warpSteps.map(() => []); // by warp: {number, mask} of each event that completes a __syncwarp()
        // By slot: the numbers of the events that complete a barrier, who waited there (a mask for each warp), and who
        // waits now, by barrier.
        this.passed = this.data.blocks.map(() => ({numbers: [], who: [], waiting: new Map()}));
        const most = LANES * this.rows.reduce((n, row) => n + row[4].length, 0);
        Object.assign(this, {writes: new History(most), reads: new History(most), changes: new History(most)});
        this.rows.forEach((row, i) => this.readRow(row, i));
        this.writes.close(this.cells);
        this.reads.close(this.cells);
        this.changes.close(this.parts.length * this.lanes);
    }
    readRow([warp, , mask, , events], row) {
        const step = this.stepOf(row);
        if (step > this.start) this.warpSteps[warp].push(step);
        for (const event of events) {
            const own = 'sgzxy'.includes(event[0]) ? event[1] : event[2];
            const at = {row, warp, mask: own || mask, event};
            if ('py'.includes(event[0]) && !this.barrierSteps.includes(step, -1)) this.barrierSteps.push(step);
            this.readBarrier(at, this.events.length);
            this.readAccess(at, this.events.push(at) - 1);
        }
        this.until[step - this.start] = this.events.length;
    }
    readBarrier({warp, mask, event: [what, barrier]}, number) {
        const {warps} = this.data, {numbers, who, waiting} = this.passed[this.slot(warp)];
        if (what === 'b') {
            if (!waiting.has(barrier)) waiting.set(barrier, new Int32Array(warps));
            waiting.get(barrier)[warp % warps] |= mask;
        }
        if (what === 'y') this.met[warp].push({number, mask});
        if (what !== 'p') return;
        numbers.push(number);
        who.push(waiting.get(barrier) || new Int32Array(warps));
        waiting.delete(barrier);
    }
    readAccess({warp, mask, event: [what, target, , elements]}, number) {
        const lanes = lanesOf(mask), entry = number * LANES;
        if (what === 'v')
            for (const lane of lanes) this.changes.add(target * this.lanes + warp * LANES + lane, entry + lane);
        if (!'rwa'.includes(what)) return;
        const {cells} = this.region(target, warp);
        for (let i = 0; i < lanes.length; ++i) {
            const lane = lanes[i], element = Array.isArray(elements) ? elements[i] : pick(elements, mask, lane);
            let key = cells.get(element);
            if (key === undefined) cells.set(element, key = this.cells++);
            if (what !== 'r') this.writes.add(key, entry + lane);
            if (what !== 'w') this.reads.add(key, entry + lane);
        }
    }

    // What an entry tells: which event of which lane, and the value it gave.
    entry(entry) {
        const lane = entry % LANES, {row, warp, mask, event} = this.events[(entry - lane) / LANES];
        return {
            what: event[0], step: this.stepOf(row), warp, line: this.rows[row][1], lane: warp * LANES + lane,
            value: pick(event[0] === 'v' ? event[3] : event[4], mask, lane),
        };
    }
    // The latest entry of a cell by a lane in a step, a write before a read; or -1.
    entryIn(step, lane, key) {
        for (const history of [this.writes, this.reads])
            for (let i = history.place(key, this.after(step)) - 1; i >= history.from[key]; --i) {
                const entry = history.entries[i];
                if (entry < this.before(step)) break;
                if (this.entry(entry).lane === lane) return entry;
            }
        return -1;
    }
    sameBlock(a, b) { return this.slot(this.entry(a).warp) === this.slot(this.entry(b).warp); }
    // Whether a barrier at which both threads waited lies between two entries. Undefined where that is no question: a
    // barrier of some threads may order others, too.
    barrierBetween(a, b) {
        const from = this.entry(a), to = this.entry(b), {numbers, who} = this.passed[this.slot(from.warp)];
        const {warps} = this.data, end = Math.floor(b / LANES);
        if (from.lane === to.lane || !this.sameBlock(a, b) || from.step < this.first) return undefined;
        const waited = (masks, {warp, lane}) => masks[warp % warps] >>> lane % LANES & 1;
        const start = Math.floor(a / LANES);
        const met = from.warp === to.warp && this.met[from.warp].filter(({number}) => start < number && number < end);
        if (met && met.some(({mask}) => mask >>> from.lane % LANES & mask >>> to.lane % LANES & 1)) return true;
        let i = bisect(numbers, start);
        if (!(numbers[i] < end)) return met && met.length ? undefined : false;
        for (; numbers[i] < end; ++i) if (waited(who[i], from) && waited(who[i], to)) return true;
        return undefined;
    }

    // ---- lanes. Their state has four planes: what they do, the line, the function, the barrier.
    initial() {
        const state = new Int32Array(4 * this.lanes).fill(-1, 2 * this.lanes);
        const [x, y, z] = this.data.block, size = this.data.warps * LANES;
        for (let i = 0; i < this.lanes; ++i) state[i] = i % size < x * y * z ? FRESH : ABSENT;
        for (const row of this.data.before) this.apply(state, row);
        return state;
    }
    apply(state, [warp, line, mask, fn, events]) {
        const n = this.lanes, base = warp * LANES;
        for (const lane of lanesOf(mask)) {
            state[base + lane] = READY;
            state[n + base + lane] = line;
            state[2 * n + base + lane] = fn;
        }
        for (const [what, a, b] of events) {
            if (what === 'p') this.pass(state, warp, a);
            if (!BECOMES[what]) continue;
            for (const lane of lanesOf((what === 'b' ? b : a) || mask)) {
                state[base + lane] = BECOMES[what];
                if (what === 'b') state[3 * n + base + lane] = a;
            }
        }
    }
    pass(state, warp, barrier) { // all lanes of the warp's block that wait at the barrier go on
        const n = this.lanes, size = this.data.warps * LANES, from = this.slot(warp) * size;
        for (let i = from; i < from + size; ++i)
            if (state[i] === BARRIER && state[3 * n + i] === barrier) state[i] = READY;
    }
    // What each lane does after a step: {doing, line, fn}, by lane.
    state(step) {
        let at = Math.floor((step - this.start) / GAP);
        while (!this.checkpoints[at]) --at;
        const state = this.checkpoints[at].slice(), n = this.lanes;
        for (let s = this.start + at * GAP + 1; s <= step; ++s) {
            this.apply(state, this.row(s));
            if ((s - this.start) % GAP === 0) this.checkpoints[(s - this.start) / GAP] = state.slice();
        }
        for (let warp = 0; warp < n / LANES; ++warp) this.distinguish(state, warp, step);
        return {doing: state.subarray(0, n), line: state.subarray(n, 2 * n), fn: state.subarray(2 * n, 3 * n)};
    }
    // Of the lanes of a warp that are ready: which are active in this step, and which are not with their warp?
    distinguish(state, warp, step) {
        const latest = this.latest(warp, step), row = this.row(latest);
        const mask = row ? row[2] : -1, now = row && latest === step;
        for (let i = 0; i < LANES; ++i) {
            const inside = mask >>> i & 1;
            if (state[warp * LANES + i] === READY && (now || !inside))
                state[warp * LANES + i] = inside ? ACTIVE : ELSEWHERE;
        }
    }
}
