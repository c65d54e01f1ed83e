// One partition of a release: rows in, rows out, noise by key. Charged by the driver, so that it can be run as often as an engine likes.

import type { Outcome } from '../../terms/index.js';
import type { CopyEffects } from '../effects.js';
import { openCopy } from '../release.js';
import { onlyPinned, type Pinned } from './pinned.js';
import { jobOfTicket, type PartitionRequest, type Ticket } from './ticket.js';

/** Whatever has left, only a return without an error says that it is whole. */
export async function releasePartition(
  ticket: Ticket,
  request: PartitionRequest,
  effects: CopyEffects,
  /** Told of the input that it was fed; null where that is none of them. */
  onFed: (file: Pinned | null) => void = () => undefined,
): Promise<Outcome & { readonly of: Pinned | null }> {
  const job = jobOfTicket(ticket, request);
  let of: Pinned | null = null;
  const input = ticket.pinned
    ? onlyPinned(
        effects.input,
        ticket.pinned,
        ticket.id === null ? request.partition : null,
        request.input.format!.name,
        (file) => {
          of = file;
          onFed(file);
        },
      )
    : effects.input;
  const copy = await openCopy(job, { ...effects, input });
  try {
    await copy.hold();
    return { ...(await copy.run()), of };
  } finally {
    await copy.close();
  }
}
