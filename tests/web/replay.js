// Compares what the page's script makes of recordings (grader/report/page/recording.js) with a plain replay of their
// steps, by the text of the format alone: the state of each lane, the contents of cells and variables, and what the
// keys w, r and c find. Needs no browser.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');

const source = path.join(__dirname, '../../grader/report/page/recording.js');
const Recording = new Function(`${fs.readFileSync(source, 'utf8')}; return Recording;`)();

const AT_MOST = 60; // steps of a page that are compared
const lanesOf = (mask) => [...Array(32).keys()].filter((lane) => Math.floor((mask >>> 0) / 2 ** lane) % 2);
function valueOf(values, lanes, i) {
    if (Array.isArray(values)) return values[i];
    return values && typeof values === 'object' ? values.f + values.b * (lanes[i] - lanes[0]) : values;
}

// The state after steps: what lanes do and where, the last write of each cell, and the value of each variable's parts.
class Replay {
    constructor(data) {
        Object.assign(this, {data, doing: new Map(), line: new Map(), barrier: new Map(), latest: new Map()});
        Object.assign(this, {cells: new Map(), parts: new Map(), accesses: []});
    }
    slot(warp) { return Math.floor(warp / this.data.warps); }
    cell(array, warp, element) { // an array that blocks share is that of slot 0
        const shared = array >= 0 && this.data.arrays[array].space === 'shared';
        return `${array} ${shared ? this.slot(warp) : 0} ${element}`;
    }
    apply([warp, line, mask, , events], step) {
        for (const lane of lanesOf(mask)) {
            this.doing.set(warp * 32 + lane, 'ready');
            this.line.set(warp * 32 + lane, line);
        }
        for (const event of events) this.applyEvent(event, warp, mask, step);
        if (step >= this.data.first) this.latest.set(warp, {mask, step});
    }
    applyEvent(event, warp, mask, step) {
        const [what, target] = event, own = 'vrwab'.includes(what) ? event[2] : event[1];
        const lanes = lanesOf(own || mask);
        const state = {b: 'barrier', s: 'waiting', z: 'asleep', g: 'ready', x: 'exited'}[what];
        if (what === 'p') return this.pass(warp, target);
        lanes.forEach((lane, i) => {
            const thread = warp * 32 + lane;
            if (what === 'v') this.parts.set(`${target} ${thread}`, valueOf(event[3], lanes, i));
            if (state) this.doing.set(thread, state);
            if (what === 'b') this.barrier.set(thread, target);
            if (!'rwa'.includes(what)) return;
            const cell = this.cell(target, warp, valueOf(event[3], lanes, i));
            if (step >= this.data.first) this.accesses.push({what, cell, step, thread});
            if (what !== 'r') this.cells.set(cell, {value: valueOf(event[4], lanes, i), lane: thread, step});
        });
    }
    pass(warp, barrier) {
        for (const [thread, state] of this.doing)
            if (state === 'barrier' && this.barrier.get(thread) === barrier
                && this.slot(Math.floor(thread / 32)) === this.slot(warp)) this.doing.set(thread, 'ready');
    }
}

const STATES = ['absent', 'fresh', 'ready', 'barrier', 'waiting', 'asleep', 'exited', 'ready', 'ready'];
// Compares a recording's state after a step.
function compare(recording, replay, step) {
    const {data, lanes} = recording, state = recording.state(step), after = recording.after(step);
    let compared = 0;
    for (const [thread, doing] of replay.doing) {
        const latest = replay.latest.get(Math.floor(thread / 32));
        assert.strictEqual(STATES[state.doing[thread]], doing, `lane ${thread} at step ${step}`);
        assert.strictEqual(state.line[thread], replay.line.get(thread), `line of lane ${thread} at step ${step}`);
        if (doing === 'ready' && latest) {
            const inside = lanesOf(latest.mask).includes(thread % 32);
            const seen = !inside ? 8 : latest.step === step ? 7 : 2;
            assert.strictEqual(state.doing[thread], seen, `lane ${thread} at step ${step}`);
        }
        ++compared;
    }
    recording.regions.forEach((slots) => new Set(slots).forEach((region) => {
        for (const element of region.cells.keys()) {
            const entry = recording.writes.last(recording.key({region, element}), after);
            const {value, lane, step: at} = entry < 0 ? {} : recording.entry(entry);
            const expected = replay.cells.get(`${region.array} ${region.slot} ${element}`);
            const seen = entry < 0 ? undefined : {value, lane, step: at};
            assert.deepStrictEqual(seen, expected, `element ${element} of array ${region.array} at step ${step}`);
            ++compared;
        }
    }));
    for (let i = 0; i < recording.parts.length * lanes; ++i) {
        const entry = recording.changes.last(i, after), part = `${Math.floor(i / lanes)} ${i % lanes}`;
        const value = entry < 0 ? undefined : recording.entry(entry).value;
        assert.strictEqual(value, replay.parts.get(part), `part ${part} at step ${step}`);
        ++compared;
    }
    assert.strictEqual(data.steps.length, recording.last - recording.start);
    return compared;
}

// What w, r and c find from a step: the steps, for a cell that something accesses.
function search(recording, {accesses}, cell, step) {
    const mine = accesses.filter((access) => access.cell === cell);
    const [array, slot, element] = cell.split(' ').map(Number);
    const key = recording.key({region: recording.regions[array + 1][slot], element});
    const stepOf = (entry) => {
        const at = entry < 0 ? 0 : recording.entry(entry).step;
        return at < recording.first ? 0 : at;
    };
    const last = (not) => mine.filter((a) => a.what !== not && a.step < step).map((a) => a.step).pop() || 0;
    const next = mine.filter((a) => a.what !== 'r' && a.step > step).map((a) => a.step)[0] || 0;
    assert.strictEqual(stepOf(recording.writes.last(key, recording.before(step))), last('r'), `w from step ${step}`);
    assert.strictEqual(stepOf(recording.reads.last(key, recording.before(step))), last('w'), `r from step ${step}`);
    assert.strictEqual(stepOf(recording.writes.next(key, recording.after(step))), next, `c from step ${step}`);
}

// Returns how many values of the recording were compared.
function check(data) {
    const recording = new Recording(data), replay = new Replay(data);
    const every = Math.ceil(data.steps.length / AT_MOST);
    let compared = 0;
    data.before.forEach((row) => replay.apply(row, data.first - 1));
    // Going back first: the checkpoints of later steps are there.
    recording.state(recording.last);
    data.steps.forEach((row, i) => {
        replay.apply(row, data.first + i);
        if (i % every === 0 || i === data.steps.length - 1) compared += compare(recording, replay, data.first + i);
    });
    for (let k = 0; k < 200 && replay.accesses.length; ++k) {
        const {cell} = replay.accesses[k * 7919 % replay.accesses.length];
        search(recording, replay, cell, data.first + k * 104729 % data.steps.length);
    }
    return compared;
}

module.exports = {check};
