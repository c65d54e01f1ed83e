// A service that counts what its users do, and publishes the counts with noise. True counts never leave the process: what is
// exported is paid for from a ledger first, and when the budget is spent, nothing more is exported.
//
//   npm link discreet-dp   (after the project is installed from a clone: README.md)
//   node counters.mjs            # POST /event/search counts; GET /metrics tells the last noisy counts
//
// A user counts once for each hour, whatever they do: by what they did first. That is what the noise is made for (perPerson: 1).

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count, openLedger } from 'discreet-dp';

const FEATURES = ['search', 'upload', 'share'];
const EVERY = Number(process.env.EXPORT_EVERY_MS ?? 3_600_000);

const ledger = await openLedger('counters-ledger.db', 'existing or new');
// ε = 0.1 an hour, for a day. A second start keeps what is there.
if (!(await ledger.left('counters')))
  await ledger.setBudget({ dataset: 'counters', epsilon: '2.4', perPerson: 1 });

/** What each user of this hour did first. */
let seen = new Map();
let published = null;

async function exported() {
  const users = seen;
  seen = new Map();
  const folder = mkdtempSync(join(tmpdir(), 'counters-'));
  try {
    const [input, output] = [join(folder, 'true.csv'), join(folder, 'noisy.csv')];
    const did = [...users.values()];
    const rows = FEATURES.map((feature) => `${feature},${did.filter((own) => own === feature).length}`);
    writeFileSync(input, `feature,rows\n${rows.join('\n')}\n`, { mode: 0o600 });
    await count({
      ...{ input, output, ledger, dataset: 'counters', epsilon: '0.1' },
      ...{ by: { feature: FEATURES }, counted: 'rows' },
    });
    published = { at: new Date().toISOString(), csv: readFileSync(output, 'utf8') };
  } catch (error) {
    // Beyond the budget: the last counts stay, and say from when they are.
    seen = new Map([...seen, ...users]);
    console.error(`not exported: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const timer = setInterval(exported, EVERY);
const server = createServer((request, response) => {
  const [, what, feature] = request.url.split('/');
  if (request.method === 'POST' && what === 'event' && FEATURES.includes(feature)) {
    const user = request.headers['x-user'];
    if (!seen.has(user)) seen.set(user, feature);
    response.writeHead(204).end();
  } else if (what === 'metrics')
    response.end(published ? `# ${published.at}\n${published.csv}` : '# nothing yet\n');
  else response.writeHead(404).end();
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);
process.on('SIGTERM', async () => {
  clearInterval(timer);
  server.close();
  await ledger.close();
});
