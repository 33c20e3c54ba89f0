import type { Ended } from '../../sessionTypes.ts';
import type { StreamPart } from './aiSdkApi.ts';
import { endedBy, failedBy } from './answers.ts';

/**
 * The same stream; `ended` is called once, when the answer is over: finished, failed (an error part, a broken stream, a stream
 * without a last part) or given up by the reader.
 */
export function watchedStream<Part extends StreamPart>(
  stream: ReadableStream<Part>,
  signal: AbortSignal | undefined,
  ended: (how: Ended) => void,
): ReadableStream<Part> {
  const reader = stream.getReader();
  let over = false;
  const once = (how: Ended): void => {
    if (!over) {
      over = true;
      ended(how);
    }
  };
  const broken = (error?: unknown): void => once(failedBy(error, signal));
  return new ReadableStream<Part>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          broken();
          controller.close();
          return;
        }
        if (value.type === 'finish') {
          once(endedBy(value));
        } else if (value.type === 'error') {
          broken(value.error);
        }
        controller.enqueue(value);
      } catch (error) {
        broken(error);
        controller.error(error);
      }
    },
    async cancel(reason) {
      once({ outcome: 'aborted' });
      await reader.cancel(reason);
    },
  });
}
