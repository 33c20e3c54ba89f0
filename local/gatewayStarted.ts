import { isJsonObject } from '../protocol/request/json.ts';

/** What `gateway --json` prints as its first line, for programs that start it. */
export interface GatewayStarted {
  /** `http://127.0.0.1:PORT/TOKEN`: whoever knows it may use the gateway. */
  readonly address: string;
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
  const { address, sources = null, notes = null } = value;
  const [, port] = (typeof address === 'string' && ADDRESS.exec(address)) || [];
  return typeof address === 'string' && port !== undefined && isTexts(sources) && isTexts(notes)
    ? { address, port: Number(port), sources, notes }
    : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
