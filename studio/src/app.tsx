// The frame: four rooms, of which one is open.

import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Protect } from './protect/room.js';
import { type Change, type Route, useRoute, type Values, writeRoute } from './route.js';

export interface RoomProps {
  readonly route: Route;
  readonly change: Change;
  /** Is it the one that is seen? */
  readonly active?: boolean;
}

interface Room {
  readonly title: string;
  readonly about: string;
  /** Loaded when it is entered; the first one is part of the page. */
  readonly load: () => Promise<ComponentType<RoomProps>>;
}

const ROOMS: Readonly<Record<string, Room>> = {
  protect: { title: 'Protect', about: 'publish a file', load: async () => Protect },
  design: {
    title: 'Design',
    about: 'optimal noise',
    load: async () => (await import('./design/room.js')).Design,
  },
  explore: {
    title: 'Explore',
    about: 'any noise',
    load: async () => (await import('./explore/room.js')).Explore,
  },
  check: {
    title: 'Check',
    about: 'what others published',
    load: async () => (await import('./check/room.js')).Check,
  },
};
const FIRST = 'protect';

export function App() {
  const [route, change] = useRoute();
  const room = Object.hasOwn(ROOMS, route.room) ? route.room : FIRST;
  const { title } = ROOMS[room]!;
  /** What was chosen in each room, so that it is there on coming back. */
  const last = useRef<Record<string, Values>>({});
  last.current[room] = route.values;
  const [open, setOpen] = useState<{ room: string; View: ComponentType<RoomProps> } | null>({
    room: FIRST,
    View: Protect,
  });
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    document.title = `${title} – Discreet studio`;
    let current = true;
    ROOMS[room]!.load().then(
      (View) => current && setOpen({ room, View }),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [room]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <header class="top">
        <p class="brand">
          <b>Discreet</b> studio
        </p>
        <nav aria-label="Rooms">
          {Object.entries(ROOMS).map(([name, { title: words, about }]) => (
            <a
              key={name}
              href={writeRoute({ room: name, values: last.current[name] ?? {} })}
              aria-current={name === room ? 'page' : undefined}
            >
              <b>{words}</b> <span>{about}</span>
            </a>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {failed ? (
          <p class="warning">
            This room could not be loaded; reload the page while there is a connection. Nothing is lost.
          </p>
        ) : (
          <>
            {/* What is open there, and what was paid for and not saved, stays while somebody looks elsewhere. */}
            <Protect
              active={room === FIRST}
              route={{ room: FIRST, values: last.current[FIRST] ?? {} }}
              change={change}
            />
            {room === FIRST ? null : open?.room === room ? (
              <open.View route={{ ...route, room }} change={change} />
            ) : (
              <p role="status">Opening…</p>
            )}
          </>
        )}
      </main>
      <footer class="small">
        <p>
          Everything is computed in this page. It is forbidden to connect to anything, by its own policy, and
          asks for no other permission: your data stays on this machine.
        </p>
      </footer>
    </>
  );
}
