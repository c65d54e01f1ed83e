export function environment(name: string, packages: readonly string[]): string;
export function pyspark(): string;
export function sparkEnvironment(python: string, more?: Record<string, string>): NodeJS.ProcessEnv;
