import type { MessageFormat } from '../../../protocol/lifecycle/messageFormat.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';

/** How agents begin what they tell a model of themselves, of the project and of its instructions. */
const CONTEXT =
  /^\s*(?:<(?:system-reminder|session_context|environment_context|user_instructions)>|# AGENTS\.md instructions )/u;

/**
 * Places of the messages before a model's first answer in which an agent says what holds for all of its session: agents that show
 * their instructions there, and not in the system prompt, never say them again. Whoever writes such a text gains no trust by it.
 */
export function standingContext(format: MessageFormat, messages: readonly JsonObject[]): readonly number[] {
  const places: number[] = [];
  for (const [place, message] of messages.entries()) {
    const { role, item, units } = format.describe(message);
    if (role === 'assistant' || item) {
      break;
    }
    if (units.some(({ texts }) => texts.some(text => CONTEXT.test(text)))) {
      places.push(place);
    }
  }
  return places;
}
