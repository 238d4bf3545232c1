/*
 * search.js - the box above the list of pages: sections, terms of the glossary and names of the code that contain every
 * word typed.  What can be found (search-en.js) is loaded when the box is first used.
 */
'use strict';
(function () {
    const box = document.getElementById('search'), list = document.getElementById('found');
    const MOST = 30, AROUND = 60; // results; letters around the first word
    let loaded;

    function load(file) {
        return new Promise((done, failed) => {
            const script = document.createElement('script');
            script.src = box.dataset.root + file;
            script.onload = done;
            script.onerror = failed;
            document.head.append(script);
        });
    }

    /* Terms and headings that are what was typed, that have words beginning so, that contain it; text; names of the code. */
    function rank([where, heading], words) {
        const name = heading.toLowerCase(), parts = name.split(/[^\p{L}\p{N}_]+/u), code = where.startsWith('source/');
        if (name.split(' · ').includes(words.join(' '))) return code ? 2 : 0;
        const begun = words.every(word => parts.some(part => part.startsWith(word)));
        const named = begun ? 1 : words.every(word => name.includes(word)) ? 2 : 3;
        return code ? 3 + named : named;
    }

    function look(words) {
        const found = [];
        for (const section of SECTIONS) {
            const all = section.slice(1).join(' ').toLowerCase();
            if (!words.every(word => all.includes(word))) continue;
            found.push({ section, rank: rank(section, words), often: all.split(words[0]).length });
        }
        return found.sort((a, b) => a.rank - b.rank || b.often - a.often).slice(0, MOST).map(({ section }) => section);
    }

    /* The text around the first word that stands in it, from a word's beginning to a word's end. */
    function around(text, words) {
        const word = words.find(one => text.toLowerCase().includes(one)) || '', at = text.toLowerCase().indexOf(word);
        let from = Math.max(0, at - AROUND), to = Math.min(text.length, at + word.length + AROUND);
        const space = text.indexOf(' ', from);
        if (from > 0 && space >= 0 && space < at) from = space + 1;
        if (to < text.length && text.lastIndexOf(' ', to) > at + word.length) to = text.lastIndexOf(' ', to);
        const mark = document.createElement('mark');
        mark.textContent = text.slice(at, at + word.length);
        const after = text.slice(at + word.length, to) + (to < text.length ? ' …' : '');
        return [(from > 0 ? '… ' : '') + text.slice(from, at), mark, after];
    }

    function shown([where, heading, page, text], words) {
        const item = document.createElement('li'), link = document.createElement('a'), beside = document.createElement('span');
        link.href = box.dataset.root + where;
        link.textContent = heading;
        beside.append(heading === page ? '' : page + (text ? ': ' : ''), ...around(text, words));
        item.append(link, beside);
        return item;
    }

    async function search() {
        loaded = loaded || load('search-' + document.documentElement.lang + '.js');
        await loaded;
        const words = box.value.toLowerCase().split(/\s+/).filter(word => word); // as it is by now
        const results = words.length ? look(words) : [];
        if (results.length || !words.length) list.replaceChildren(...results.map(section => shown(section, words)));
        else list.textContent = box.dataset.nothing;
    }

    box.addEventListener('input', search);
    box.addEventListener('keydown', event => {
        if (event.key === 'Escape') {
            box.value = '';
            search();
        } else if (event.key === 'Enter' && list.querySelector('a')) {
            list.querySelector('a').click();
        }
    });
    document.addEventListener('keydown', event => {
        if (event.key !== '/' || event.target === box) return;
        event.preventDefault();
        box.focus();
    });
    const asked = new URLSearchParams(location.search).get('q'); // index.html?q=sector
    if (asked) {
        box.value = asked;
        search();
    }
})();
