import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, ModelApi, ModelBody, SpokenAnswer } from './answer.ts';
import { anthropicMessages } from './anthropicMessages.ts';
import { chatCompletions } from './chatCompletions.ts';
import { gemini } from './gemini.ts';
import { type RecordedRequest, recordedRequest } from './recordedRequest.ts';
import { responses } from './responses.ts';

export type { RecordedRequest };

/** A model on loopback that gives the answers of a script, in order, in whichever API it is asked. */
export interface ScriptedModel {
  /** What an agent takes for the base address of OpenAI's APIs: `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string;
  /** The same for Anthropic's and Gemini's: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** All requests so far that took an answer of the script, in the order in which they came. */
  readonly requests: readonly RecordedRequest[];
  /** All others: titles, token counts, lists of models, `HEAD` … */
  readonly others: readonly RecordedRequest[];
  /** Answers that nobody has asked for yet. */
  readonly left: number;
  /** Adds answers to the end of the script. */
  add(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

export interface ModelOptions {
  /** Requests without tools are answered with this text, and take no answer of the script: agents ask so for titles. */
  readonly title?: string;
}

const APIS: readonly ModelApi[] = [chatCompletions, anthropicMessages, responses, gemini];

/** Starts a model. When its script is over it answers 400, which no agent tries again. */
export async function startScriptedModel(
  script: readonly Answer[] = [],
  { title }: ModelOptions = {},
): Promise<ScriptedModel> {
  const answers = [...script];
  const requests: RecordedRequest[] = [];
  const others: RecordedRequest[] = [];
  const answer = async (request: RecordedRequest, response: ServerResponse): Promise<void> => {
    const [path = ''] = request.path.split('?');
    const api = request.method === 'POST' ? APIS.find(candidate => candidate.serves(path)) : undefined;
    if (!api) {
      others.push(request);
      answerAside(response, path, request.method);
      return;
    }
    const body = JSON.parse(request.body) as ModelBody;
    const isTitle = title !== undefined && !body.tools?.length;
    (isTitle ? others : requests).push(request);
    const next = isTitle ? { text: title } : answers.shift();
    if (!next || 'status' in next) {
      const status = next?.status ?? 400;
      writeJson(
        response,
        status,
        api.error(status, next ? (next.said ?? 'The script says so.') : 'The script is over.'),
      );
      return;
    }
    await speak(response, api, next, { path, body, number: requests.length + others.length });
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      answer(recordedRequest(request, Buffer.concat(parts)), response).catch((error: unknown) => {
        response.destroy(error as Error);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/v1`,
    origin,
    requests,
    others,
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

/** What agents ask besides: whether there is a server, how many tokens something has, which models there are. */
function answerAside(response: ServerResponse, path: string, method: string): void {
  if (method === 'HEAD') {
    response.writeHead(200).end();
  } else if (path.endsWith('/count_tokens')) {
    writeJson(response, 200, { input_tokens: 100 });
  } else if (path.endsWith(':countTokens')) {
    writeJson(response, 200, { totalTokens: 100 });
  } else if (method === 'GET' && path.endsWith('/models')) {
    writeJson(response, 200, { object: 'list', data: [], has_more: false });
  } else {
    writeJson(response, 404, { error: { message: `The scripted model has nothing at ${path}.`, type: 'scripted' } });
  }
}

async function speak(
  response: ServerResponse,
  api: ModelApi,
  answer: SpokenAnswer,
  { path, body, number }: { readonly path: string; readonly body: ModelBody; readonly number: number },
): Promise<void> {
  const isStreamed = api.isStreamed(path, body);
  const model = body.model ?? /\/models\/([^/:]+)/u.exec(path)?.[1] ?? 'scripted';
  const voice = { model, number };
  const pieces = isStreamed ? api.pieces(answer, voice) : [api.whole(answer, voice)];
  response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
  response.flushHeaders();
  const { cut = false, released } = answer;
  if (cut) {
    const bytes = Buffer.from(pieces.join(''));
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
    return;
  }
  for (const [number, piece] of pieces.entries()) {
    await released?.(number);
    response.write(piece);
  }
  response.end();
}

function writeJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
