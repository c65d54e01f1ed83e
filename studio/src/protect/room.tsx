import type { RoomProps } from '../app.js';

export function Protect({ route }: RoomProps) {
  return <h1>{route.room}</h1>;
}
