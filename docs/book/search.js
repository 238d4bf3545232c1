/*
 * search.js - the box above the list of pages: sections, and names of the code, in which every word typed occurs.
 * The index is lunr's (Debian: libjs-lunr).  It and what can be found (search-en.js) are loaded when the box is first used.
 */
'use strict';
(function () {
    const box = document.getElementById('search'), list = document.getElementById('found');
    const MOST = 20, AROUND = 60; // results; letters around the first word
    let index;

    function load(file) {
        return new Promise((done, failed) => {
            const script = document.createElement('script');
            script.src = box.dataset.root + file;
            script.onload = done;
            script.onerror = failed;
            document.head.append(script);
        });
    }

    /* Words of code and of Chinese are found by any part of them, so nothing is cut off or left out. */
    async function build() {
        await load('lunr.min.js');
        await load('search-' + document.documentElement.lang + '.js');
        lunr.tokenizer.separator = /[\s()[\]{}<>.,;:"'`*&=+!?，。；：、！？（）]+/;
        return lunr(function () {
            this.pipeline.reset();
            this.searchPipeline.reset();
            this.ref('n');
            this.field('heading', { boost: 10 });
            this.field('page', { boost: 3 });
            this.field('text');
            SECTIONS.forEach(([, heading, page, text], n) => this.add({ n, heading, page, text }));
        });
    }

    function look(words) {
        const any = lunr.Query.wildcard.LEADING | lunr.Query.wildcard.TRAILING;
        return index.query(query => {
            words.forEach(word => query.term(word, { wildcard: any, presence: lunr.Query.presence.REQUIRED }));
        }).slice(0, MOST);
    }

    function shown(result, words) {
        const [where, heading, page, text] = SECTIONS[result.ref];
        const item = document.createElement('li'), link = document.createElement('a'), beside = document.createElement('span');
        link.href = box.dataset.root + where;
        link.textContent = heading;
        const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - AROUND);
        beside.textContent = (heading === page ? '' : page + ' ') + text.slice(at, at + 2 * AROUND);
        item.append(link, beside);
        return item;
    }

    async function search() {
        const words = box.value.toLowerCase().split(/\s+/).filter(word => word);
        if (words.length === 0) {
            list.replaceChildren();
            return;
        }
        index = index || await build();
        const results = look(words);
        if (results.length) list.replaceChildren(...results.map(result => shown(result, words)));
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
