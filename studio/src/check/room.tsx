import type { RoomProps } from '../app.js';

export function Check({ route }: RoomProps) {
  return <h1>{route.room}</h1>;
}
