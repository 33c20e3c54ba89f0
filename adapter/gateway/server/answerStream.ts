import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { SentCall } from '../gatewayCall.ts';
import { toAgent } from './forwardedHeaders.ts';
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
}

/**
 * Hands an upstream's answer on to the agent as it comes: head first, then each piece when it is there, and no faster than the agent reads.
 * The end of either side is the end of the other.
 */
export class AnswerStream implements Dispatcher.DispatchHandler {
  readonly #options: AnswerStreamOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #started = false;
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
    const { response, sent, body, notice } = this.#options;
    body?.answered();
    const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
    response.sendDate = false;
    response.writeHead(status, plainReason(statusText), toAgent(raw, notice));
    this.#started = true;
    this.#hasBody = status !== 204 && status !== 304;
    sent?.head({ status, headers });
    // Sends the head at once; `flushHeaders` would write in UTF-8 what came in Latin-1.
    response.write('', 'latin1');
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#over) {
      return;
    }
    // Before the agent has it, so that what the agent does next finds the session told.
    this.#options.sent?.piece(piece);
    if (!this.#options.response.write(piece)) {
      controller.pause();
    }
  }

  onResponseEnd(): void {
    if (this.#finish('whole')) {
      this.#options.response.end();
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { response, host, tell } = this.#options;
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
