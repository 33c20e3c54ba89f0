import { isJsonObject } from '../protocol/request/json.ts';

/** What `gateway --json` prints as its first line, for programs that start it. */
export interface GatewayStarted {
  /** `http://127.0.0.1:PORT/TOKEN`: whoever knows it may use the gateway. */
  readonly address: string;
  /** `http://127.0.0.1:PORT/HOOKTOKEN`, for hooks of agents. */
  readonly hookAddress: string;
  readonly port: number;
  /** Whole paths of the context files that count in each session. */
  readonly sources: readonly string[];
  /** Sentences that a person should read. */
  readonly notes: readonly string[];
}

const ADDRESS = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/[A-Za-z0-9_-]{16,128}$/;

/** The line's content; absent where the line is none. Nothing in an address that it gives has a meaning for a shell. */
export function readGatewayStarted(line: string): GatewayStarted | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { address, hookAddress, sources = null, notes = null } = value;
  const port = portOf(address);
  return isAddress(address) &&
    isAddress(hookAddress) &&
    portOf(hookAddress) === port &&
    isTexts(sources) &&
    isTexts(notes)
    ? { address, hookAddress, port: Number(port), sources, notes }
    : undefined;
}

function isAddress(value: unknown): value is string {
  return portOf(value) !== undefined;
}

function portOf(value: unknown): string | undefined {
  return typeof value === 'string' ? ADDRESS.exec(value)?.[1] : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
