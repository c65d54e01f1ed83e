// PostgreSQL's COPY on the wire: rows travel in messages of the same form both ways, so they can be passed on as they come.
// See "Message Flow, COPY Operations" in the server's manual.

import type { Socket } from 'node:net';
import type { Connection } from '../postgres/index.js';

/** Type and length of a message. */
export const FRAME = 5;
const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
const ERROR = 0x45;
/** Chunks that may wait before the server is told to pause. */
const MOST_WAITING = 16;

/** What the driver's connection offers beneath its types. */
interface Wire {
  readonly stream: Socket;
  query(sql: string): void;
  endCopyFrom(): void;
}

/** The rows of COPY … TO STDOUT: whole messages with their frames, many in a chunk. */
export async function* copyOut(connection: Connection, sql: string): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let [done, failure]: [boolean, Error | null] = [false, null];
  let wake = () => undefined as unknown;
  let socket: Socket | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    wake();
  };
  const lost = () => fail(Object.assign(new Error('connection terminated'), { code: 'ECONNRESET' }));

  connection.query({
    submit: (wire: Wire) => {
      socket = wire.stream;
      socket.once('close', lost);
      const [driver] = socket.listeners('data') as [(chunk: Buffer) => void];
      let rest: Buffer = Buffer.alloc(0);
      const onData = (chunk: Buffer) => {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        const { data, end, over } = splitMessages(bytes);
        if (data) waiting.push(data);
        rest = bytes.subarray(end);
        if (over) {
          // What follows is the driver's again.
          socket!.off('data', onData);
          socket!.on('data', driver);
          socket!.off('close', lost);
          driver(rest);
        } else if (waiting.length >= MOST_WAITING) socket!.pause();
        wake();
      };
      socket.off('data', driver);
      socket.on('data', onData);
      wire.query(sql);
    },
    handleError: fail,
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => {
      done = true;
      wake();
    },
  } as never);

  for (;;) {
    const next = waiting.shift();
    if (next) {
      if (waiting.length === 0) (socket as Socket | null)?.resume();
      yield next;
    } else if (failure) throw failure;
    else if (done) return;
    else
      await new Promise<void>((woken) => {
        wake = woken;
      });
  }
}

/** The stretch of row messages in the bytes; `over` where what begins at `end` is not for us any more. */
function splitMessages(bytes: Buffer): { data: Buffer | null; end: number; over: boolean } {
  let [start, at] = [0, 0];
  const pieces: Buffer[] = [];
  const take = () => {
    if (at > start) pieces.push(bytes.subarray(start, at));
  };
  const result = (over: boolean) => ({
    data: pieces.length === 0 ? null : pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces),
    end: at,
    over,
  });
  while (at + FRAME <= bytes.length) {
    const type = bytes[at]!;
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (type === ERROR) {
      take();
      return result(true);
    }
    if (end > bytes.length) break;
    if (type === COPY_DATA) at = end;
    else {
      // CopyOutResponse, notices and the like are left out.
      take();
      at = end;
      start = end;
      if (type === COPY_DONE) return result(true);
    }
  }
  take();
  return result(false);
}

export interface CopyIn {
  /** Messages with their frames; waits while the server is busy. */
  readonly write: (framed: Uint8Array) => Promise<void>;
  /** All rows were sent: returns when the server has taken them. */
  readonly end: () => Promise<void>;
}

/** COPY … FROM STDIN. */
export async function copyIn(connection: Connection, sql: string): Promise<CopyIn> {
  let failure: Error | null = null;
  let wire: Wire | null = null;
  let begun: (wire: Wire) => void;
  let finished: () => void;
  let failed: (error: Error) => void;
  const ready = new Promise<Wire>((resolve) => {
    begun = resolve;
  });
  const complete = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const broken = new Promise<never>((_, reject) => {
    failed = reject;
  });
  broken.catch(() => undefined);
  const fail = (error: Error) => {
    failure ??= error;
    failed(failure);
  };
  connection.query({
    submit: (opened: Wire) => {
      opened.stream.once('close', () =>
        fail(Object.assign(new Error('connection terminated'), { code: 'ECONNRESET' })),
      );
      opened.query(sql);
    },
    handleError: fail,
    handleCopyInResponse: (opened: Wire) => {
      wire = opened;
      begun(opened);
    },
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => finished(),
  } as never);
  await Promise.race([ready, broken]);
  const { stream } = wire!;
  return {
    write: async (framed) => {
      if (failure) throw failure;
      if (!stream.write(framed)) {
        let drained = () => undefined as unknown;
        await Promise.race([
          new Promise<void>((done) => {
            drained = done;
            stream.once('drain', done);
          }),
          broken,
        ]).finally(() => stream.off('drain', drained));
      }
    },
    end: async () => {
      wire!.endCopyFrom();
      await Promise.race([complete, broken]);
    },
  };
}

/** Bytes as one message. */
export function framed(bytes: Uint8Array): Buffer {
  const message = Buffer.allocUnsafe(FRAME + bytes.length);
  message[0] = COPY_DATA;
  message.writeInt32BE(bytes.length + 4, 1);
  message.set(bytes, FRAME);
  return message;
}

/** The contents of messages, one after the other. */
export function unframed(messages: Buffer): Buffer {
  const out = Buffer.allocUnsafe(messages.length);
  let [at, length] = [0, 0];
  while (at < messages.length) {
    const end = at + 1 + messages.readInt32BE(at + 1);
    messages.copy(out, length, at + FRAME, end);
    length += end - at - FRAME;
    at = end;
  }
  return out.subarray(0, length);
}
