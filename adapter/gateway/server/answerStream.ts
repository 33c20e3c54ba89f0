import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Sending, SentCall } from '../gatewayCall.ts';
import { toAgent } from './forwardedHeaders.ts';
import { HeldAnswer, isRefusal, type UpstreamHead } from './heldAnswer.ts';
import type { LeavingBody } from './leavingBody.ts';
import { answerInWords } from './ownAnswers.ts';

export interface AnswerStreamOptions {
  readonly response: ServerResponse;
  /** Aborted when the agent goes away. */
  readonly signal: AbortSignal;
  /** For a sentence. */
  readonly host: string;
  readonly sent: SentCall | undefined;
  /** What the answer is for, where that is told when it has left. */
  readonly body: LeavingBody | undefined;
  /** For the answer's header. */
  readonly notice: string | undefined;
  /** Gets a sentence where no answer came: agents may try again for minutes and say nothing. */
  readonly tell: (sentence: string) => void;
  /** Asked once for what is sent in place of a request that was refused, and how; absent where nothing would be. */
  readonly again?: Again | undefined;
}

export interface Again {
  /** Gives nothing where the refusal is the answer. */
  readonly next: () => Promise<Sending | undefined>;
  readonly send: (sending: Sending) => void;
}

/**
 * Hands an upstream's answer on to the agent as it comes: head first, then each piece when it is there, and no faster than the agent reads.
 * The end of either side is the end of the other.
 */
export class AnswerStream implements Dispatcher.DispatchHandler {
  readonly #options: AnswerStreamOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #started = false;
  /** A refusal of which the agent has seen nothing yet. */
  #held: HeldAnswer | undefined;
  #hasBody = true;
  #over = false;

  constructor(options: AnswerStreamOptions) {
    this.#options = options;
    const { response, signal } = options;
    signal.addEventListener('abort', () => this.#abort(), { once: true });
    response.on('drain', () => this.#controller?.resume());
    if (signal.aborted) {
      this.#abort();
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) {
      controller.abort(new Error('The agent went away.'));
    }
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    // Interim answers are between us and the upstream.
    if (this.#over || status < 200) {
      return;
    }
    const { sent, body, again } = this.#options;
    body?.answered();
    const head = { status, statusText, raw: Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [] };
    sent?.head({ status, headers });
    if (again && isRefusal(status)) {
      this.#held = new HeldAnswer(head);
    } else {
      this.#start(head);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#over) {
      return;
    }
    // Before the agent has it, so that what the agent does next finds the session told.
    this.#options.sent?.piece(piece);
    if (this.#held) {
      if (!this.#held.push(piece)) {
        this.#release();
      }
      return;
    }
    if (!this.#options.response.write(piece)) {
      controller.pause();
    }
  }

  onResponseEnd(): void {
    if (!this.#finish('whole')) {
      return;
    }
    if (this.#held) {
      void this.#sendAgain();
    } else {
      this.#options.response.end();
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { response, host, tell } = this.#options;
    if (!this.#over) {
      this.#release();
    }
    if (!this.#hasBody) {
      // The head was all of it; undici misses what its content-length tells of.
      this.onResponseEnd();
    } else if (this.#started) {
      if (this.#finish('cut')) {
        // agents.md trap 2: agents wait for more as long as the connection stands.
        cutOff(response);
      }
    } else if (this.#finish('unreachable')) {
      const sentence = `The gateway got no answer from the model's address ${host}${reason(error)}. Try again, or look at the network and the upstream address.`;
      tell(sentence);
      answerInWords(response, 502, sentence);
    }
  }

  #start({ status, statusText, raw }: UpstreamHead): void {
    const { response, notice } = this.#options;
    response.sendDate = false;
    response.writeHead(status, plainReason(statusText), toAgent(raw, notice));
    this.#started = true;
    this.#hasBody = status !== 204 && status !== 304;
    // Sends the head at once; `flushHeaders` would write in UTF-8 what came in Latin-1.
    response.write('', 'latin1');
  }

  /** Hands on what was held back. */
  #release(): void {
    const held = this.#held;
    if (held) {
      this.#held = undefined;
      this.#start(held.head);
      this.#options.response.write(held.body);
    }
  }

  /** Its end was told, so that what it teaches is known. */
  async #sendAgain(): Promise<void> {
    const { response, signal, again } = this.#options;
    const next = await again?.next();
    if (signal.aborted) {
      next?.sent.end('aborted');
    } else if (next) {
      again?.send(next);
    } else {
      this.#release();
      response.end();
    }
  }

  #abort(): void {
    if (this.#finish('aborted')) {
      this.#controller?.abort(new Error('The agent went away.'));
    }
  }

  #finish(how: 'whole' | 'cut' | 'aborted' | 'unreachable'): boolean {
    if (this.#over) {
      return false;
    }
    this.#over = true;
    this.#options.sent?.end(how);
    return true;
  }
}

/** An HTTP/1.0 agent takes the connection's end for the answer's, unless the connection is reset. */
function cutOff(response: ServerResponse): void {
  const { socket } = response;
  if (response.req.httpVersion === '1.0') {
    socket?.resetAndDestroy();
  } else {
    response.destroy();
  }
}

/** Without one that Node would not send: it would refuse the whole answer, and with it each one that is tried after it. */
function plainReason(statusText = ''): string {
  return /^[\x20-\x7e]*$/.test(statusText) ? statusText : '';
}

/** Only the name of an error goes out: messages of libraries may quote anything. */
function reason(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : '';
}
