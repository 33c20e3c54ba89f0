import { renderMessage } from '../../protocol/lifecycle/text.ts';
import { discardOutcomeText, discardPriceLines } from '../../protocol/log/discardWords.ts';
import { observeOnly } from '../../protocol/log/observeOnly.ts';
import type { Saying } from '../../protocol/log/priceWords.ts';
import { product } from '../../protocol/product.ts';
import { complain, EXIT } from '../command.ts';
import { printable } from '../printable.ts';
import { findLiveSession } from '../session/findLiveSession.ts';
import { SessionLink } from '../session/sessionLink.ts';
import { outputStyle } from '../style.ts';
import { saysYes, type Terminal } from '../terminalQuestion.ts';
import { listed } from '../words.ts';

const ENGLISH: Saying = { say: renderMessage };

type Outcome = Parameters<typeof discardOutcomeText>[1];

const EXITS: Readonly<Record<Outcome, number>> = {
  discarded: EXIT.clean,
  repeated: EXIT.clean,
  denied: EXIT.problems,
  unknown: EXIT.unreadable,
};

/**
 * Discards a block of a running session as an editor would, after its person has seen what that changes and has said yes. Gives the
 * exit code; rejects with a sentence where there is no such session, or where it is lost before anything was asked of it.
 */
export async function runDiscard(given: string, block: string, terminal: Terminal): Promise<number> {
  const link = await SessionLink.to(await findLiveSession(given));
  try {
    return refused(link, given, block) ?? (await afterQuestion(link, given, block, terminal));
  } finally {
    link.close();
  }
}

/** Says why it is not even asked, and gives the exit code; absent where a discard may be tried. */
function refused({ state, isWhole, mayDiscard }: SessionLink, given: string, block: string): number | undefined {
  if (!mayDiscard) {
    return said(given, 'denied', block);
  }
  const status = state.lifecycle.blocks.get(block)?.status;
  if (status === undefined && isWhole) {
    const active = [...state.lifecycle.blocks.values()].filter(each => each.status === 'active').map(({ id }) => id);
    const others = active.length === 0 ? 'No block is active.' : `Active: ${listed(active)}.`;
    return said(given, 'unknown', block, ` ${others}`);
  }
  return status === 'discarded' ? said(given, 'repeated', block) : undefined;
}

/** What changed nothing is said on standard error. */
function said(given: string, outcome: Outcome, block: string, more = ''): number {
  complain(given, discardOutcomeText(block, outcome, ENGLISH) + more);
  return EXITS[outcome];
}

async function afterQuestion(link: SessionLink, given: string, block: string, terminal: Terminal): Promise<number> {
  const price = await link.ask(connection => connection.whatIf(block));
  const source = link.state.lifecycle.blocks.get(block)?.activated.source;
  const observed = source === undefined ? undefined : observeOnly(link.state).get(source);
  const { header } = link;
  const session = [header?.agent, header?.cwd, header?.id].filter(part => part !== undefined).join(', ');
  const lines = [...discardPriceLines(price ?? undefined, ENGLISH, observed), `Session: ${session}`];
  terminal.output.write(lines.map(line => `${printable(line)}\n`).join(''));
  const question = outputStyle()('bold', `Discard block ${printable(block)}?`);
  if (!(await saysYes(terminal, question, link.lost))) {
    process.stdout.write('Nothing was discarded.\n');
    return EXIT.problems;
  }
  let outcome: Outcome;
  try {
    outcome = await link.ask(connection => connection.discard(block));
  } catch (error) {
    complain(given, error instanceof Error ? error.message : String(error));
    complain(given, `"${product.name} log ${given} --type block,discard" says whether the block was discarded.`);
    return EXIT.unreadable;
  }
  if (outcome !== 'discarded') {
    return said(given, outcome, block);
  }
  const request = await requestWithout(link, block);
  const text = discardOutcomeText(block, outcome, ENGLISH, { observed, ...(request !== undefined && { request }) });
  process.stdout.write(`${printable(text)}\n`);
  return EXIT.clean;
}

/** The session tells it right after the answer; absent where it is lost in between: the block is discarded all the same. */
async function requestWithout(link: SessionLink, block: string): Promise<number | undefined> {
  const discarded = () => link.state.lifecycle.blocks.get(block)?.discarded;
  await link.until(() => discarded() !== undefined).catch(() => undefined);
  return discarded()?.requestSequence;
}
