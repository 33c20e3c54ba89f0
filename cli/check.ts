import { type Command, Option } from 'commander';
import { type CheckResult, checkFiles } from './checkFiles.ts';
import { countOf, type Loudness, type Report, reportOf } from './checkReport.ts';
import { complain, EXIT, readStdin, workingFolder } from './command.ts';
import { githubFormat } from './formats/githubFormat.ts';
import { jsonFormat } from './formats/jsonFormat.ts';
import { sarifFormat } from './formats/sarifFormat.ts';
import { textFormat } from './formats/textFormat.ts';
import { Progress } from './progress.ts';
import { repairPreview } from './repairPreview.ts';
import { showsColour } from './style.ts';
import { amount } from './words.ts';

/** The formats of `--format`; `colour` says whether standard output shows colours. */
const FORMATS = {
  text: (report: Report) => textFormat(report, showsColour()),
  json: jsonFormat,
  sarif: (report: Report) => sarifFormat(report, process.cwd()),
  github: githubFormat,
} as const;

/** From quiet to loud. */
const LEVELS: readonly Loudness[] = ['note', 'warning', 'error'];

interface Flags {
  readonly format: keyof typeof FORMATS;
  readonly failOn: Loudness;
  readonly fix?: true;
  readonly dryRun?: true;
  readonly stdinFilename?: string;
}

const HELP = `
Folders are searched for Markdown files (.md, .markdown, .mdc) and context sources; what .gitignore names, .git,
node_modules and symbolic links are left out. Quote globs, so that your shell leaves them alone. "-" is standard input.

Exit code: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong usage or something could not be read.`;

/** Adds `check [paths...]`. */
export function addCheckCommand(program: Command): void {
  const check = program
    .command('check')
    .summary('report what is wrong with tag lines')
    .description('Check Markdown files for tag lines that do not do what they look like.')
    .argument('[paths...]', 'files, folders or globs; "-" for standard input (default: the current folder)')
    .addOption(new Option('--format <format>', 'form of the report').choices(Object.keys(FORMATS)).default('text'))
    .addOption(
      new Option('--fail-on <severity>', 'lowest severity that makes the exit code 1')
        .choices(LEVELS)
        .default('warning'),
    )
    .option('--fix', 'make the repairs after which a line can mean one tag only, such as blanks around it')
    .option('--dry-run', 'with --fix: print what would change and write nothing')
    .option('--stdin-filename <path>', 'the path that "-" stands for')
    .addHelpText('after', HELP);
  check.action(async (paths: string[], flags: Flags) => {
    const fromStdin = paths.includes('-');
    if (flags.dryRun && !flags.fix) {
      check.error('error: --dry-run goes with --fix');
    }
    if (flags.stdinFilename !== undefined && !fromStdin) {
      check.error('error: --stdin-filename goes with "-"');
    }
    if (flags.fix && fromStdin) {
      check.error('error: --fix cannot repair standard input');
    }
    process.exitCode = await runCheck(
      paths.filter(path => path !== '-'),
      flags,
      fromStdin,
    );
  });
}

async function runCheck(names: readonly string[], flags: Flags, fromStdin: boolean): Promise<number> {
  const cwd = workingFolder();
  if (cwd === undefined) {
    complain('.', 'The working folder is gone.');
    return EXIT.unreadable;
  }
  const progress = new Progress(process.stderr, Date.now);
  const result = await checkFiles({
    cwd,
    names,
    ...(fromStdin && { stdin: { name: flags.stdinFilename, read: readStdin } }),
    repair: flags.fix ? (flags.dryRun ? 'preview' : 'write') : 'none',
    onFile: () => progress.step(),
  });
  progress.end();
  const report = reportOf(result);
  process.stdout.write(flags.dryRun ? previewOf(result) : FORMATS[flags.format](report));
  for (const { path, reason } of report.failures) {
    complain(path, reason);
  }
  if (flags.dryRun) {
    process.stderr.write(`${amount(report.repaired, 'file')} would be repaired; ${leftOver(report)}\n`);
  }
  if (report.failures.length > 0) {
    return EXIT.unreadable;
  }
  const counts = LEVELS.slice(LEVELS.indexOf(flags.failOn)).map(level => countOf(report, level));
  const wouldChange = flags.dryRun && report.repaired > 0;
  return wouldChange || counts.some(count => count > 0) ? EXIT.problems : EXIT.clean;
}

function previewOf({ repaired }: CheckResult): string {
  return repaired.map(repairPreview).join('');
}

function leftOver({ findings }: Report): string {
  return findings.length === 0 ? 'nothing would be left.' : `${amount(findings.length, 'finding')} would be left.`;
}
