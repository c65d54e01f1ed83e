// Files: opened once, written whole or not at all, named pipes, and what a system says.

export { type Fifo, makeFifo } from './fifo.js';
export { type HiddenFile, hiddenFile, leftBehind, writeAll } from './hidden.js';
export { checkKept, LEDGER_FILE, SETTINGS_FILE } from './kept.js';
export { bytesOf, type OpenedFile, openFile } from './opened.js';
export { sameFile } from './same.js';
export { type HeldBack, heldBack, spool } from './spool.js';
export { systemWords } from './system-words.js';
export { checkOutput, checkOutputs, checkPaths, writeFile, writeText } from './written.js';
