const tasks: (() => void)[] = [];
/** How often to look whether the process that started this one is still there. */
const parentCheckMilliseconds = 1000;

/**
 * Runs `task` when this process ends, by itself, by a signal (SIGKILL excepted) or because the process that started it is
 * gone. Tasks are synchronous; the last one added runs first, and one that throws keeps no other from running. Returns a function that forgets the task.
 */
export function atEnd(task: () => void): () => void {
  watchEnd();
  tasks.push(task);
  return () => {
    const index = tasks.indexOf(task);
    if (index >= 0) tasks.splice(index, 1);
  };
}

let watching = false;

function watchEnd(): void {
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const task of tasks.reverse()) runEvenWhenItFails(task);
  });
  // by default a signal ends a process without its 'exit' event
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, parentCheckMilliseconds).unref();
}

function runEvenWhenItFails(task: () => void): void {
  try {
    task();
  } catch (error) {
    console.error(`Cleaning up failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
