// Puts what is in a recording into words. See recording.js.

// Ascending numbers as texts: "0–15", "20".
function ranges(numbers) {
    const starts = numbers.filter((n) => !numbers.includes(n - 1));
    const ends = numbers.filter((n) => !numbers.includes(n + 1));
    return starts.map((start, i) => start === ends[i] ? `${start}` : `${start}–${ends[i]}`);
}

class Teller {
    constructor(recording) {
        this.recording = recording;
        this.data = recording.data;
        this.many = recording.data.blocks.length > 1; // blocks: then their names are said
        this.namesakes = new Map(); // how many variables of a function have a name
        for (const {name, function: fn} of recording.data.variables) {
            const key = `${fn} ${name}`;
            this.namesakes.set(key, (this.namesakes.get(key) || 0) + 1);
        }
    }
    // One of the recording's words, with values in the places of {0}, {1} and {2}.
    say(id, ...values) {
        const word = (this.data.words || {})[id] || id;
        return word.replace(/\{(\d)\}/g, (_, i) => values[i]);
    }

    // ---- threads and lines
    indices(of, sizes) { return of.slice(0, sizes[2] > 1 ? 3 : sizes[1] > 1 ? 2 : 1).join(', '); }
    block(slot) { return this.indices(this.data.blocks[slot], this.data.grid).replace(/.*,.*/, '($&)'); }
    ofBlock(text, slot) { return this.many ? this.say('of_block', text, this.block(slot)) : text; }
    number(line) { return (this.data.names || {})[line] || `${line}`; }
    line(line) { return line > 0 ? this.say('line', this.number(line)) : this.say('line_unknown'); }
    warp(warp) { return this.ofBlock(this.say('warp', warp % this.data.warps), this.recording.slot(warp)); }
    chip(slot, numbers) { return `${this.many ? this.block(slot).replace(' ', '') : ''}w${numbers}`; }
    thread(lane) {
        const per = this.data.warps * LANES, t = lane % per, [x, y] = this.data.block;
        const where = this.indices([t % x, Math.floor(t / x) % y, Math.floor(t / (x * y))], this.data.block);
        const thread = where.includes(',') ? this.say('thread_at', t, where) : this.say('thread', t);
        return this.ofBlock(thread, Math.floor(lane / per));
    }
    lanes(mask) {
        const lanes = lanesOf(mask), runs = ranges(lanes);
        if (lanes.length === 1) return this.say('lane', runs[0]);
        if (lanes.length === LANES) return this.say('lanes_all');
        return runs.length > 4 ? this.say('lanes_count', lanes.length) : this.say('lanes', runs.join(', '));
    }

    // ---- cells and variables
    name(region, subscript = '') {
        const name = region.array < 0 ? this.say('outside') : region.name || this.say('no_name');
        return region.space === 'shared' ? this.ofBlock(name + subscript, region.slot) : name + subscript;
    }
    subscript({dims, array}, element) {
        if (array < 0) return ` 0x${element.toString(16)}`;
        if (!dims.length && !element) return ''; // a scalar
        const inner = element < 0 ? [] : dims.slice(1);
        let text = '', rest = element;
        for (const size of inner.reverse()) {
            text = `[${rest % size}]${text}`;
            rest = Math.floor(rest / size);
        }
        return `[${rest}]${text}`;
    }
    cell({region, element}) { return this.name(region, this.subscript(region, element)); }
    // The name of a variable, with the line of its declaration where another one of its function has the name, too.
    variable({name, function: fn, line}) {
        const several = this.namesakes.get(`${fn} ${name}`) > 1;
        return several && line > 0 ? `${name} (${this.line(line)})` : name;
    }
    pointer(address) {
        if (!address || typeof address !== 'number') return `${address || 'null'}`;
        let beyond = null; // the nearest array that ends before it
        for (const array of this.data.arrays) {
            const element = (address - array.base) / array.bytes;
            if (element < 0 || element !== Math.floor(element) || !array.name) continue;
            if (element < array.count) return `&${array.name}${this.subscript(array, element)}`;
            if (element < 2 * array.count && (!beyond || array.base > beyond.base)) beyond = array;
        }
        if (!beyond) return `0x${address.toString(16)}`;
        return `${beyond.name} + ${(address - beyond.base) / beyond.bytes}`;
    }
    value(value, kind, type) {
        if (value === null || value === undefined) return this.say('undefined');
        if (kind === 'p') return this.pointer(value);
        if (kind === 'c' && value > 32 && value < 127) return `'${String.fromCharCode(value)}' (${value})`;
        if (kind !== 'f' || typeof value !== 'number') return `${value}`;
        return `${Number(value.toPrecision(/double/.test(type) ? 15 : 7))}`;
    }

    // ---- the story of a cell
    // "written by thread 255 at line 15, 3 steps ago", with the number of lanes that did the same in this event.
    access(key, entry, now) {
        const {what, lane, line, step} = this.recording.entry(entry), event = entry - entry % LANES;
        const history = this.recording[what === 'r' ? 'reads' : 'writes'];
        const others = history.place(key, event + LANES) - history.place(key, event) - 1;
        const thread = this.thread(lane);
        const who = others ? this.say(others > 1 ? 'and_more' : 'and_one', thread, others) : thread;
        return this.say(`did_${what}`, who, this.line(line), this.ago(step, now));
    }
    ago(step, now) {
        if (step < this.recording.first) return this.say('before_recording');
        return this.say(['in_this_step', 'step_ago'][now - step] || 'steps_ago', now - step);
    }
    // The last entry before this one that another thread made in another event, among the nearest 64 of a cell; or -1.
    foreign(history, key, entry) {
        const at = history.place(key, entry - entry % LANES), {lane} = this.recording.entry(entry);
        const near = history.entries.slice(Math.max(history.from[key], at - 64), at).reverse();
        return [...near, -1].find((e) => e < 0 || this.recording.entry(e).lane !== lane);
    }
    // The story of a cell up to a step: its value, the last access, and the one before that it may conflict with. Or,
    // of the cell of a finding in its step, the pair of entries that the finding is about.
    story(cell, step, pair) {
        const {recording} = this, {writes, reads} = recording, key = recording.key(cell), after = recording.after(step);
        const written = writes.last(key, after), late = Math.max(written, reads.last(key, after));
        const name = written < 0 ? this.cell(cell) : this.say('is', this.cell(cell), this.content(cell, written));
        const tell = (text) => this.say('story', name, text);
        if (pair) {
            const unordered = recording.sameBlock(...pair) && recording.barrierBetween(...pair) !== true;
            return tell(this.both(key, ...pair, step, unordered ? false : undefined));
        }
        if (late < 0) return tell(this.say('untouched'));
        const read = late > written, foreign = (history) => this.foreign(history, key, late);
        const early = read ? written : Math.max(foreign(writes), foreign(reads));
        const text = this.access(key, late, step);
        if (early < 0) return tell(read ? this.say('then', this.say('never_written'), text) : text);
        // That nothing orders them is said of a finding's pair alone: atomics and flags order, too.
        return tell(this.both(key, early, late, step, recording.barrierBetween(early, late) || undefined));
    }
    both(key, early, late, step, between) {
        const both = this.say('then', this.access(key, early, step), this.access(key, late, step));
        return between === undefined ? both : this.say(between ? 'a_barrier' : 'no_barrier', both);
    }
    content({region: {type}}, entry) {
        const kind = /\*/.test(type) ? 'p' : /float|double|half/.test(type) ? 'f' : 'i';
        return this.value(this.recording.entry(entry).value, kind, type);
    }

    // ---- what a step did, a sentence each
    told(step) {
        const {recording} = this, row = recording.row(step), changed = new Set(), text = [];
        for (const {warp, mask, event} of recording.eventsOf(step)) {
            const [what, target] = event;
            if (what === 'v') {
                changed.add(this.variable(recording.parts[target].variable));
                continue;
            }
            const of = 'rwa'.includes(what) ? this.elements(warp, mask, event) : this.lanes(mask);
            text.push(this.say(`told_${what}`, of));
        }
        if (changed.size) text.unshift(this.say('told_v', [...changed].join(', ')));
        if (!row) return [this.say('before_first'), ...text].join(' ');
        const [warp, line, mask] = row;
        return [this.say('does', this.warp(warp), this.line(line), this.lanes(mask)), ...text].join(' ');
    }
    elements(warp, mask, [, array, , elements]) {
        const region = this.recording.region(array, warp);
        const of = new Set(lanesOf(mask).map((lane) => pick(elements, mask, lane)));
        const low = Math.min(...of), high = Math.max(...of), from = this.cell({region, element: low});
        if (of.size === 1) return from;
        const id = high - low === of.size - 1 ? 'elements_to' : 'elements_some';
        return this.say(id, from, this.cell({region, element: high}), of.size);
    }
}
