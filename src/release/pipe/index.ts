// A release that others carry out, partition by partition: the driver, and what each partition runs.

export { commandWork, JOB_VARIABLE, markDone, markOpen, markStray } from './command.js';
export { type DriveRequest, drive, type Handed, tryDrive, type Work } from './drive.js';
export { releasePartition } from './partition.js';
export type { Pinned } from './pinned.js';
export { checkDescriptor, sessionWork } from './session.js';
export {
  type PartitionRequest,
  plainTicket,
  readTicket,
  type Ticket,
  type TicketColumn,
  type Told,
} from './ticket.js';
