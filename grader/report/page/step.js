// The view of a recording, its keys, and the start. See recording.js.

// What a student can do, with its keys. The words help_NAME and do_NAME say what for. BAR has the pictures of buttons.
const COMMANDS = {
    forward: '→ n', back: '← p', warp: 'Shift+→', warp_back: 'Shift+←', barrier: 'b', barrier_back: 'B',
    finding: 'f', finding_back: 'F', other: 'o', writer: 'w', reader: 'r', change: 'c', change_back: 'C',
    first: 'Home', last: 'End', help: '?',
};
const BAR = {
    first: '|◀', back: '◀', forward: '▶', last: '▶|', barrier_back: '◁▮', barrier: '▮▷', finding: '⚑', other: '⇄',
    help: '',
};
const SELECTED = ['writer', 'reader', 'change_back', 'change']; // about the selected cell or variable

let current = null; // the view that keys go to while the focus is in none: the first, then the one used last

// One recording on the page, and where the student is in it.
class View {
    constructor(root, data) {
        const recording = new Recording(data), {findings} = data;
        Object.assign(this, {root, recording, teller: new Teller(recording)});
        this.step = recording.first;
        this.lane = 0; // whose variables are shown
        this.cell = null; // that is selected: {region, element}
        this.part = null; // of a variable, that is selected
        this.about = null; // 'cell' or 'part': which of the two w, r, c and C are about
        this.wide = false; // the part is shown in the whole warp
        this.open = -1; // the open finding; -1: none
        this.colors = {};
        this.byStep = range(findings.length).filter((i) => findings[i].step)
            .sort((a, b) => findings[a].step - findings[b].step);
        this.build(data);
        const first = findings.findIndex((finding) => finding.step);
        if (first >= 0) this.toFinding(first, findings[first]); else this.go(recording.first);
        current = current || this;
        setTimeout(() => recording.state(recording.last)); // makes the checkpoints
    }
    say(id, ...values) { return this.teller.say(id, ...values); }
    id(name) { return `${this.root.id || 'step'}-${name}`; }

    // ---- what is on the page
    build(data) {
        const use = () => { current = this; };
        this.live = make('p', {class: 'step-live', 'aria-live': 'polite'});
        this.app = make('div', {class: 'step-app', focusin: use, pointerdown: use});
        this.root.append(this.app);
        this.panels = [barPanel, findingsPanel, sourcePanel, lanesPanel, memoryPanel, variablesPanel]
            .map((panel) => panel(this));
        const [bar, findings, source, lanes, memory, variables] = this.panels;
        const column = (...panels) => make('div', {class: 'step-column'}, ...panels.map((panel) => panel.element));
        this.help = this.makeHelp();
        const columns = [column(findings, source, variables), column(lanes, memory)];
        this.app.append(make('p', {class: 'step-head'}, this.heading(data)), bar.element, ...this.notes(data),
            make('div', {class: 'step-columns'}, ...columns), this.help);
        document.addEventListener('keydown', (event) => this.key(event));
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
            this.colors = {};
            for (const grid of lanes.grids.concat(memory.grids)) grid.painted = [];
            this.render();
        });
    }
    heading(data) {
        const sizes = (of) => this.teller.indices(of, of).replace(/, /g, ' × ');
        const launch = this.say('launch', sizes(data.grid), sizes(data.block));
        return [data.lab, data.kernel, data.case, launch].filter((text) => text).join(' · ');
    }
    notes(data) {
        const notes = [];
        if (data.first > 1) notes.push(this.say('note_dropped', data.first));
        if (!data.complete) notes.push(this.say('note_incomplete'));
        return notes.map((note) => make('p', {class: 'step-note'}, note));
    }
    makeHelp() {
        const keys = (name) => COMMANDS[name].split(' ').map((key) => make('kbd', {}, key));
        const rows = Object.keys(COMMANDS).map((name) => make('tr', {},
            make('th', {scope: 'row'}, ...keys(name)), make('td', {}, this.say(`help_${name}`))));
        return make('dialog', {class: 'step-help', 'aria-label': this.say('do_help')},
            make('table', {class: 'step-table'}, make('tbody', {}, ...rows)),
            make('p', {}, this.say('help_grids')), press('step-button', () => this.help.close(), this.say('close')));
    }
    button(name, icon) {
        return press('step-button', () => this.run(name),
            make('span', {'aria-hidden': 'true', class: 'step-icon'}, icon),
            make('span', {}, this.say(`do_${name}`)),
            make('kbd', {'aria-hidden': 'true'}, COMMANDS[name].split(' ')[0]));
    }
    color(name) { // of a cell or a line in a picture; never is hatched
        if (!this.colors[name])
            this.colors[name] = name === 'never' ? this.hatching()
                : getComputedStyle(this.app).getPropertyValue(`--step-${name}`);
        return this.colors[name];
    }
    hatching() {
        const canvas = make('canvas', {width: 8, height: 8}), draw = canvas.getContext('2d');
        draw.fillStyle = this.color('paper');
        draw.strokeStyle = this.color('soft');
        draw.fillRect(0, 0, 8, 8);
        for (const at of [-8, 0, 8]) {
            draw.moveTo(at - 1, 9);
            draw.lineTo(at + 9, -1);
        }
        draw.stroke();
        return draw.createPattern(canvas, 'repeat');
    }

    // ---- what keys and buttons do
    key(event) {
        const {target} = event, inside = this.app.contains(target);
        const arrow = {ArrowRight: '→', ArrowLeft: '←'}[event.key];
        const key = arrow ? (event.shiftKey ? 'Shift+' : '') + arrow : event.key;
        const command = Object.keys(COMMANDS).find((name) => COMMANDS[name].split(' ').includes(key));
        if (!command || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
        if (this.help.open || !inside && (target !== document.body || current !== this)) return;
        if (target.matches('input:not([type=range]), textarea, select, [contenteditable]')) return;
        event.preventDefault();
        this.run(command);
    }
    // Where a command leads to: a step, {open, access} of a finding, or undefined where there is nothing.
    target(name) {
        const {recording, step} = this, {start, last} = recording, back = name.endsWith('back');
        const within = (k) => k >= start && k <= last && k !== step ? k : undefined;
        const among = (steps) => steps[back ? bisect(steps, step) - 1 : bisect(steps, step + 1)];
        switch (name.replace('_back', '')) {
        case 'first': return within(start);
        case 'last': return within(last);
        case 'forward': case 'back': return within(step + (back ? -1 : 1));
        case 'warp': return among(recording.warpSteps[this.warp()]);
        case 'barrier': return among(recording.barrierSteps);
        case 'other': return this.otherAccess();
        case 'finding': return this.nextFinding(back);
        default: return step;
        }
    }
    warp() { // of the step, or of the lane before the first step
        const row = this.recording.row(this.step);
        return row ? row[0] : Math.floor(this.lane / LANES);
    }
    otherAccess() {
        const open = this.recording.data.findings[this.open];
        if (!open || !open.other) return undefined;
        const there = this.step === open.other.step && this.lane === this.laneOf(open.other); // maybe in the same step
        const access = this.step === open.step && !there ? open.other : open;
        return access.step ? {open: this.open, access} : undefined;
    }
    laneOf({block, thread}) { return this.recording.laneOf(block, thread); }
    // What is told of a cell. In the step of the open finding, what is told of its cell is the two accesses.
    story(cell) {
        const {recording, teller, step} = this, open = recording.data.findings[this.open], key = recording.key(cell);
        if (!open || !open.cell || !open.other || step !== open.step || key !== recording.key(this.cellOf(open)))
            return teller.story(cell, step);
        const pair = [open.other, open].map((access) => recording.entryIn(access.step, this.laneOf(access), key));
        return teller.story(cell, step, pair.includes(-1) ? undefined : pair);
    }
    cellOf({cell}) { return {region: this.recording.regions[cell.array + 1][cell.slot], element: cell.element}; }
    nextFinding(back) {
        const {findings} = this.recording.data;
        const order = (i) => findings[i].step - this.step || i - this.open; // a step may have several
        const before = this.byStep.filter((i) => order(i) < 0), after = this.byStep.filter((i) => order(i) > 0);
        const to = back ? after.concat(before).pop() : after.concat(before)[0]; // around the ends
        return to >= 0 ? {open: to, access: findings[to]} : undefined;
    }
    run(name) {
        const target = this.target(name);
        if (name === 'help') this.help.showModal();
        else if (SELECTED.includes(name)) this.toAccess(name);
        else if (target === undefined) this.answer('no_more');
        else if (target.access) this.toFinding(target.open, target.access);
        else this.go(target);
    }
    answer(id, ...values) { setText(this.live, this.say(id, ...values)); }
    toAccess(name) { // of the selected cell or variable
        const {recording, teller, step} = this, part = this.about === 'part', next = name === 'change';
        if (!this.about) return this.answer('choose_cell');
        if (part && name === 'reader') return this.answer('no_reads');
        const key = part ? this.part * recording.lanes + this.lane : recording.key(this.cell);
        const history = part ? recording.changes : name === 'reader' ? recording.reads : recording.writes;
        const entry = next ? history.next(key, recording.after(step)) : history.last(key, recording.before(step));
        if (entry < 0) return this.answer(next ? 'none_after' : 'none_before');
        const to = recording.entry(entry);
        if (to.step < recording.first) return this.answer('older', teller.thread(to.lane), teller.line(to.line));
        return this.go(to.step, {lane: to.lane});
    }
    toFinding(open, access) {
        const finding = this.recording.data.findings[open], lane = this.laneOf(access), to = {open};
        if (lane !== undefined) to.lane = lane;
        if (finding.cell) Object.assign(to, {cell: this.cellOf(finding), about: 'cell'});
        this.go(access.step, to);
    }
    go(step, to) {
        const {start, last} = this.recording;
        this.select(Object.assign({step: Math.min(Math.max(step, start), last)}, to));
        setText(this.live, this.teller.told(this.step));
    }
    select(what) {
        Object.assign(this, what);
        this.render();
    }
    render() {
        const {step, recording, open} = this;
        const row = recording.row(step), lanes = recording.state(step), finding = recording.data.findings[open];
        for (const panel of this.panels) panel.show({step, row, lanes, finding});
    }
}

for (const root of document.querySelectorAll('.step')) {
    const data = JSON.parse(root.querySelector('script').textContent);
    if (data.recording !== 1) continue;
    for (const fallback of root.children) fallback.hidden = true;
    new View(root, data);
}
