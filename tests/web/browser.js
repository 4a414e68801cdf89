// A headless Chromium, by its debugging pipe: no port, no package.
'use strict';
const fs = require('fs'), os = require('os'), path = require('path');
const {spawn} = require('child_process');

class Browser {
    // The program, and what is to run in each page before its own scripts.
    constructor(program, before) {
        this.before = before;
        this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'warpwise-web-'));
        const options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
            '--force-color-profile=srgb', `--user-data-dir=${this.profile}`, '--remote-debugging-pipe', 'about:blank'];
        this.process = spawn(program, options, {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
        this.ended = new Promise((done) => this.process.on('exit', done));
        this.ended.then(() => this.fail(new Error('the browser ended')));
        this.process.on('error', (error) => this.fail(error));
        this.process.stdio[3].on('error', (error) => this.fail(error));
        this.waiting = new Map(); // the number of a call or the name of an event to {done, fail}
        this.number = 0;
        this.errors = []; // what the page's console and the browser's log say since open()
        let text = '';
        this.process.stdio[4].on('data', (chunk) => {
            const messages = (text + chunk).split('\0');
            text = messages.pop();
            for (const message of messages) this.hear(JSON.parse(message));
        });
    }
    fail(error) {
        for (const {fail} of this.waiting.values()) fail(error);
        this.waiting.clear();
    }
    hear({id, method, params, result, error}) {
        if (method === 'Runtime.exceptionThrown') {
            const {text, exception} = params.exceptionDetails;
            this.errors.push(exception ? exception.description : text);
        }
        if (method === 'Runtime.consoleAPICalled') this.errors.push(params.args.map((a) => a.value).join(' '));
        if (method === 'Log.entryAdded') this.errors.push(params.entry.text);
        const waiting = this.waiting.get(id || method);
        if (!waiting) return;
        this.waiting.delete(id || method);
        if (error) waiting.fail(new Error(JSON.stringify(error))); else waiting.done(result);
    }
    wait(key) { return new Promise((done, fail) => this.waiting.set(key, {done, fail})); }
    send(method, params = {}) {
        const id = ++this.number, answer = this.wait(id);
        this.process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId: this.session})}\0`);
        return answer;
    }
    async start() {
        const {targetInfos} = await this.send('Target.getTargets');
        const {targetId} = targetInfos.find((target) => target.type === 'page');
        const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
        this.session = sessionId;
        for (const domain of ['Page', 'Runtime', 'Log']) await this.send(`${domain}.enable`);
        await this.send('Page.addScriptToEvaluateOnNewDocument', {source: this.before});
    }
    async stop() {
        this.send('Browser.close').catch(() => {});
        await this.ended;
        fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
    }
    async open(file, {width = 1280, height = 1000, scheme = 'light', scripts = true} = {}) {
        const features = [{name: 'prefers-color-scheme', value: scheme}];
        const size = {width, height, deviceScaleFactor: 1, mobile: width < 600};
        await this.send('Emulation.setDeviceMetricsOverride', size);
        await this.send('Emulation.setEmulatedMedia', {media: '', features});
        await this.send('Emulation.setScriptExecutionDisabled', {value: !scripts});
        this.errors = [];
        const loaded = this.wait('Page.loadEventFired');
        await this.send('Page.navigate', {url: `file://${path.resolve(file)}`});
        await loaded;
    }
    async eval(expression) {
        const how = {expression, awaitPromise: true, returnByValue: true};
        const {result, exceptionDetails} = await this.send('Runtime.evaluate', how);
        if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
        return result.value;
    }
    async key(key) {
        const text = key.length === 1 ? key : undefined;
        await this.send('Input.dispatchKeyEvent', {type: 'keyDown', key, code: key, text});
        await this.send('Input.dispatchKeyEvent', {type: 'keyUp', key, code: key});
    }
    async screenshot(file) {
        const {data} = await this.send('Page.captureScreenshot', {format: 'png'});
        fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }
}

module.exports = {Browser};
