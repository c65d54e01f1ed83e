// The studio: a page that computes everything itself.

import { pageStyle } from 'discreet-dp/plot';
import { render } from 'preact';
import { App } from './app.js';
import { preloadOnce } from './preload.js';
import own from './style.css?inline';

const style = document.createElement('style');
style.textContent = `${pageStyle}\n${own}`;
document.head.append(style);

const root = document.getElementById('studio')!;
root.textContent = '';
render(<App />, root);
preloadOnce();
