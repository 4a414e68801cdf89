// Elements of the page, and pictures made of cells. See recording.js.

const CELL = 15; // pixels of a cell
const LOW_CELL = 11; // its height where there are many rows
const END = 110; // pixels for the text at the end of a row

// An element with attributes (a function is a listener, undefined is none) and children (texts and elements).
function make(tag, attributes, ...children) {
    const space = /^(svg|path)$/.test(tag) ? '2000/svg' : '1999/xhtml';
    const element = document.createElementNS(`http://www.w3.org/${space}`, tag);
    for (const [name, value] of Object.entries(attributes || {}))
        if (typeof value === 'function') element.addEventListener(name, value);
        else if (value !== undefined) element.setAttribute(name, value);
    element.append(...children);
    return element;
}
function scroller(name, label, child) {
    return make('div', Object.assign({class: name, tabindex: 0, role: 'group'}, label), child);
}
function press(name, click, ...children) {
    return make('button', {type: 'button', class: name, click}, ...children);
}
function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}
function reveal(box, at, scroll, size) { // scrolls within the box alone
    const near = at < box[scroll] + 2 * CELL, far = at > box[scroll] + box[size] - 4 * CELL;
    if (near || far) box[scroll] = at - box[size] / 2;
}

// A picture of rows of cells, of which the student chooses one: by pointer, or as a slider by the arrow keys. Its maker
// gives labels of rows, cols, whether there are ends (texts beside rows), named: the id of what names it, has(i):
// whether there is a cell, look(i): [ground, glyph, edge], tell(i): the same in words, choose(i), and hover(i), with -1
// for no cell.
class Grid {
    constructor(view, maker) {
        Object.assign(this, maker, {view, painted: [], chosen: -1, count: maker.labels.length * maker.cols});
        this.high = this.ends && this.labels.length > 16 ? LOW_CELL : CELL;
        this.left = 8 + 6 * Math.max(...this.labels.map((label) => label.length));
        this.element = make('div', {
            class: 'step-grid', role: 'slider', tabindex: 0, 'aria-labelledby': this.named,
            'aria-valuemin': 0, 'aria-valuemax': this.count - 1, keydown: (e) => this.key(e),
        }, this.makeCanvas());
    }
    makeCanvas() {
        const width = this.left + this.cols * CELL + (this.ends ? END : 2), height = this.labels.length * this.high + 2;
        const scale = Math.min(window.devicePixelRatio || 1, 2);
        const canvas = make('canvas', {
            class: 'step-canvas', width: width * scale, height: height * scale,
            pointermove: (e) => this.hover(this.at(e)),
            pointerleave: () => this.hover(-1),
            click: (e) => { if (this.at(e) >= 0) this.choose(this.at(e)); },
        });
        Object.assign(canvas.style, {width: `${width}px`, height: `${height}px`});
        this.context = canvas.getContext('2d');
        Object.assign(this.context, {font: '10px ui-monospace, monospace', textBaseline: 'middle'});
        this.context.scale(scale, scale);
        return canvas;
    }
    at({offsetX, offsetY}) { // the cell under a pointer, or -1
        const col = Math.floor((offsetX - this.left) / CELL), row = Math.floor((offsetY - 1) / this.high);
        const i = row * this.cols + col;
        return col >= 0 && col < this.cols && i >= 0 && i < this.count && this.has(i) ? i : -1;
    }
    key(event) {
        const by = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.cols, ArrowDown: this.cols}[event.key];
        if (!by || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        let i = this.chosen < 0 ? 0 : this.chosen + by;
        while (i >= 0 && i < this.count && !this.has(i)) i += Math.sign(by);
        if (i >= 0 && i < this.count) this.choose(i);
    }

    // ---- painting
    show(chosen, ends) { // paints what differs from what is there
        const moved = chosen !== this.chosen, right = this.left + this.cols * CELL + 2;
        this.chosen = chosen;
        for (let i = 0; i < this.count; ++i) {
            const look = this.has(i) && this.look(i);
            if (look && this.isNew(i, `${look}${i === chosen}`)) this.paint(i, look);
        }
        this.labels.forEach((label, row) => this.beside(this.count + row, label, 0, row));
        if (ends) ends.forEach((end, row) => this.beside(-1 - row, end, right, row));
        this.element.setAttribute('aria-valuenow', Math.max(chosen, 0));
        this.element.setAttribute('aria-valuetext', chosen < 0 ? this.view.say('none_selected') : this.tell(chosen));
        if (!moved || chosen < 0) return;
        reveal(this.element, Math.floor(chosen / this.cols) * this.high, 'scrollTop', 'clientHeight');
        reveal(this.element, this.left + chosen % this.cols * CELL, 'scrollLeft', 'clientWidth');
    }
    isNew(at, look) {
        return this.painted[at] !== (this.painted[at] = look);
    }
    beside(at, text, x, row) { // a row's label, or its end
        const y = 1 + row * this.high;
        if (!this.isNew(at, text)) return;
        this.context.fillStyle = this.view.color('paper');
        this.context.fillRect(x, y, x ? END : this.left - 2, this.high);
        this.write(text, x + 4, y + this.high / 2, 'left', 'soft');
    }
    write(text, x, y, textAlign, color) {
        Object.assign(this.context, {textAlign, fillStyle: this.view.color(color)});
        this.context.fillText(text, x, y);
    }
    paint(i, [ground, glyph, edge]) {
        const draw = this.context, w = CELL - 1, h = this.high - 1;
        const x = this.left + i % this.cols * CELL, y = 1 + Math.floor(i / this.cols) * this.high;
        const chosen = i === this.chosen;
        const outline = (color, dash, lineWidth, inset) => {
            Object.assign(draw, {lineWidth, strokeStyle: this.view.color(color)});
            draw.setLineDash(dash);
            draw.strokeRect(x + inset, y + inset, w - 2 * inset, h - 2 * inset);
        };
        draw.fillStyle = this.view.color(ground);
        draw.fillRect(x, y, w, h);
        if (glyph) this.write(glyph, x + w / 2, y + h / 2 + .5, 'center', 'ink');
        if (edge) outline('touch', edge === 'r' ? [3, 2] : [], chosen ? 1 : 2, chosen ? 2.5 : 1);
        if (chosen) outline('ink', [], 2, 1);
    }
}
