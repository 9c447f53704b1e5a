// Starts the studio: language, theme, session, routes.

import '@preact/signals';
import { render } from 'preact';
import './tokens.css';
import './base.css';
import './layout.css';
import { showChosenLanguage } from '../texts/chosen-language.ts';
import { App } from './app.tsx';

// Without its texts the interface is in English.
void showChosenLanguage()
  .catch(() => {})
  .then(() => render(<App />, document.body));
