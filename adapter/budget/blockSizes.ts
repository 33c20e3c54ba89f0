import type { LifecycleSession } from '../../protocol/lifecycle/lifecycleSession.ts';
import type { LifecycleState } from '../../protocol/lifecycle/lifecycleState.ts';
import type { Amount } from '../../protocol/log/amounts.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import type { PartCounts } from '../requestMeter.ts';

/** What each active block takes; a text is looked at once. */
export class BlockSizes {
  readonly #lifecycle: Pick<LifecycleSession, 'blockText'>;
  readonly #userMessage: (text: string) => JsonObject;
  /** Each block as a message of its own, which a meter knows again. */
  readonly #messages = new Map<string, JsonObject>();

  constructor(lifecycle: Pick<LifecycleSession, 'blockText'>, userMessage: (text: string) => JsonObject) {
    this.#lifecycle = lifecycle;
    this.#userMessage = userMessage;
  }

  /** In definition order. */
  of(
    blocks: LifecycleState['blocks'],
    amountOf: PartCounts['amountOf'],
  ): readonly { readonly id: string; readonly amount: Amount }[] {
    return [...blocks.values()].flatMap(({ id, status }) => {
      const message = status === 'active' ? this.#messageOf(id) : undefined;
      return message ? [{ id, amount: amountOf(message) }] : [];
    });
  }

  /** A block's text stays as it was when it was activated. */
  #messageOf(id: string): JsonObject | undefined {
    const known = this.#messages.get(id);
    const text = known ? undefined : this.#lifecycle.blockText(id);
    if (text !== undefined) {
      this.#messages.set(id, this.#userMessage(text));
    }
    return known ?? this.#messages.get(id);
  }
}
