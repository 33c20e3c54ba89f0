import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, ModelApi } from './answer.ts';
import { chatCompletions } from './chatCompletions.ts';

/** What a client sent, byte for byte. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A model on loopback that gives the answers of a script, in order. */
export interface ScriptedModel {
  /** What an agent takes for the API's base address: `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string;
  /** All requests so far, in the order in which they came. */
  readonly requests: readonly RecordedRequest[];
  /** Answers that nobody has asked for yet. */
  readonly left: number;
  /** Adds answers to the end of the script. */
  add(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

const apis: readonly ModelApi[] = [chatCompletions];

/** Starts a model. When its script is over it answers 400, which no agent tries again. */
export async function startScriptedModel(script: readonly Answer[] = []): Promise<ScriptedModel> {
  const answers = [...script];
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      const api = apis.find(candidate => candidate.serves(path));
      if (!api) {
        refuse(response, 404, `The scripted model has nothing at ${path}.`);
        return;
      }
      const body = Buffer.concat(parts).toString('utf8');
      requests.push({ path, headers: request.headers, body });
      reply(response, api, answers.shift(), body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get left() {
      return answers.length;
    },
    add: (...more) => {
      answers.push(...more);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function reply(response: ServerResponse, api: ModelApi, answer: Answer | undefined, body: string): void {
  if (!answer) {
    refuse(response, 400, 'The script is over.');
    return;
  }
  if ('status' in answer) {
    refuse(response, answer.status, 'The script says so.');
    return;
  }
  const { model = 'scripted', stream = false } = JSON.parse(body) as { model?: string; stream?: boolean };
  const pieces = stream ? api.pieces(answer, model) : [api.whole(answer, model)];
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  if (!answer.cut) {
    for (const piece of pieces) {
      response.write(piece);
    }
    response.end();
    return;
  }
  const text = pieces.join('');
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy());
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'scripted' } }));
}
