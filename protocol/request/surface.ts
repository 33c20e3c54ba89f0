import { type Fault, faultAt } from './corruptLogError.ts';
import { isJsonObject } from './json.ts';
import { type LogEvent, typeOf } from './logEvent.ts';
import { isMessageType } from './messageTypes.ts';

/** An event that carries a message, with its place in the log. */
export interface SurfaceEntry {
  readonly event: LogEvent;
  readonly index: number;
}

/** An entry with its neighbours on the surface. */
interface Node extends SurfaceEntry {
  previous: Node | undefined;
  next: Node | undefined;
}

/**
 * The events whose messages the model sees, in order (request-log 2.4). Throws `CorruptLogError` when an event that
 * carries a message is not at its own `seq`, has no `surfaceOp`, or replaces a range that is not there; and when any other
 * event has a `surfaceOp`. Linear: a replaced range is walked once.
 */
export function surfaceOf(events: readonly LogEvent[]): readonly SurfaceEntry[] {
  const surface = new Surface();
  for (const [index, event] of events.entries()) {
    const type = typeOf(event);
    if (type === undefined) {
      continue;
    }
    const fault = faultAt(index, event);
    if (isMessageType(type)) {
      surface.add(event, index, fault);
    } else if (event.surfaceOp !== undefined) {
      // request-log 2.1: only message types have one. What shows a message that we cannot read is not passed over.
      throw fault(`it has a surfaceOp, but ${JSON.stringify(type)} carries no message`);
    }
  }
  return surface.entries();
}

class Surface {
  readonly #bySeq = new Map<number, Node>();
  #first: Node | undefined;
  #last: Node | undefined;

  add(event: LogEvent, index: number, fault: Fault): void {
    if (event.seq !== index) {
      throw fault('its seq is not its place in the log');
    }
    const op: unknown = event.surfaceOp;
    if (op === 'append') {
      this.#insert(event, index, this.#last, undefined);
    } else if (isJsonObject(op) && op['op'] === 'replace') {
      this.#replace(event, index, this.#node(op['start'], fault), this.#node(op['end'], fault), fault);
    } else {
      throw fault('its surfaceOp is neither "append" nor a replace');
    }
  }

  entries(): readonly SurfaceEntry[] {
    const entries: SurfaceEntry[] = [];
    for (let node = this.#first; node; node = node.next) {
      entries.push(node);
    }
    return entries;
  }

  #node(seq: unknown, fault: Fault): Node {
    const node = typeof seq === 'number' ? this.#bySeq.get(seq) : undefined;
    if (!node) {
      throw fault('it replaces from or to an event that is not on the surface');
    }
    return node;
  }

  /** Ranges are by position: after one replace the seqs on the surface are no longer in order. */
  #replace(event: LogEvent, index: number, start: Node, end: Node, fault: Fault): void {
    const taken: Node[] = [];
    for (let node: Node = start; ; ) {
      taken.push(node);
      if (node === end) {
        break;
      }
      if (!node.next) {
        throw fault('it replaces a range whose start stands after its end');
      }
      node = node.next;
    }
    for (const node of taken) {
      this.#bySeq.delete(node.index);
    }
    this.#insert(event, index, start.previous, end.next);
  }

  #insert(event: LogEvent, index: number, previous: Node | undefined, next: Node | undefined): void {
    const node: Node = { event, index, previous, next };
    this.#bySeq.set(index, node);
    if (previous) {
      previous.next = node;
    } else {
      this.#first = node;
    }
    if (next) {
      next.previous = node;
    } else {
      this.#last = node;
    }
  }
}
