import { request } from 'node:http';
import { GATEWAY_VARIABLE } from '../../local/gatewayAgents.ts';
import { isLoopback } from '../../local/upstreamAddress.ts';
import { complain, EXIT, readStdin } from '../command.ts';
import { reasonOf } from '../failure.ts';

/** An agent waits for its hook; a gateway on this machine answers at once. */
const PATIENCE = 3_000;
const MAX_ANSWER = 1_000_000;

/**
 * Hands what an agent says to its hook on to the gateway, and prints the gateway's answer. A hook that fails must not stop the
 * agent, so the exit code is 0 whatever happens, and a sentence on standard error says what did.
 */
export async function passHookOn(name: string, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  try {
    const address = gatewayAddress(env[GATEWAY_VARIABLE]);
    const answer = await post(`${address}/_hook/${encodeURIComponent(name)}`, await readStdin());
    process.stdout.write(answer);
  } catch (error) {
    complain(`gateway hook ${name}`, reasonOf(error));
  }
  return EXIT.clean;
}

/** What the hook is told may hold the person's words, so it goes to this machine only. */
function gatewayAddress(given: string | undefined): string {
  if (!given) {
    throw new Error(`${GATEWAY_VARIABLE} is not set, so it is not known where the gateway is.`);
  }
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' || !isLoopback(url.hostname)) {
    throw new Error(`${GATEWAY_VARIABLE} is no address of a gateway on this machine.`);
  }
  return url.href.replace(/\/+$/, '');
}

/** Follows nothing, and knows no proxy. */
function post(address: string, body: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const call = request(address, { method: 'POST', headers, agent: false }, response => {
      const pieces: Buffer[] = [];
      let length = 0;
      response.on('error', reject);
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        length += piece.length;
        if (length > MAX_ANSWER) {
          call.destroy(new Error('The answer of the gateway is too long.'));
        }
      });
      response.on('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) {
          resolve(Buffer.concat(pieces).toString('utf8'));
        } else {
          reject(new Error(`The gateway refused it (status ${statusCode}).`));
        }
      });
    });
    const timer = setTimeout(() => call.destroy(new Error('The gateway did not answer in time.')), PATIENCE);
    call.once('close', () => clearTimeout(timer));
    call.once('error', error => reject(isRefused(error) ? new Error('No gateway listens at its address.') : error));
    call.end(body);
  });
}

function isRefused(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED';
}
