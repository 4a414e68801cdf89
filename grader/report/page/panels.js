// The parts of the view. A panel is {element, show, grids}: show(now) brings it to a step. For what now is, see
// View.render in step.js; for the rest, recording.js.

// What a lane does, by its state: the id of its word, and the glyph in its cell.
const DOING = ['absent', 'fresh', 'ready', 'barrier', 'waiting', 'asleep', 'exited', 'active', 'elsewhere'];
const GLYPH = ['', '·', '○', '▮', '∥', 'z', '×', '●', '/'];
const MOST_CELLS = 4096; // of an array that are drawn
const WIDEST = 128; // a row of an array that is a row of its picture

function legend(view, rows) { // of [class, glyph, word]
    return make('p', {class: 'step-legend'}, ...rows.map(([name, glyph, word]) =>
        make('span', {}, make('b', {class: `step-key step-is-${name}`}, glyph), view.say(word))));
}
function section(view, name, ...children) { // no landmark: a report has its own of the same names
    const named = {class: `step-panel step-${name}`, role: 'group', 'aria-labelledby': view.id(name)};
    return make('div', named, make('h3', {id: view.id(name), class: 'step-title'}, view.say(name)), ...children);
}

// ------------------------------------------------------------------------------------------------------------ controls
function barPanel(view) {
    const {recording} = view, {start, last} = recording, where = make('strong', {class: 'step-where'});
    const slider = make('input', {
        type: 'range', class: 'step-slider', min: start, max: last, 'aria-label': view.say('step'),
        input: () => view.go(Number(slider.value)),
    });
    const buttons = Object.keys(BAR).map((name) => view.button(name, BAR[name]));
    const element = make('div', {class: 'step-bar', role: 'group', 'aria-label': view.say('controls')},
        make('div', {class: 'step-now'}, where, view.live), marks(recording), slider,
        make('div', {class: 'step-buttons'}, ...buttons));
    const measure = () => view.app.style.setProperty('--step-bar', `${element.offsetHeight}px`);
    new ResizeObserver(measure).observe(element);
    return {element, show({step}) {
        setText(where, view.say('step_of', step, last));
        slider.value = step;
        slider.setAttribute('aria-valuetext', where.textContent);
        Object.keys(BAR).forEach((name, i) => { buttons[i].disabled = view.target(name) === undefined; });
    }};
}
// Marks above the slider, a line each: the steps that complete a barrier, and those of findings.
function marks({start, last, barrierSteps, data}) {
    const x = (step) => (step - start) / Math.max(1, last - start);
    const mark = (name, steps) => make('path', {class: name, d: steps.map((step) => `M${x(step)} 0v1`).join('')});
    const found = data.findings.flatMap(({step, other}) => [step, other && other.step]).filter((step) => step);
    return make('svg', {class: 'step-marks', viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
        mark('step-barriers', barrierSteps), mark('step-flags', found));
}

// ------------------------------------------------------------------------------------------------------------ findings
function findingsPanel(view) {
    const items = view.recording.data.findings.map((finding, i) => findingItem(view, finding, i));
    const list = scroller('step-list', {'aria-labelledby': view.id('findings')}, make('ol', {}, ...items));
    const element = section(view, 'findings', list);
    element.hidden = !items.length;
    return {element, show: () => items.forEach((item, i) => item.setAttribute('aria-current', `${i === view.open}`))};
}
function findingItem(view, finding, i) {
    const accesses = [finding, finding.other].filter((access) => access).sort((a, b) => a.step - b.step);
    const pair = finding.cell ? ['first_access', 'second_access'] : ['one_place', 'other_place'];
    const words = accesses.length > 1 ? pair : ['the_access'];
    const buttons = accesses.map((access, nth) => {
        const button = press('step-button', () => view.toFinding(i, access), view.say(words[nth]));
        button.disabled = !access.step;
        return button;
    });
    return make('li', {}, make('p', {}, make('strong', {}, `${finding.kind}:`), ` ${finding.text}`),
        make('p', {class: 'step-hint'}, finding.hint), make('div', {class: 'step-buttons'}, ...buttons));
}

// -------------------------------------------------------------------------------------------------------------- source
function sourcePanel(view) {
    const {source} = view.recording.data, chips = source.map(() => make('td', {class: 'step-chips'}));
    const number = (i) => make('td', {class: 'step-number'}, view.teller.number(i + 1));
    const code = (text) => make('td', {class: 'step-code'}, text || ' ');
    const rows = source.map((text, i) => make('tr', {}, chips[i], number(i), code(text)));
    const table = make('table', {}, make('tbody', {}, ...rows));
    const box = scroller('step-lines', {'aria-labelledby': view.id('source')}, table);
    return {element: section(view, 'source', box), show({row, lanes, finding}) {
        const at = chipsByLine(view, lanes), found = finding ? [finding.line, finding.other && finding.other.line] : [];
        const flag = ['⚑', view.say('line_of_finding'), 'step-flag'];
        rows.forEach((tr, i) => {
            const current = row !== null && row[1] === i + 1, flagged = found.includes(i + 1);
            const here = (flagged ? [flag] : []).concat(at.get(i + 1) || []);
            if (tr.shown === (tr.shown = `${current}${here.join()}`)) return;
            tr.className = `${current ? 'step-current' : ''} ${flagged ? 'step-found' : ''}`;
            tr.setAttribute('aria-current', current ? 'step' : 'false');
            chips[i].replaceChildren(...here.map(([chip, title, name]) =>
                make('span', {class: name, title: title || chip}, chip)));
        });
        if (row && rows[row[1] - 1]) reveal(box, rows[row[1] - 1].offsetTop, 'scrollTop', 'clientHeight');
    }};
}
// Line to chips, [text, title, class]: one for the warps that are there as a whole, one for each that is there in part.
function chipsByLine({teller, recording}, {doing, line}) {
    const {warps, blocks} = recording.data, at = new Map();
    const add = (map, key, value) => map.set(key, (map.get(key) || []).concat([value]));
    for (const slot of blocks.keys()) {
        const whole = new Map(); // line to numbers of warps
        for (let number = 0; number < warps; ++number) {
            const base = (slot * warps + number) * LANES, by = new Map(); // line to a mask
            const there = range(LANES).filter((lane) => doing[base + lane] >= FRESH && doing[base + lane] !== EXITED);
            for (const lane of there.filter((l) => doing[base + l] >= READY))
                by.set(line[base + lane], by.get(line[base + lane]) | 1 << lane);
            for (const [where, mask] of by) {
                const title = `${teller.warp(base / LANES)}: ${teller.lanes(mask)}`;
                if (lanesOf(mask).length === there.length) add(whole, where, number);
                else add(at, where, [teller.chip(slot, number), title, 'step-chip step-part']);
            }
        }
        for (const [where, numbers] of whole)
            add(at, where, [teller.chip(slot, ranges(numbers).join(', ')), undefined, 'step-chip']);
    }
    return at;
}

// --------------------------------------------------------------------------------------------------------------- lanes
function lanesPanel(view) {
    const {teller, recording} = view, {warps} = recording.data, numbers = range(recording.lanes / LANES);
    let lanes = recording.state(recording.start);
    const does = (i) => { // in words
        const what = view.say(DOING[lanes.doing[i]]);
        if ([ABSENT, FRESH, EXITED].includes(lanes.doing[i])) return what;
        return view.say('then_at', what, teller.line(lanes.line[i]));
    };
    const tell = (i) => view.say('lane_is', teller.thread(i), Math.floor(i / LANES) % warps, i % LANES, does(i));
    const said = make('p', {class: 'step-story'}), words = inWords(view, does);
    const grid = new Grid(view, {
        named: view.id('lanes_title'), cols: LANES, ends: true,
        labels: numbers.map((warp) => teller.chip(recording.slot(warp), warp % warps)),
        has: (i) => lanes.doing[i] !== ABSENT,
        look: (i) => [DOING[lanes.doing[i]], GLYPH[lanes.doing[i]], ''],
        tell,
        choose: (lane) => view.select({lane}),
        hover: (i) => setText(said, tell(i < 0 ? view.lane : i)),
    });
    const keys = legend(view, DOING.map((name, i) => [name, GLYPH[i], name]).slice(FRESH));
    const element = section(view, 'lanes_title', grid.element, said, keys, words.element);
    return {element, grids: [grid], show(now) {
        ({lanes} = now);
        const latest = numbers.map((warp) => recording.row(recording.latest(warp, now.step)));
        grid.show(view.lane, latest.map((row) => row ? teller.line(row[1]) : ''));
        grid.hover(-1);
        words.write();
    }};
}
// The picture of lanes as a list, written while someone looks.
function inWords(view, does) {
    const {teller, recording} = view, list = make('ul');
    const item = (warp) => {
        const groups = new Map(); // what lanes do, in words, to a mask
        for (let i = warp * LANES; i < (warp + 1) * LANES; ++i)
            groups.set(does(i), groups.get(does(i)) | 1 << i % LANES);
        const told = [...groups].map(([what, mask]) => `${teller.lanes(mask)}: ${what}`);
        return make('li', {}, `${teller.warp(warp)}: ${told.join('; ')}`);
    };
    const write = () => list.replaceChildren(...(element.open ? range(recording.lanes / LANES) : []).map(item));
    const element = make('details', {toggle: write}, make('summary', {}, view.say('in_words')), list);
    return {element, write};
}

// -------------------------------------------------------------------------------------------------------------- memory
function memoryPanel(view) {
    const {recording, teller} = view, {reads, writes} = recording, said = make('p', {class: 'step-story'});
    let before = 0, after = 0;
    const look = (key, {space}) => {
        const entry = writes.last(key, after);
        const edge = entry >= before ? 'w' : reads.last(key, after) >= before ? 'r' : '';
        if (entry < 0) return [space === 'shared' ? 'never' : 'ready', '', edge]; // the host may have written others
        const {warp} = recording.events[Math.floor(entry / LANES)];
        return [`w${warp % 8}`, `${warp % recording.data.warps}`, edge];
    };
    const hover = (cell) => setText(said, cell ? view.story(cell) : view.say('choose_cell'));
    const regions = [...new Set([].concat(...recording.regions))];
    const seen = regions.filter((r) => r.space === 'shared' && r.count || r.cells.size);
    const grids = seen.map((region, i) => arrayGrid(view, region, view.id(`array-${i}`), look, hover));
    const buttons = SELECTED.map((name) => view.button(name, ''));
    const told = make('div', {class: 'step-told'}, said, make('div', {class: 'step-buttons'}, ...buttons));
    const keys = legend(view, [
        ['never', '', 'never'], ['read', '', 'legend_read'], ['wrote', '', 'legend_write'], ['w0', '0', 'legend_warp'],
    ]);
    return {element: section(view, 'memory', keys, ...grids.map((grid) => grid.box), told), grids, show({step}) {
        after = recording.after(step);
        before = step > recording.start ? recording.before(step) : after;
        for (const grid of grids) {
            const {region, caption} = grid, written = grid.keys.filter((key) => writes.last(key, after) >= 0).length;
            const type = region.type + region.dims.map((n) => ` [${n}]`).join('');
            setText(caption, view.say('caption', teller.name(region), type, view.say(region.space), written));
            const chosen = view.cell && view.cell.region === region;
            grid.show(chosen ? grid.elements.indexOf(view.cell.element) : -1);
        }
        hover(view.cell);
    }};
}
// The grid of an array: all rows of a shared array that is small, else the rows that the recording touches.
function arrayGrid(view, region, id, look, hover) {
    const {teller, recording} = view, {dims, count, cells} = region;
    const width = dims[dims.length - 1], deep = dims.length > 1 && width <= WIDEST, cols = deep ? width : LANES;
    const all = region.space === 'shared' && count > 0 && count <= MOST_CELLS;
    const touched = [...cells.keys()].map((element) => Math.floor(element / cols));
    const rows = [...new Set(all ? touched.concat(range(Math.ceil(count / cols))) : touched)].sort((a, b) => a - b);
    const shown = rows.slice(0, Math.floor(MOST_CELLS / cols));
    const elements = [].concat(...shown.map((row) => range(cols).map((col) => row * cols + col)));
    const keys = elements.map((element) => recording.key({region, element}));
    const cell = (i) => ({region, element: elements[i]});
    const label = (row) => {
        if (deep) return teller.subscript(region, row * cols).replace(/\[0\]$/, '');
        return region.array < 0 ? '' : `${row * cols}`;
    };
    const grid = new Grid(view, {
        region, elements, keys, cols, named: id, caption: make('p', {class: 'step-caption', id}),
        labels: shown.map(label),
        has: (i) => keys[i] > 0 || all && elements[i] < count,
        look: (i) => look(keys[i], region),
        tell: (i) => view.story(cell(i)),
        choose: (i) => view.select({cell: cell(i), about: 'cell'}),
        hover: (i) => hover(i < 0 ? view.cell : cell(i)),
    });
    const note = view.say(shown.length < rows.length ? 'rows_first' : 'rows_touched', shown.length, rows.length);
    grid.box = make('div', {class: 'step-array'}, grid.caption, grid.element);
    if (!all) grid.box.append(make('p', {class: 'step-note'}, note));
    return grid;
}

// ----------------------------------------------------------------------------------------------------------- variables
function variablesPanel(view) {
    const {recording, teller} = view, {variables, functions} = recording.data;
    const whose = make('p', {class: 'step-caption'}), body = make('tbody');
    const none = make('p', {class: 'step-note'}, view.say('no_variables'));
    const warp = scroller('step-scroll', {'aria-label': view.say('whole_warp')}, '');
    const toggle = press('step-button', () => view.select({wide: !view.wide}), view.say('whole_warp'));
    const rowsOf = variableRows(view), table = make('table', {class: 'step-table'}, body);
    return {element: section(view, 'variables', whose, table, none, toggle, warp), show({lanes, step}) {
        const {lane} = view, fn = lanes.fn[lane], rows = [], focused = document.activeElement;
        variables.forEach((v, i) => {
            const parts = v.function === fn ? v.parts.map((_, p) => partAt(view, v.from + p, lane, step)) : [];
            if (parts.some((part) => part)) rows.push(...rowsOf(v, i, parts));
        });
        setText(whose, fn < 0 ? teller.thread(lane) : view.say('in_function', teller.thread(lane), functions[fn]));
        const same = rows.length === body.rows.length && rows.every((tr, i) => tr === body.rows[i]);
        if (!same) body.replaceChildren(...rows);
        if (focused !== document.activeElement && body.contains(focused)) focused.focus({preventScroll: true});
        none.hidden = rows.length > 0;
        toggle.hidden = view.part === null;
        toggle.setAttribute('aria-expanded', `${view.wide}`);
        warp.hidden = toggle.hidden || !view.wide;
        warp.replaceChildren(...warp.hidden ? [] : [warpTable(view, view.part, lane - lane % LANES, step)]);
    }};
}
// What a part of a variable holds in a lane after a step, or null: {value, was} in words. was: what this step replaced.
function partAt({recording, teller}, number, lane, step) {
    const {changes} = recording, key = number * recording.lanes + lane, {kind, variable} = recording.parts[number];
    const entry = changes.last(key, recording.after(step)), old = changes.last(key, recording.before(step));
    const word = (e) => teller.value(recording.entry(e).value, kind, variable.type);
    const same = entry === old || step < recording.first;
    if (entry < 0) return null;
    return {value: word(entry), was: same ? '' : old < 0 ? teller.say('new') : teller.say('was', word(old))};
}
// Returns a function that gives the rows of a variable: one, or one for its name and one for each part, unless folded.
function variableRows(view) {
    const {teller} = view, folded = new Set(), kept = new Map();
    const row = (key, name, click, style, value, was) => { // made once, then kept: it may have the focus
        if (!kept.has(key)) {
            const head = make('th', {scope: 'row'}, press(style, click, name));
            kept.set(key, make('tr', {}, head, make('td'), make('td', {class: 'step-was'})));
        }
        const tr = kept.get(key);
        tr.className = was ? 'step-changed' : '';
        [value, was].forEach((text, i) => setText(tr.cells[i + 1], text));
        return tr;
    };
    const partRow = (v, p, part, single) => {
        const number = v.from + p, select = () => view.select({part: number, about: 'part'});
        const tr = row(number, single ? teller.variable(v) : v.parts[p], select,
            single ? 'step-name' : 'step-name step-of', part ? part.value : view.say('no_value'), part ? part.was : '');
        const button = tr.querySelector('button');
        button.setAttribute('aria-pressed', `${view.part === number}`);
        button.title = `${v.type} ${v.name}, ${teller.line(v.line)}`;
        return tr;
    };
    const headRow = (v, index, parts) => {
        const fold = () => { if (!folded.delete(index)) folded.add(index); view.render(); };
        const changed = parts.filter((part) => part && part.was).length, open = !folded.has(index);
        const was = changed && !open ? view.say('changed_parts', changed) : '';
        const tr = row(`v${index}`, teller.variable(v), fold, 'step-name', v.type, was);
        tr.querySelector('button').setAttribute('aria-expanded', `${open}`);
        return tr;
    };
    return (v, index, parts) => {
        const single = v.parts.length === 1 && !v.parts[0];
        if (single) return [partRow(v, 0, parts[0], true)];
        const shown = folded.has(index) ? [] : parts;
        return [headRow(v, index, parts), ...shown.map((part, p) => partRow(v, p, part, false))];
    };
}
function warpTable(view, number, base, step) { // a part in all lanes of a warp
    const cell = (part) => make('td', {class: part && part.was ? 'step-changed' : ''}, part ? part.value : '');
    const row = (first) => make('tr', {},
        make('th', {scope: 'row'}, view.say('lanes', `${first}–${first + 7}`)),
        ...range(8).map((i) => cell(partAt(view, number, base + first + i, step))));
    const {name, variable} = view.recording.parts[number], of = view.teller.variable(variable) + name;
    const caption = view.say('over_warp', of, view.teller.warp(base / LANES));
    const rows = [0, 8, 16, 24].map(row);
    return make('table', {class: 'step-table'}, make('caption', {}, caption), make('tbody', {}, ...rows));
}
