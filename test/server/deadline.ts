/** Milliseconds after which a test that waits for something has failed. */
const DEADLINE = 20_000;

/** The promise's value, or a rejection that says what did not come in time. */
export async function inTime<T>(promise: Promise<T>, what: string, deadline = DEADLINE): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${deadline} ms`)), deadline);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
