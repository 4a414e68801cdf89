#!/usr/bin/env node
// Walks through pages of recorded blocks in a headless Chromium, as a student does, by the keys that the page names:
//
//     walk.js BROWSER FOLDER [pictures]
//
// FOLDER has the pages, lab/*.html and sync/*.html. "pictures" also writes pictures of five into FOLDER. Prints TAP.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {Browser} = require('./browser.js');
const replay = require('./replay.js');

const [program, folder, pictures] = process.argv.slice(2);
const MOST_BYTES = 2000000; // of a recording
const MOST_PRESSES = 50; // from one access to the other

let tests = 0;
async function test(what, run) {
    try {
        const said = await run();
        console.log(`ok ${++tests} ${what}${said ? `: ${said}` : ''}`);
    } catch (error) {
        const text = error instanceof assert.AssertionError ? error.message : error.stack || `${error}`;
        console.log(`not ok ${++tests} ${what}\n# ${text.split('\n').slice(0, 12).join('\n# ')}`);
    }
}

// Runs in each page before its own script: measures how long the page takes for a key, with the layout that follows,
// and keeps what the policy refuses.
const BEFORE = `(() => {
    const web = window.web = {times: [], refused: []};
    let begin = 0;
    addEventListener('keydown', () => { begin = performance.now(); }, true);
    addEventListener('keydown', () => {
        document.body.offsetHeight;
        web.times.push(performance.now() - begin);
    });
    document.addEventListener('securitypolicyviolation', (event) => web.refused.push(event.violatedDirective));
})()`;

// What the page shows: the step, the current line, the lines of the finding, and the story of the selected cell.
const SHOWN = `(() => {
    const text = (selector) => document.querySelector(selector).textContent;
    const rows = [...document.querySelectorAll('.step-lines tr')];
    const lines = (selector) => rows.map((row, i) => row.querySelector(selector) ? i + 1 : 0).filter((line) => line);
    const grids = [...document.querySelectorAll('.step-memory .step-grid')];
    return {
        step: Number(text('.step-where').match(/[0-9]+/)[0]),
        current: rows.findIndex((row) => row.className.includes('step-current')) + 1,
        flagged: lines('.step-flag'),
        story: text('.step-told .step-story'),
        selected: grids.map((grid) => grid.getAttribute('aria-valuetext')).filter((text) => !text.includes('no cell')),
        lane: text('.step-lanes_title .step-story'),
    };
})()`;

// ---------------------------------------------------------------------------------------------------- one page's walk
function nameOf(data, {array, element}) { // of a cell, as the page has it
    const {name, dims} = data.arrays[array], inner = element < 0 ? [] : dims.slice(1);
    const subscripts = [];
    let rest = element;
    for (const size of inner.reverse()) {
        subscripts.unshift(`[${rest % size}]`);
        rest = Math.floor(rest / size);
    }
    return `${name || '(no name)'}[${rest}]${subscripts.join('')}`;
}
const lineOf = (data, line) => `line ${(data.names || {})[line] || line}`;

function lanesOf(mask) {
    return [...Array(32).keys()].filter((lane) => mask >>> lane & 1);
}
// Whether a step writes an element of an array.
function writes(data, step, {array, element}) {
    const [, , mask, , events] = data.steps[step - data.first];
    return events.some(([what, target, own, elements]) => {
        if (!'wa'.includes(what) || target !== array) return false;
        const lanes = lanesOf(own || mask);
        const of = (lane, i) => Array.isArray(elements) ? elements[i]
            : elements && typeof elements === 'object' ? elements.f + elements.b * (lane - lanes[0]) : elements;
        return lanes.some((lane, i) => of(lane, i) === element);
    });
}

class Walk {
    constructor(browser, data) {
        Object.assign(this, {browser, data, finding: data.findings[0], presses: 0});
    }
    async look() { this.shown = await this.browser.eval(SHOWN); }
    async press(key) {
        await this.browser.key(key);
        await this.look();
        ++this.presses;
    }
    async opens() {
        const {data, finding} = this;
        await this.look();
        assert.strictEqual(this.shown.step, finding.step, 'the page does not open at its finding');
        const there = this.shown.current === finding.line || this.shown.flagged.includes(finding.line);
        assert(there, `line ${finding.line} is not marked: ${JSON.stringify(this.shown)}`);
        if (!finding.cell) return;
        const name = nameOf(data, finding.cell);
        assert(this.shown.story.startsWith(name), `${name} is not selected: ${this.shown.story}`);
        assert.deepStrictEqual(this.shown.selected, [this.shown.story], 'another cell is selected in the picture');
    }
    // To the other access and back.
    async goesToTheOther() {
        const {finding} = this, {lane} = this.shown;
        await this.press('o');
        assert.strictEqual(this.shown.step, finding.other.step, 'o does not go to the other access');
        if (finding.other.line) assert(this.shown.flagged.includes(finding.other.line), 'its line is not marked');
        assert.notStrictEqual(this.shown.lane, lane, 'the lane is not that of the other thread');
        await this.press('o');
        assert.strictEqual(this.shown.step, finding.step, 'o does not come back');
        assert.strictEqual(this.shown.lane, lane, 'o does not come back to the thread');
    }
    // From the first access to the second, by what a student would press.
    async findsTheSecond() {
        const {data, finding} = this, change = finding.cell && writes(data, finding.step, finding.cell);
        await this.press('o');
        const keys = change ? ['c'] : ['ArrowRight', 'f'];
        let presses = 0;
        for (; this.shown.step !== finding.step && presses < MOST_PRESSES; ++presses)
            await this.press(keys[Math.min(presses, keys.length - 1)]);
        assert.strictEqual(this.shown.step, finding.step, `not reached by ${MOST_PRESSES} × ${keys.join(', ')}`);
        this.presses = presses;
    }
    tellsBoth() {
        const {data, finding} = this;
        for (const {line} of [finding, finding.other])
            assert(this.shown.story.includes(lineOf(data, line)), `no ${lineOf(data, line)} in: ${this.shown.story}`);
    }
}

function recordingOf(file) { // as text
    return fs.readFileSync(file, 'utf8').match(/<script type="application\/json">([^<]*)<\/script>/)[1];
}
const hasFinding = (file) => JSON.parse(recordingOf(file)).findings.length > 0;

// What the script makes of each recording, compared with a plain replay.
function replayed(files) {
    let compared = 0;
    for (const file of files) {
        try {
            compared += replay.check(JSON.parse(recordingOf(file)));
        } catch (error) {
            error.message = `${file}: ${error.message}`;
            throw error;
        }
    }
    return `${files.length} recordings, ${compared} values`;
}

const worst = {time: 0, bytes: 0, presses: 0, walked: 0, others: 0}; // of all pages
async function walk(browser, file) {
    const text = recordingOf(file), data = JSON.parse(text), name = path.basename(file, '.html');
    assert(text.length < MOST_BYTES, `the recording has ${text.length} bytes`);
    await browser.open(file);
    const one = new Walk(browser, data), {other, cell} = one.finding;
    await one.opens();
    if (other && other.step) {
        ++worst.others;
        await one.goesToTheOther();
        await one.findsTheSecond();
        if (cell) one.tellsBoth();
    } else {
        for (const key of ['ArrowLeft', 'ArrowRight', 'Home']) await one.press(key);
        for (const _ of data.findings) if (one.shown.step !== one.finding.step) await one.press('f');
        assert.strictEqual(one.shown.step, one.finding.step, 'Home and f do not lead to the finding');
    }
    assert.deepStrictEqual(browser.errors, []);
    const {times, refused} = await browser.eval('web');
    assert.deepStrictEqual(refused, []);
    const time = Math.max(...times);
    if (time > worst.time) Object.assign(worst, {time, slow: name});
    if (text.length > worst.bytes) Object.assign(worst, {bytes: text.length, large: name});
    worst.presses = Math.max(worst.presses, one.presses);
    ++worst.walked;
    return `${data.steps.length} steps, ${Math.round(text.length / 1024)} KiB, ${time.toFixed(1)} ms`;
}

// ------------------------------------------------------------------------------------------------- scripts and policy
const RAN = `({app: document.querySelectorAll('.step-app').length, title: document.title,
    plain: document.querySelector('.step > pre').offsetHeight > 0})`;

async function hostile(browser, file) { // names and text that would be markup
    await browser.open(file);
    const ran = await browser.eval(RAN);
    assert.strictEqual(ran.app, 1, 'the script did not run');
    assert(!/^owned/.test(ran.title), 'text of the submission ran');
    for (const key of ['n', 'p', 'Home', 'End', '?', 'Escape', 'C', 'w']) await browser.key(key);
    assert.strictEqual((await browser.eval(RAN)).title, ran.title);
    assert.strictEqual(await browser.eval('document.querySelectorAll("script").length'), 2);
    assert.deepStrictEqual(browser.errors, []);
}
// A copy of a page with something changed: the policy must refuse what is not the page's script.
async function refused(browser, file, change) {
    const copy = path.join(folder, 'changed.html'), text = fs.readFileSync(file, 'utf8'), changed = change(text);
    assert.notStrictEqual(changed, text);
    fs.writeFileSync(copy, changed);
    await browser.open(copy);
    fs.unlinkSync(copy);
    assert((await browser.eval('web.refused')).includes('script-src-elem'), 'nothing was refused');
    return browser.eval(RAN);
}
async function altered(browser, file) {
    const ran = await refused(browser, file, (text) => text.replace("<script>'use strict'", "<script> 'use strict'"));
    assert.deepStrictEqual([ran.app, ran.plain], [0, true], 'an altered script ran');
}
async function added(browser, file) {
    const script = '<script>document.title = 1</script>';
    const ran = await refused(browser, file, (text) => text.replace('</main>', `${script}</main>`));
    assert.strictEqual(ran.app, 1, 'the script did not run');
    assert.notStrictEqual(ran.title, '1', 'another script ran');
}
async function plain(browser, file) {
    await browser.open(file, {scripts: false});
    const without = await browser.eval(RAN);
    assert.deepStrictEqual([without.app, without.plain], [0, true]);
    await browser.open(file);
    const ran = await browser.eval(RAN);
    assert.deepStrictEqual([ran.app, ran.plain], [1, false]);
}

// ---------------------------------------------------------------------------------------------------------- for people
async function takePictures(browser, race, blocks) {
    const phone = {width: 390, height: 844};
    for (const [name, file, how] of [
        ['race-desktop-light', race, {}], ['race-desktop-dark', race, {scheme: 'dark'}],
        ['race-phone-light', race, phone], ['race-phone-dark', race, Object.assign({scheme: 'dark'}, phone)],
        ['blocks-desktop-light', blocks, {}],
    ]) {
        await browser.open(file, how);
        await browser.screenshot(path.join(folder, `${name}.png`));
    }
}

function pagesOf(part) {
    const at = path.join(folder, part);
    return fs.existsSync(at) ? fs.readdirSync(at).sort().map((name) => path.join(at, name)) : [];
}
(async () => {
    const browser = new Browser(program, BEFORE), labs = pagesOf('lab'), twins = pagesOf('sync');
    const found = labs.filter(hasFinding), race = labs.find((file) => /one_barrier/.test(file));
    const bad = twins.filter((file) => /hostile/.test(file));
    const blocks = twins.find((file) => /across_blocks/.test(file));
    await test('there are pages', () => assert(found.length && twins.length, 'no finding of a lab, or no twin'));
    await test('states as replayed', () => replayed(labs.concat(twins)));
    await browser.start();
    try {
        for (const file of found.concat(twins.filter((twin) => !bad.includes(twin))))
            await test(path.relative(folder, file).replace('.html', ''), () => walk(browser, file));
        for (const file of bad) await test('hostile names run nothing', () => hostile(browser, file));
        if (race) {
            await test('the policy refuses an altered script', () => altered(browser, race));
            await test('the policy refuses another script', () => added(browser, race));
            await test('without scripts, the walk is text', () => plain(browser, race));
        }
        if (pictures && race && blocks) await test('pictures', () => takePictures(browser, race, blocks));
    } finally {
        await browser.stop();
    }
    const {walked, others, time, slow, bytes, large, presses} = worst, without = labs.length - found.length;
    console.log(`# ${walked} pages walked, ${others} of them with another access; ${without} more have no finding`);
    console.log(`# slowest key: ${time.toFixed(1)} ms (${slow}); largest recording: ${bytes} bytes (${large})`);
    console.log(`# most presses from one access to the other: ${presses}`);
    console.log(`1..${tests}`);
})();
