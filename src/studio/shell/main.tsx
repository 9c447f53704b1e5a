// Starts the studio: language, theme, session, routes.

import '@preact/signals';
import { render } from 'preact';
import './tokens.css';
import './base.css';
import './layout.css';
import { showChosenLanguage } from '../texts/chosen-language.ts';
import { App } from './app.tsx';
import { BASE, belowStudio } from './base.ts';

// A page that was asked for without the path of PLATEN_PUBLIC_URL, as of the server itself behind a proxy.
if (belowStudio(location.pathname) === null)
  location.replace(BASE + location.pathname + location.search + location.hash);

// Without its texts the interface is in English.
void showChosenLanguage()
  .catch(() => {})
  .then(() => render(<App />, document.body));
