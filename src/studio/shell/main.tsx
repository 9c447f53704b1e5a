// Starts the studio: theme, session, routes.

import '@preact/signals';
import { render } from 'preact';
import './tokens.css';
import './base.css';
import './layout.css';
import { App } from './app.tsx';

render(<App />, document.body);
