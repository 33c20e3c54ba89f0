import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { TodoStore } from './store.ts';
import { readTitle } from './todo.ts';

/** A request body larger than this is refused. */
const MAX_BODY_BYTES = 10_000;

/** The HTTP API of docs/architecture.md over one store; the caller decides where it listens. */
export function createApi(store: TodoStore): Server {
  return createServer((request, response) => {
    answer(store, request, response).catch(() => send(response, 500, { error: 'internal error' }));
  });
}

async function answer(store: TodoStore, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const id = Number(/^\/todos\/([1-9]\d*)$/.exec(pathname)?.[1] ?? Number.NaN);
  const route = `${request.method} ${Number.isNaN(id) ? pathname : '/todos/:id'}`;
  switch (route) {
    case 'GET /todos':
      return send(response, 200, store.all());
    case 'POST /todos': {
      const title = readTitle(await readJson(request));
      return title === undefined ? send(response, 400, { error: 'title is missing' }) : send(response, 201, store.add(title));
    }
    case 'PATCH /todos/:id': {
      const todo = store.finish(id);
      return todo ? send(response, 200, todo) : send(response, 404, { error: 'no such to-do' });
    }
    case 'DELETE /todos/:id':
      return store.remove(id) ? send(response, 204) : send(response, 404, { error: 'no such to-do' });
    default:
      return send(response, 404, { error: 'no such path' });
  }
}

/** The body as JSON; undefined when it is too large or no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) {
      return undefined;
    }
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
