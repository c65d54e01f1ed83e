import type { RoomProps } from '../app.js';

export function Explore({ route }: RoomProps) {
  return <h1>{route.room}</h1>;
}
