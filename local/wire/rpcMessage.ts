import { FrameError } from './frameBytes.ts';

/** A JSON-RPC 2.0 message whose members have the types that they must have; `params` and `result` are still anybody's. */
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: number | string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RpcResponse {
  readonly kind: 'response';
  readonly id: number | string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a frame's body. Throws `FrameError` for everything that this wire does not know: lists of messages are among it. */
export function readRpcMessage(body: Uint8Array): { readonly message: RpcMessage; readonly json: object } {
  const json = parse(body);
  if (typeof json !== 'object' || json === null || Array.isArray(json) || member(json, 'jsonrpc') !== '2.0') {
    throw new FrameError('The peer sent a frame that is no single JSON-RPC 2.0 message.');
  }
  return { message: classify(json), json };
}

function classify(json: object): RpcMessage {
  const id = member(json, 'id');
  const method = member(json, 'method');
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  if (typeof method === 'string' && (hasId || id === undefined)) {
    const params = member(json, 'params') ?? {};
    if (typeof params !== 'object' || Array.isArray(params)) {
      throw new FrameError('The peer sent a message whose params are no object.');
    }
    const named = { method, params: params as Readonly<Record<string, unknown>> };
    return hasId ? { kind: 'request', id: id as number | string, ...named } : { kind: 'notification', ...named };
  }
  if (method === undefined && hasId && (isError(member(json, 'error')) || member(json, 'result') !== undefined)) {
    return { kind: 'response', id: id as number | string };
  }
  throw new FrameError('The peer sent a message that is neither a request nor a notification nor an answer.');
}

function isError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof member(value, 'message') === 'string';
}

function member(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new FrameError('The peer sent a frame that is no JSON in UTF-8.');
  }
}
