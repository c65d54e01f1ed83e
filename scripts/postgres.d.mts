export interface Server {
  readonly address: string;
  readonly bin: string;
  readonly crash: () => void;
  readonly stop: (signal?: string) => Promise<void>;
}
export function binaries(): string;
export function startServer(options?: Record<string, string | number>): Promise<Server>;
