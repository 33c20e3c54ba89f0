import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../protocol/request/json.ts';
import type { GivenLimits } from '../budget/sessionLimits.ts';
import { sha256 } from '../hashing.ts';
import type { Sealed, Session } from '../sessionTypes.ts';
import type { DemoProject } from './demoProject.ts';
import type { DemoTeller } from './demoTeller.ts';
import { TOOLS } from './demoTools.ts';
import { ModelError, type ScriptedModel } from './scriptedModel.ts';

const SYSTEM = 'You are a coding agent. You work on a small to-do service.\nUse the tools; say when you are done.';

/** The scripted model, as far as requests tell of it. */
export interface DemoModel {
  readonly config: JsonObject;
  readonly limits: GivenLimits;
}

/** Runs a tool; nothing outside of the demo is read or changed. */
export type RunTool = (name: string, args: JsonObject, project: DemoProject) => string;

export interface DemoAgentParts {
  readonly model: ScriptedModel;
  readonly kind: DemoModel;
  readonly runTool: RunTool;
  readonly project: DemoProject;
  readonly teller: DemoTeller;
  /** Milliseconds between two things that happen. */
  readonly pace: number;
  readonly signal: AbortSignal;
}

/** An agent as small as one can be: a transcript, a loop of requests and tools, and a session that obeys the blocks. */
export class DemoAgent {
  readonly #parts: DemoAgentParts;
  /** The agent's own history, which nobody else changes: originals stay in it. */
  readonly #transcript: JsonObject[] = [];

  constructor(parts: DemoAgentParts) {
    this.#parts = parts;
  }

  /** Loads a file that the agent shows its model as instructions. */
  async load(session: Session, path: string, text: string): Promise<void> {
    this.#parts.teller.file('loads', path);
    session.loadSource({ source: path, class: 'context-file', text });
    await this.#wait();
  }

  /** Runs a prompt file of the agent's own workflow, which may take blocks away. */
  async workflow(session: Session, path: string, text: string): Promise<void> {
    this.#parts.teller.file('runs', path);
    session.control({ source: path, class: 'host-workflow', text });
    await this.#wait();
  }

  /** One turn: what a person says, and requests until an answer calls no tool. */
  async turn(session: Session, text: string): Promise<void> {
    this.#parts.teller.say('you', text);
    this.#transcript.push({ role: 'user', content: [{ type: 'text', text }] });
    await this.#wait();
    while (await this.#step(session)) {
      await this.#wait();
    }
  }

  /** Whether the turn goes on. */
  async #step(session: Session): Promise<boolean> {
    // A host may hand over fresh copies each time.
    const messages = structuredClone(this.#transcript);
    const { model, kind, runTool, project, teller, signal } = this.#parts;
    const sealed = await session.buildRequest({ messages, system: SYSTEM, tools: TOOLS, ...kind, signal });
    const body = bodyOf(sealed);
    try {
      model.receive(body);
      session.receipt(sealed.requestSequence, sha256(body));
      await this.#wait();
      const { text, calls, usage } = model.answer();
      session.response(sealed.requestSequence, { outcome: 'completed', usage, callsTools: calls.length > 0 });
      const asked = calls.map(({ id, name, arguments: args }) => ({
        type: 'tool-call',
        id,
        name,
        arguments: JSON.stringify(args),
      }));
      this.#transcript.push({ role: 'assistant', content: [{ type: 'text', text }, ...asked] });
      teller.say('model', text);
      await this.#wait();
      if (calls.length === 0) {
        return false;
      }
      const results = calls.map(({ id, name, arguments: args }) => {
        teller.say('tool', `${name} ${JSON.stringify(args)}`);
        const output = runTool(name, args, project);
        const content = [{ type: 'text', text: output }];
        return { type: 'tool-result', toolCallId: id, toolName: name, content, isError: false };
      });
      this.#transcript.push({ role: 'user', content: results });
      return true;
    } catch (error) {
      if (!(error instanceof ModelError)) {
        throw error;
      }
      session.response(sealed.requestSequence, { outcome: 'failed', error: error.message });
      teller.say('model', `fails: ${error.message}`);
      return true;
    }
  }

  async #wait(): Promise<void> {
    const { pace, signal } = this.#parts;
    signal.throwIfAborted();
    if (pace > 0) {
      await setTimeout(pace, undefined, { signal });
    }
  }
}

/** What leaves for the model: the four parts in the order of the sealed text, and nothing else. */
function bodyOf({ config, system, tools, messages }: Sealed): string {
  return JSON.stringify({
    config,
    ...(system !== undefined && { system }),
    ...(tools !== undefined && { tools }),
    messages,
  });
}
