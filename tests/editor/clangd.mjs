// Prints clangd's diagnostics: node clangd.mjs FOLDER FILE… speaks LSP with one clangd, in FOLDER, and prints a line
// "FILE:LINE:COLUMN: SEVERITY: MESSAGE" for each diagnostic of each FILE, as an editor shows it when the file is opened.
// Each FILE is opened as if it lay in FOLDER, whose compile_flags.txt clangd then reads.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const AT_ONCE = 4;
const [folder, ...files] = process.argv.slice(2);
const server = spawn('clangd', ['--log=error', '--background-index=false', '-j=2'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
const severity = [, 'error', 'warning', 'information', 'hint'];
const waiting = new Map(); // what is called with an answer or with the diagnostics of a document
let sent = 0, received = Buffer.alloc(0);

const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
const answer = (key) => new Promise((done) => waiting.set(key, done));
const take = (key, value) => { waiting.get(key)?.(value); waiting.delete(key); };
server.stdout.on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (let head; (head = received.indexOf('\r\n\r\n')) >= 0;) {
        const length = Number(/Content-Length: (\d+)/.exec(received.subarray(0, head).toString())[1]);
        if (received.length < head + 4 + length) return;
        const message = JSON.parse(received.subarray(head + 4, head + 4 + length).toString());
        received = received.subarray(head + 4 + length);
        if (message.method === 'textDocument/publishDiagnostics') take(message.params.uri, message.params.diagnostics);
        else if (!message.method) take(message.id, message.result);
    }
});
server.on('exit', (code) => process.exit(code ?? 1));
const request = (method, params) => { send({ id: ++sent, method, params }); return answer(sent); };

await request('initialize', { processId: process.pid, rootUri: pathToFileURL(resolve(folder)).href, capabilities: {} });
send({ method: 'initialized', params: {} });
const work = files.map((file, i) => [file, pathToFileURL(resolve(folder, `${i}_${basename(file)}`)).href]);
async function next() {
    for (let one; (one = work.shift());) {
        const [file, uri] = one, text = readFileSync(file, 'utf8');
        const diagnostics = answer(uri);
        send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'cuda-cpp', version: 1, text } } });
        for (const d of await diagnostics)
            console.log(`${file}:${d.range.start.line + 1}:${d.range.start.character + 1}: ${severity[d.severity]}: ${d.message.split('\n')[0]}`);
        send({ method: 'textDocument/didClose', params: { textDocument: { uri } } });
    }
}
await Promise.all(Array.from({ length: AT_ONCE }, next));
await request('shutdown');
send({ method: 'exit' });
