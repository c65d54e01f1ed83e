// Packages that are installed by default and can be left out: what needs one asks for it by name.

import { DiscreetError } from './error.js';

/** A package that may have been left out: where it is missing, it is asked for by name. */
export async function optional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (!code?.endsWith('MODULE_NOT_FOUND') || !message.includes(name)) throw error;
    throw new DiscreetError(
      'package',
      null,
      `this needs the package ${name}, which is not installed`,
      `install it with npm install ${name}`,
    );
  }
}
