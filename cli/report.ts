import type { Command } from 'commander';
import { usageReport } from '../protocol/budget/usageReport.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import { complain, EXIT, note } from './command.ts';
import { printableJson } from './printable.ts';
import { type FoldedLog, folded } from './session/foldedLog.ts';
import { openLogOf } from './session/openedLog.ts';
import { noSuchRequest, requestNumber } from './session/requestsOf.ts';
import { usageNotes } from './usageNotes.ts';

interface Flags {
  readonly at?: string;
  readonly json?: true;
}

const HELP = `
A session is named by its id, by the beginning of its id, or by the path of its log; it may be running.

The numbers are those of the last request that the budget layer measured. Standard error says which tier takes more than its
share, and which limit is only assumed.

Exit code: 0; 1 when the log ends in an unfinished line; 2 when there is no such session or request, when the budget layer
measured nothing, or when the log can be read only in part.`;

/** Adds `report <session>`. */
export function addReportCommand(program: Command): void {
  program
    .command('report')
    .summary('say what the context of a session takes, tier by tier')
    .description('Print the usage report of a session whose budget layer is on: tokens of each tier, total and status.')
    .argument('<session>', 'id, its beginning, or the path of a log')
    .option('--at <n>', 'as it was when this request was sent')
    .option('--json', 'print it as JSON, with the host’s share, limits and flags')
    .addHelpText('after', HELP)
    .action(async (session: string, flags: Flags) => {
      process.exitCode = await runReport(session, flags);
    });
}

async function runReport(session: string, { at, json }: Flags): Promise<number> {
  const log = await openLogOf(session);
  if (!log) {
    return EXIT.unreadable;
  }
  const fold = folded(log);
  const state = at === undefined ? fold.states.latest : stateAt(fold, at);
  if (!state) {
    const { length: requests } = fold.states.latest.requests;
    complain(log.shown, noSuchRequest(at ?? '', { history: { requests } }));
    return EXIT.unreadable;
  }
  const report = usageReport(state);
  if (!report) {
    complain(log.shown, nothingMeasured(at));
    return EXIT.unreadable;
  }
  process.stdout.write(
    json ? `${printableJson({ session: log.header.id, seq: state.nextSeq - 1, ...report }, 2)}\n` : `${report.text}\n`,
  );
  usageNotes(report, state.requests.length).forEach(note);
  return fold.exitCode;
}

/** After the seal of a request; of one that was measured last and not sent, everything. Absent where there is none. */
function stateAt({ states }: FoldedLog, given: string): SessionState | undefined {
  const { requests, budget } = states.latest;
  const number = requestNumber(given, { history: { requests: requests.length + 1 } });
  const sealed = number === undefined ? undefined : requests.get(number - 1)?.sealed;
  if (sealed) {
    return states.at(sealed.seq + 1);
  }
  const last = budget.measures.get(budget.measures.length - 1);
  return number !== undefined && last?.requestSequence === number ? states.latest : undefined;
}

function nothingMeasured(at: string | undefined): string {
  const when = at === undefined ? 'in this session' : `up to request ${at}`;
  return `The budget layer measured nothing ${when}, because it was off. To turn it on for sessions that begin from now on, write "budget": {"enabled": true} into config.json; "context-lifecycle doctor" says where that is.`;
}
