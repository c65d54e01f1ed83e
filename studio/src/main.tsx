// The studio: a page that computes everything itself.

import { pageStyle } from 'discreet-dp/plot';
import { render } from 'preact';
import { App } from './app.js';
import './style.css';

const style = document.createElement('style');
style.textContent = pageStyle;
// Before the studio's own rules, which go on from them.
document.head.prepend(style);

const root = document.getElementById('studio')!;
root.textContent = '';
render(<App />, root);
