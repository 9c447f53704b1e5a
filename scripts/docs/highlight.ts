// Highlights code at build time: highlight.js writes classes, so the pages need neither scripts nor inline styles.

import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './escape-html.ts';

const LANGUAGES = {
  ...{
    bash,
    csharp,
    css,
    dockerfile,
    go,
    ini,
    java,
    javascript,
    json,
    nginx,
    php,
    python,
    ruby,
    sql,
    typescript,
    xml,
    yaml,
  },
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(['sh', 'shell'], { languageName: 'bash' });
hljs.registerAliases(['tsx'], { languageName: 'typescript' });
hljs.registerAliases(['astro', 'html'], { languageName: 'xml' });
hljs.registerAliases(['env'], { languageName: 'ini' });

/** The displayed name of a fence's language; null if none is shown. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  ...{
    sh: 'Shell',
    bash: 'Shell',
    json: 'JSON',
    js: 'JavaScript',
    ts: 'TypeScript',
    tsx: 'TypeScript',
    python: 'Python',
  },
  ...{
    php: 'PHP',
    ruby: 'Ruby',
    go: 'Go',
    java: 'Java',
    csharp: 'C#',
    astro: 'Astro',
    html: 'HTML',
    css: 'CSS',
    yaml: 'YAML',
  },
  ...{ ini: 'INI', env: 'Environment', dockerfile: 'Dockerfile', nginx: 'nginx', sql: 'SQL' },
};

/** HTML of the code; only escaped if the language is unknown. */
export function highlight(code: string, language: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
}
