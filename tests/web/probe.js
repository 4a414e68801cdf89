// What is wrong with the page that this was put into, a line each, then "probe: done". See check.
(async () => {
    const faults = [];
    window.addEventListener('error', (e) => faults.push(`script error: ${e.message}`));
    const say = (bad, what) => { if (bad) faults.push(what); };
    const all = (selector) => [...document.querySelectorAll(selector)];

    // Hostile text.
    say(document.title.includes('owned'), 'text of the submission ran');
    const walks = all('.step').length; // each has its recording, and all have one script
    say(all('script').length !== 2 + walks + (walks ? 1 : 0), 'there are scripts');
    say(all('.step-app').length !== walks, 'the script did not run');
    say(all('img:not([src$=".svg"]), img[src*="//"], iframe, object, embed, link').length, 'something is fetched');
    await Promise.all(all('img').map((img) => img.decode().catch(() => {})));
    for (const img of all('img')) say(!img.complete || !img.naturalWidth, `no picture: ${img.getAttribute('src')}`);

    // Links and names. A report stands alone; a handout leads to others.
    const report = all('section').length > 0;
    const ids = all('[id]').map((e) => e.id);
    say(new Set(ids).size !== ids.length, `a name stands twice: ${ids.filter((x, i) => ids.indexOf(x) !== i)}`);
    for (const a of all('a')) {
        const to = a.getAttribute('href');
        if (!report && !to.startsWith('#')) continue; // to another handout: tests/docs/check
        say(!to.startsWith('#') || !document.getElementById(decodeURIComponent(to.slice(1))), `a link leads nowhere: ${to}`);
    }
    const parts = all('nav a').map((a) => a.getAttribute('href').slice(1));
    for (const s of all('main > section')) say(!parts.includes(s.id), `the navigation lacks ${s.id}`);

    // Pictures: words for who does not see them, data, a table with the same.
    for (const svg of all('svg:not([aria-hidden=true])')) {
        const named = svg.getAttribute('aria-labelledby').split(' ').map((id) => document.getElementById(id));
        say(named.some((e) => !e || !e.textContent.trim()), 'a picture has no words');
        say(!svg.querySelector('rect, circle'), `${named[0].textContent}: nothing is drawn`);
        const box = svg.getBoundingClientRect();
        say(box.width < 100 || box.height < 20, `${named[0].textContent}: ${box.width} x ${box.height}`);
        const table = svg.closest('div').nextElementSibling;
        say(!table || table.tagName !== 'DETAILS' || table.querySelectorAll('tbody tr').length < 1,
            `${named[0].textContent}: no table with the same`);
    }
    for (const row of all('.source tbody tr')) say(![2, 7].includes(row.cells.length), `line ${row.id} has ${row.cells.length} cells`);

    // Nothing but what is meant to scroll is wider than the screen.
    say(document.documentElement.scrollWidth > window.innerWidth,
        `the page is ${document.documentElement.scrollWidth} wide, the screen ${window.innerWidth}`);

    // What the keyboard reaches: everything that scrolls.
    const scrolls = (e) => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX);
    for (const e of all('.scroll, pre, .step-app *'))
        say(scrolls(e) && e.tabIndex < 0, `something scrolls without keys: ${e.className}`);

    all('details').forEach((d) => { d.open = true; });
    const result = window.axe ? await axe.run(document, { resultTypes: ['violations'] }) : { violations: [] };
    for (const v of result.violations)
        faults.push(`axe: ${v.impact}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' | ')}`);
    const pre = document.createElement('pre');
    pre.id = 'probe';
    pre.textContent = `${faults.join('\n')}\nprobe: done\n`;
    document.body.append(pre);
})();
