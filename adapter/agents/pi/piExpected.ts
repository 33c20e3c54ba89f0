import type { Sealed } from '../../sessionTypes.ts';
import type { ExpectedPart } from '../payloadReceipt.ts';
import { piFormat } from './piFormat.ts';

/**
 * What a provider's payload must hold of a request: every unit but the model's own answers, which providers rewrite (they
 * drop failed ones, signatures and blanks).
 */
export function expectedParts({ messages }: Sealed): readonly ExpectedPart[] {
  return messages.flatMap((message, index) =>
    piFormat
      .describe(message)
      .units.filter(unit => unit.class !== 'assistant')
      .map(unit => ({ name: `${unit.source} (message ${index + 1}${idPart(unit.id)})`, texts: unit.texts })),
  );
}

function idPart(id: string | undefined): string {
  return id === undefined ? '' : `, ${id}`;
}
