import type { BudgetContents } from '../../protocol/budget/budgetContents.ts';
import type { BudgetView } from '../../protocol/budget/budgetView.ts';
import type { Resumed } from '../../protocol/budget/handoff/resumeHandoff.ts';
import type { PlanningMemo } from '../../protocol/budget/memo/planningMemo.ts';
import type { LifecycleSession } from '../../protocol/lifecycle/lifecycleSession.ts';
import type { MessageFormat } from '../../protocol/lifecycle/messageFormat.ts';
import type { ViewEntry } from '../../protocol/lifecycle/view.ts';
import { NOTHING, sumOf } from '../../protocol/log/amounts.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { KnownOrder } from '../../protocol/request/appended.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { sha256 } from '../hashing.ts';
import type { HeaderParts } from '../headerInput.ts';
import type { PartCounts } from '../requestMeter.ts';
import type { BlockSizes } from './blockSizes.ts';
import type { FirstTier } from './firstTier.ts';
import type { GivenDocument } from './givenDocuments.ts';
import type { GivenLimits } from './sessionLimits.ts';
import type { UnitStories } from './unitStories.ts';

/** A request before anything is planned for it. */
export interface ToPlan {
  /** L1's view with its appended messages. */
  readonly entries: readonly ViewEntry[];
  /** What stands beside them, as far as it is known yet. */
  readonly header: HeaderParts;
  /** `expected`: the host says it when the request is sealed. Nothing is refused before that for what may be otherwise then. */
  readonly beside: 'said' | 'expected';
  /** What the host puts before its history. */
  readonly prefix: readonly JsonObject[];
  /** That, with the first tier and the blocks. */
  readonly wholePrefix: readonly JsonObject[];
  readonly limits?: GivenLimits | undefined;
  readonly documents?: readonly GivenDocument[] | undefined;
  /** Places of the host's messages that are tier 1. */
  readonly pinned?: readonly number[] | undefined;
}

/** What a request's view is made of. */
export interface ViewParts {
  readonly request: ToPlan;
  /** Absent where nobody counts; such a session has no layer. */
  readonly counts: PartCounts | undefined;
  readonly state: SessionState;
  readonly log: { readonly history: { readonly order: KnownOrder } };
  readonly contents: BudgetContents;
  readonly stories: UnitStories;
  readonly blocks: BlockSizes;
  readonly firstTier: FirstTier;
  readonly lifecycle: Pick<LifecycleSession, 'blockText'>;
  readonly format: MessageFormat;
  readonly pause?: ((why: string) => void) | undefined;
  readonly resumed?: Resumed | undefined;
  /** Absent for a view of which nothing is to be learned. */
  readonly memo: PlanningMemo | undefined;
}

const UNCOUNTED: PartCounts = { amountOf: () => NOTHING, counter: 'none' };

/** The request as the pure layer is shown it. */
export function requestView(parts: ViewParts): BudgetView {
  const { request, state, contents, stories, firstTier, lifecycle, format, pause, resumed } = parts;
  const { entries, header, prefix } = request;
  const { amountOf, counter, unattributed, messages: counts } = parts.counts ?? UNCOUNTED;
  const { message: tier1, text: prefixText } = firstTier;
  const { blocks } = state.lifecycle;
  return {
    requestSequence: state.requests.length + 1,
    entries,
    edits: contents.edits,
    format,
    tokensOf: message => amountOf(message),
    ...(counts && { counts }),
    ...(parts.memo && { memo: parts.memo }),
    counter,
    sha256,
    host: {
      system: header.system === undefined ? NOTHING : amountOf(header.system),
      tools: sumOf((header.tools ?? []).map(tool => amountOf(tool, 'tool'))),
      prefix: sumOf(prefix.map(message => amountOf(message))),
    },
    tier1: tier1 ? amountOf(tier1) : NOTHING,
    blocks: parts.blocks.of(blocks, amountOf),
    ...(unattributed && { unattributed }),
    timeOf: unit => stories.timeOf(unit),
    topicOf: unit => stories.topicOf(unit, state.lifecycle),
    order: parts.log.history.order,
    ...(request.pinned && { pinned: unitsAt(request.pinned, entries) }),
    ...(resumed && { resumed }),
    anchoring: {
      tier1: contents.tier1,
      superseded: contents.superseded,
      untold: contents.untold,
      ...(prefixText !== undefined && { prefixText }),
      // Only a check that is due reads them.
      get discardedBlocks() {
        return [...blocks.values()].flatMap(({ id, status }) => {
          const text = status === 'discarded' ? lifecycle.blockText(id) : undefined;
          return text === undefined ? [] : [{ id, text }];
        });
      },
      canPause: pause !== undefined,
    },
  };
}

function unitsAt(places: readonly number[], entries: readonly ViewEntry[]): ReadonlySet<string> {
  const wanted = new Set(places);
  return new Set(entries.flatMap(({ host, keys }) => (host !== undefined && wanted.has(host) ? keys : [])));
}
