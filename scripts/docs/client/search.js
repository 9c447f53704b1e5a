// The search of the documentation: loads the index on first use, and lists the passages that rank.js finds. Also copies
// code, and redirects addresses such as /docs#webhooks to their page.

import { search, searchIndex } from './rank.js';

const box = document.querySelector('.search');
const input = box.querySelector('input');
const results = box.querySelector('.results');

/** The index of rank.js, of passages {name, title, anchor, heading, text}. */
let index = null;
let chosen = -1;

async function load() {
  index ??= fetch(box.dataset.index)
    .then((answer) => answer.json())
    .then((pages) =>
      searchIndex(
        pages.flatMap(({ name, title, passages }) =>
          passages.map(([anchor, heading, text]) => ({ name, title, anchor, heading, text })),
        ),
      ),
    );
  return index;
}

function element(name, className, ...children) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

/** The text around the first matching word, with all matches marked. */
function excerpt(text, asked) {
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...asked.map((word) => lower.indexOf(word)).filter((found) => found >= 0), text.length),
  );
  const from = at > 40 && at < text.length ? text.indexOf(' ', at - 40) + 1 : 0;
  const piece = text.slice(from, from + 130);
  const pattern = new RegExp(`(${asked.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'i');
  return piece.split(pattern).map((part, index) => (index % 2 === 1 ? element('mark', '', part) : part));
}

async function show() {
  const query = input.value;
  const found = search(await load(), query);
  // Another letter was typed while the index was loaded.
  if (input.value !== query) return;
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean);
  results.replaceChildren(
    ...found.map(({ name, title, anchor, heading, text }, at) => {
      const link = element(
        'a',
        '',
        element('b', '', heading),
        element('small', '', title),
        element('span', '', ...excerpt(text, asked)),
      );
      link.href = `./${name === 'index' ? '' : name}${anchor === '' ? '' : `#${anchor}`}`;
      link.id = `result-${at}`;
      link.role = 'option';
      return link;
    }),
  );
  if (found.length === 0 && asked.length > 0) results.append(element('p', '', 'Nothing was found.'));
  choose(found.length > 0 ? 0 : -1);
  open(asked.length > 0);
}

function open(isOpen) {
  results.hidden = !isOpen;
  input.setAttribute('aria-expanded', String(isOpen));
}

function choose(index) {
  const links = [...results.querySelectorAll('a')];
  chosen = links.length === 0 ? -1 : (index + links.length) % links.length;
  for (const [at, link] of links.entries()) link.setAttribute('aria-selected', String(at === chosen));
  if (chosen >= 0) input.setAttribute('aria-activedescendant', links[chosen].id);
  else input.removeAttribute('aria-activedescendant');
  links[chosen]?.scrollIntoView({ block: 'nearest' });
}

box.hidden = false;
input.addEventListener('focus', () => void load());
input.addEventListener('input', () => void show());
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') choose(chosen + 1);
  else if (event.key === 'ArrowUp') choose(chosen - 1);
  else if (event.key === 'Enter') results.querySelectorAll('a')[chosen]?.click();
  else if (event.key === 'Escape') {
    input.value = '';
    open(false);
    return;
  } else return;
  event.preventDefault();
});
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    input.focus();
    input.select();
  }
});
addEventListener('click', (event) => {
  if (!box.contains(event.target) || event.target.closest('.results a')) open(false);
});

for (const code of document.querySelectorAll('.code')) {
  const button = element('button', 'copy', 'Copy');
  button.type = 'button';
  button.addEventListener('click', async () => {
    const text = code.querySelector('code');
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = 'Copied';
    } catch {
      // Without https there is no clipboard API: the text is selected instead, to be copied by hand.
      getSelection().selectAllChildren(text);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1_500);
  });
  code.append(button);
}

// Marks the current section in the table of contents.
const marks = new Map([...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]));
const headings = [...document.querySelectorAll('article h2[id], article h3[id]')].filter(({ id }) => marks.has(id));
function mark() {
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
  const current = passed.at(-1) ?? headings[0];
  for (const [id, link] of marks) link.toggleAttribute('data-current', id === current?.id);
}
addEventListener('scroll', mark, { passive: true });
mark();

// On the home page, an anchor that is a page's name leads to that page, as in the studio's links.
if (document.body.classList.contains('home')) {
  const card = document.getElementById(location.hash.slice(1));
  if (card?.classList.contains('card')) location.replace(card.href);
}
