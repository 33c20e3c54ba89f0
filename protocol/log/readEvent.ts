import { type Fault, faultAt } from '../request/corruptLogError.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { isMessageType } from '../request/messageTypes.ts';
import { count, type Shape, whole } from '../shape.ts';
import { vocabulary } from './sessionEvents.ts';

const shapes: ReadonlyMap<string, Shape<unknown>> = new Map(Object.entries(vocabulary));

/**
 * A JSON value that stands at this place of a log, from 0, as the event that it is; it is neither copied nor changed.
 * Throws `CorruptLogError` when its envelope (request-log 2.1) or its data is not as docs/log-format.md says, and when its
 * type is unknown and its envelope does not say that it may be passed over. Whether it fits the events before it is for
 * `reduce` to say.
 */
export function readEvent(value: unknown, index: number): LogEvent {
  const fault = faultAt(index, value);
  if (!isJsonObject(value)) {
    throw fault('it is no object');
  }
  const { type, seq, data } = value;
  if (typeof type !== 'string' || type === '') {
    throw fault('it has no type');
  }
  if (seq !== index) {
    throw fault('its seq is not its place in the log');
  }
  requireShape(whole, value['time'], 'time', fault);
  if (data === undefined) {
    throw fault('it has no data');
  }
  readIgnorable(value, fault);
  readSurface(type, value, index, fault);
  readData(type, data, value['ignorable'] === true, fault);
  return value as unknown as LogEvent;
}

function requireShape(shape: Shape<unknown>, value: unknown, name: string, fault: Fault): void {
  const wrong = shape.fault(value, name);
  if (wrong) {
    throw fault(wrong);
  }
}

function readIgnorable({ ignorable }: JsonObject, fault: Fault): void {
  if (ignorable !== undefined && typeof ignorable !== 'boolean') {
    throw fault('its ignorable is not true or false');
  }
}

function readData(type: string, data: Json, ignorable: boolean, fault: Fault): void {
  const shape = shapes.get(type);
  if (shape) {
    requireShape(shape, data, 'data', fault);
  } else if (!ignorable) {
    throw fault(
      `its type ${JSON.stringify(type)} is unknown, and it does not say that it may be passed over; a newer version may know it`,
    );
  }
}

/** request-log 2.1: `surfaceOp` and `sourceEventSeqs` stand only, and `surfaceOp` always, beside a message. */
function readSurface(type: string, { surfaceOp, sourceEventSeqs }: JsonObject, index: number, fault: Fault): void {
  if (!isMessageType(type)) {
    if (surfaceOp !== undefined || sourceEventSeqs !== undefined) {
      const name = surfaceOp === undefined ? 'sourceEventSeqs' : 'a surfaceOp';
      throw fault(`it has ${name}, but ${JSON.stringify(type)} carries no message`);
    }
    return;
  }
  if (surfaceOp === undefined) {
    throw fault('it carries a message, but has no surfaceOp');
  }
  if (surfaceOp !== 'append') {
    readReplace(surfaceOp, index, fault);
  }
  if (sourceEventSeqs !== undefined) {
    readSources(sourceEventSeqs, index, fault);
  }
}

function readReplace(op: Json, index: number, fault: Fault): void {
  if (!isJsonObject(op) || op['op'] !== 'replace') {
    throw fault('its surfaceOp is neither "append" nor a replace');
  }
  if (!isEarlier(op['start'], index) || !isEarlier(op['end'], index)) {
    throw fault('its surfaceOp replaces from or to no earlier event');
  }
}

function readSources(seqs: Json, index: number, fault: Fault): void {
  if (!isJsonArray(seqs) || seqs.length === 0 || !seqs.every(seq => isEarlier(seq, index))) {
    throw fault('its sourceEventSeqs are no list of earlier events');
  }
  if (new Set(seqs).size !== seqs.length) {
    throw fault('its sourceEventSeqs name an event twice');
  }
}

function isEarlier(seq: Json | undefined, index: number): boolean {
  return count.fault(seq, 'seq') === undefined && Number(seq) < index;
}
