import { pathToFileURL } from 'node:url';

/** Runs `main` when the file at `url` is the one that Node was started with. A failure is printed as a message, without a stack. */
export async function runAsScript(url: string, main: () => Promise<void>): Promise<void> {
  if (url !== pathToFileURL(process.argv[1] ?? '').href) return;
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
