// Spark for tests and benchmarks: pyspark from PyPI in a folder of its own, on a Java of Debian's where there is none. Nothing else of the
// machine is touched, and what is there is used again.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };

/** An environment of Python with these packages, made where it is missing. */
export function environment(name, packages) {
  const folder = join(homedir(), '.cache', 'discreet', name);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  mkdirSync(join(folder, '..'), { recursive: true });
  const making = `${folder}.${process.pid}`;
  if (spawnSync('python3', ['-m', 'venv', making], { stdio: 'ignore' }).status !== 0) {
    installed('python3-venv');
    execFileSync('python3', ['-m', 'venv', making], quiet);
  }
  execFileSync(
    join(making, 'bin', 'pip'),
    ['install', '-q', '--disable-pip-version-check', ...packages],
    quiet,
  );
  // Whole or not at all. Its scripts would name the other folder, so only its Python is used.
  try {
    renameSync(making, folder);
  } catch (error) {
    if (!existsSync(python)) throw error;
    rmSync(making, { recursive: true, force: true });
  }
  return python;
}

function installed(name) {
  if (process.getuid?.() !== 0)
    throw new Error(`${name} is missing; install it with: sudo apt-get install ${name}`);
  const options = { ...quiet, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-q'], options);
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], options);
}

function hasJava() {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return status === 0 && Number(/version "(\d+)/.exec(stderr)?.[1]) >= 17;
}

/** Python with pyspark 4, and Java to run it on. */
export function pyspark() {
  if (!hasJava()) installed('openjdk-17-jre-headless');
  return environment('pyspark-4', ['pyspark>=4,<5', 'pyarrow>=15', 'pandas>=2.2,<3', 'setuptools>=68']);
}

/** What a Spark program needs to find its Python, on the driver and in the workers. */
export function sparkEnvironment(python, more = {}) {
  const { SPARK_HOME: _, ...rest } = process.env;
  return {
    ...rest,
    PYSPARK_PYTHON: python,
    PYSPARK_DRIVER_PYTHON: python,
    SPARK_LOCAL_IP: '127.0.0.1',
    ...more,
  };
}
