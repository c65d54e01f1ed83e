// A PostgreSQL server of one's own for tests and benchmarks: from Debian's packages (installed where they are missing), in a
// scratch folder, on a free port, under a user that is not root. Never a service, and gone afterwards.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = '/usr/lib/postgresql';

/** The folder of the server's programs; installs them first where there are none. */
export function binaries() {
  return found() ?? install();
}

function found() {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find((name) => existsSync(join(ROOT, name, 'bin', 'initdb')));
  return version === undefined ? null : join(ROOT, version, 'bin');
}

function install() {
  if (process.getuid?.() !== 0)
    throw new Error('PostgreSQL is missing; install it with: sudo apt-get install postgresql');
  // The package would make and start a service of its own.
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (!existsSync(settings)) {
    mkdirSync('/etc/postgresql-common', { recursive: true });
    writeFileSync(settings, 'create_main_cluster = false\n');
  }
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const keep = ['-o', 'Dpkg::Options::=--force-confold'];
  spawnSync('apt-get', ['update', '-q'], options);
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...keep, 'postgresql'], options);
  const folder = found();
  if (folder === null) throw new Error('PostgreSQL is missing although its package was installed');
  return folder;
}

/** A running server: its address, and how to stop it. `options` are settings as in postgresql.conf. */
export async function startServer(options = {}) {
  const bin = binaries();
  const root = process.getuid?.() === 0;
  const id = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const user = root ? { uid: id('-u'), gid: id('-g') } : {};
  const folder = mkdtempSync(join(tmpdir(), 'discreet-postgres-'));
  if (root) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const env = { ...process.env, LC_ALL: 'C', HOME: folder };
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'tester', '--auth=trust', '-E', 'UTF8', '--no-sync', '--no-instructions'],
    { ...user, stdio: ['ignore', 'ignore', 'inherit'], env, cwd: folder },
  );
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 120,
    ...options,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
    ...user,
    stdio: 'ignore',
    env,
    cwd: folder,
  });
  const ended = new Promise((done) => server.once('exit', done));
  const stop = async (signal = 'SIGINT') => {
    server.kill(signal);
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; ; attempt++) {
    const { status } = spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]);
    if (status === 0) break;
    if (attempt === 200 || server.exitCode !== null) {
      await stop();
      throw new Error('PostgreSQL did not start');
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    address: `postgres://tester@127.0.0.1:${port}/postgres`,
    bin,
    /** An immediate stop, as in a crash. */
    crash: () => server.kill('SIGQUIT'),
    stop,
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
