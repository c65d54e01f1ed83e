// How the command is called and how it is got, and which version this is: for reports, the studio and the command itself.

/** As package.json says it. */
export const VERSION = '0.1.0';

/** As it is typed. */
export const COMMAND = 'discreet';

/** How it is got, as README.md says it. Once the package is published: `with Node 20 or later: npm install -g discreet-dp`. */
export const INSTALLED = 'in a clone of the project (git clone), with Node 20 or later: npm ci && npm link';
