import type { KnownOrder } from './appended.ts';
import { BodyHistory } from './bodyHistory.ts';
import type { BodyPiece } from './bodyPieces.ts';
import { faultAt } from './corruptLogError.ts';
import { finalHeader, headerAfter } from './foldRequestHeader.ts';
import type { RequestHeader } from './header.ts';
import { isJsonObject } from './json.ts';
import { type LogEvent, typeOf } from './logEvent.ts';
import { headerEnd, requestOf, stepFault } from './requestOfStep.ts';
import { type SealedRequest, sealedText } from './sealer.ts';
import { Surface } from './surface.ts';
import type { SurfaceEntry } from './surfaceEntry.ts';
import { UnitOrder } from './unitOrder.ts';

/** What a log says, after some of its events, about the request that would be built then. */
interface Moment {
  readonly surface: Surface;
  /** Deep-frozen; absent before the first header event. */
  readonly header: RequestHeader | undefined;
}

/** Events between two moments that are kept: what a rebuild folds is less than this. */
const CHECKPOINT_EVERY = 256;

/**
 * A log with its requests at hand: it is fed with the events in order, and rebuilds any request in the time that its own
 * messages take, however long the log is (DESIGN, Speed). Moments share nearly all that they hold, so keeping one now and
 * then costs little. Events are not changed by anybody once they are here; messages that stand deep-frozen in them are
 * given as they are, so that a live session finds its own objects again.
 */
export class RequestHistory {
  readonly #events: LogEvent[] = [];
  /** The moments before event 0, 256, 512 … */
  readonly #checkpoints: Moment[] = [];
  /** `seq` of the `step/start` of each sealed request. */
  readonly #steps = new Map<number, number>();
  readonly #bodies = new BodyHistory();
  /** Absent until it was asked for: it is needed only where a unit is gone that something was appended to. */
  #order: UnitOrder | undefined;
  /** Which unit stood before which, for units that are gone too. The first question reads the whole log. */
  readonly order: KnownOrder = {
    before: unit => {
      this.#order ??= UnitOrder.after(this.#events);
      return this.#order.before(unit);
    },
  };
  #now: Moment = { surface: Surface.EMPTY, header: undefined };

  /** Throws `CorruptLogError` where the event contradicts those before it; then it is as if it had not been given. */
  append(event: LogEvent): void {
    const index = this.#events.length;
    const before = this.#now;
    const now = momentAfter(before, event, index);
    this.#bodies.append(event, index);
    if (typeOf(event) === 'request/sealed') {
      this.#keepStep(event, index);
    }
    if (index % CHECKPOINT_EVERY === 0) {
      this.#checkpoints.push(before);
    }
    this.#events.push(event);
    this.#now = now;
    this.#order?.follow(before.surface, now.surface);
  }

  /** The header that the log folds to now, deep-frozen: the baseline of `headerChange`. Absent before the first. */
  get header(): RequestHeader | undefined {
    return this.#now.header;
  }

  /** What stands on the surface now, in order: what `surfaceEdits` compares a view with. */
  get surface(): readonly SurfaceEntry[] {
    return this.#now.surface.entries();
  }

  /**
   * The last unit that the model is shown now, which an injected message follows; "" where there is none. Throws
   * `CorruptLogError` when the message cannot be read.
   */
  get lastUnit(): string {
    const { last } = this.#now.surface;
    const shown = last?.message ? last : this.surface.findLast(({ message }) => message);
    return shown?.keys.at(-1) ?? '';
  }

  /** How many requests were sealed, of whatever instance. */
  get requests(): number {
    return this.#steps.size;
  }

  /**
   * A sealed request, deep-frozen; absent where no request of this number was sealed. Throws `CorruptLogError` when what it
   * needs of the log cannot be read.
   */
  rebuild(requestSequence: number): SealedRequest | undefined {
    const stepStart = this.#steps.get(requestSequence);
    return stepStart === undefined ? undefined : this.rebuildStep(stepStart);
  }

  /** The text whose hash `request/sealed` holds, where the log holds content; absent and throws as `rebuild` does. */
  sealedText(requestSequence: number): string | undefined {
    const request = this.rebuild(requestSequence);
    return request && sealedText(request);
  }

  /**
   * The text of the body that carried a sealed request, where the log holds it (`request/body`); absent where it does not.
   * Throws as `rebuild` does, and where the body's record does not fit the request.
   */
  bodyText(requestSequence: number): string | undefined {
    const request = this.rebuild(requestSequence);
    return request && this.#bodies.textOf(request, requestSequence);
  }

  /** The record of the last body of this instance; empty before its first. */
  get bodyPieces(): readonly BodyPiece[] {
    return this.#bodies.pieces;
  }

  /** The request of the step whose `step/start` has this seq, deep-frozen. Throws what `rebuildRequest` throws. */
  rebuildStep(stepStart: number): SealedRequest {
    const fault = stepFault(this.#events, stepStart);
    const { surface, header } = this.#momentBefore(stepStart);
    // What changes the history from here on belongs to the next request, but this step's header is still to come.
    const rest = this.#events.slice(stepStart, headerEnd(this.#events, stepStart));
    const current = rest.reduce((held, event, offset) => nextHeader(held, event, stepStart + offset), header);
    return requestOf(current, surface, fault);
  }

  /** The moment before an event that is there, from the last checkpoint. */
  #momentBefore(index: number): Moment {
    const checkpoint = Math.floor(index / CHECKPOINT_EVERY);
    let moment = this.#checkpoints[checkpoint] ?? this.#now;
    for (let at = checkpoint * CHECKPOINT_EVERY; at < index; at++) {
      const event = this.#events[at];
      moment = event ? momentAfter(moment, event, at) : moment;
    }
    return moment;
  }

  #keepStep(event: LogEvent, index: number): void {
    const { requestSequence, stepStart } = isJsonObject(event.data) ? event.data : {};
    const step = typeof stepStart === 'number' ? this.#events[stepStart] : undefined;
    if (typeof requestSequence !== 'number' || typeof stepStart !== 'number' || typeOf(step) !== 'step/start') {
      throw faultAt(index, event)('it names no request of a step that was started');
    }
    if (this.#steps.has(requestSequence)) {
      throw faultAt(index, event)(`request ${requestSequence} was sealed before`);
    }
    this.#steps.set(requestSequence, stepStart);
  }
}

function momentAfter(moment: Moment, event: LogEvent, index: number): Moment {
  const surface = moment.surface.after(event, index);
  const header = nextHeader(moment.header, event, index);
  return surface === moment.surface && header === moment.header ? moment : { surface, header };
}

function nextHeader(held: RequestHeader | undefined, event: LogEvent, index: number): RequestHeader | undefined {
  const header = headerAfter(held, event, index);
  return header && header !== held ? finalHeader(header) : held;
}
