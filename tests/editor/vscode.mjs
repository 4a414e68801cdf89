// Prints what VS Code lists as problems, by its own code: node vscode.mjs MODULES TASKS.json FOLDER OUTPUT…
//
// MODULES is the folder node_modules with VS Code's sources. Each OUTPUT is what a task printed, while a file in FOLDER
// was open. VS Code's parser reads TASKS.json, and VS Code's collector of problems reads each OUTPUT with the matchers
// of each task. Files are named as in FOLDER. Prints a line
// "TASK OUTPUT FILE:LINE:SEVERITY: MESSAGE" for each problem, and "TASK OUTPUT begins" and "TASK OUTPUT ends" for what
// a background task announces.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { relative, resolve } from 'node:path';

const [modules, tasks, folder, ...outputs] = process.argv.slice(2);
const vscode = (part, path) =>
    import(pathToFileURL(resolve(modules, '@codingame', `monaco-vscode-${part}/vscode/src/vs`, `${path}.js`)));
const json = await vscode('api', 'base/common/json');
const { URI } = await vscode('api', 'base/common/uri');
const { Event } = await vscode('api', 'base/common/event');
const { ValidationStatus } = await vscode('api', 'base/common/parsers');
const { MarkerSeverity } = await vscode('api', 'platform/markers/common/markers');
const { parse, TaskConfigSource } = await vscode('api', 'workbench/contrib/tasks/common/taskConfiguration');
const { StartStopProblemCollector, WatchingProblemCollector } =
    await vscode('task-service-override', 'workbench/contrib/tasks/common/problemCollectors');

const severity = { [MarkerSeverity.Error]: 'error', [MarkerSeverity.Warning]: 'warning', [MarkerSeverity.Info]: 'note' };
const fail = (text) => { console.error(text); process.exit(1); };
const logger = { status: new ValidationStatus(), clearOutput() {}, info: fail, warn: fail, error: fail, fatal: fail };

function configuration() {
    const faults = [];
    const text = readFileSync(tasks, 'utf8').replaceAll('${fileDirname}', resolve(folder));
    const value = json.parse(text, faults);
    if (faults.length) fail(`${tasks}: ${JSON.stringify(faults)}`);
    const workspace = { uri: URI.file(resolve(folder)), name: 'student', index: 0 };
    return parse(workspace, undefined, 3, value, logger, TaskConfigSource.TasksJson, { getContext: () => ({ getValue: () => true }) }).custom;
}

// Returns the problems of one output by the matchers of one task, with each finding that VS Code's list would keep.
async function problems(task, lines, said) {
    const list = new Map();
    const markers = { read: () => [], remove() {}, onMarkerChanged: Event.None,
        changeOne: (owner, resource, found) => list.set(resource.path, found) };
    const models = { onModelAdded: Event.None, onModelRemoved: Event.None, getModels: () => [] };
    const { isBackground, problemMatchers } = task.configurationProperties;
    const collector = isBackground ? new WatchingProblemCollector(problemMatchers, markers, models)
        : new StartStopProblemCollector(problemMatchers, markers, models);
    collector.onDidStateChange((event) => said(event.kind === 'backgroundProcessingBegins' ? 'begins' : 'ends'));
    if (isBackground) collector.aboutToStart();
    for (const line of lines) {
        collector.processLine(line);
        await collector.tail;
        if (isBackground) collector.forceDelivery();
    }
    collector.done();
    for (const [path, found] of list)
        for (const m of found) said(`${relative(folder, path)}:${m.startLineNumber}:${severity[m.severity]}: ${m.message}`);
}

for (const task of configuration()) {
    if (!task.configurationProperties.problemMatchers.length) continue;
    for (const output of outputs)
        await problems(task, readFileSync(output, 'utf8').split('\n'),
            (text) => console.log(`${task.configurationProperties.name} ${output} ${text}`));
}
