// Charts and tables from plain data.

export { type Bar, barChart } from './terminal.js';
export { massChart } from './mass.js';
export { textTable } from './table.js';
