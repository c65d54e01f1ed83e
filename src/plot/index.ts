// Charts and tables from plain data.

export { massChart } from './mass.js';
export { textTable } from './table.js';
export { type Bar, barChart } from './terminal.js';
