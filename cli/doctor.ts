import { homedir } from 'node:os';
import type { Command } from 'commander';
import { folders } from '../local/folders.ts';
import { readUserConfig } from '../local/userConfig.ts';
import { product } from '../protocol/product.ts';
import { complain, EXIT, workingFolder } from './command.ts';
import { agentsSection, hasPi } from './doctor/agents.ts';
import { budgetSection } from './doctor/budget.ts';
import { configSection } from './doctor/config.ts';
import type { Finding, Section } from './doctor/finding.ts';
import { foldersSection } from './doctor/folders.ts';
import { logsSection } from './doctor/logs.ts';
import { wasUsed } from './doctor/piFiles.ts';
import { runningSection } from './doctor/running.ts';
import { sourcesSection } from './doctor/sources.ts';
import { reasonOf } from './failure.ts';
import { printable } from './printable.ts';
import { outputStyle, type Style } from './style.ts';
import { amount } from './words.ts';

const HELP = `
Nothing is started and nothing is changed, but for what --fix says.

Exit code: 0; 1 when something needs mending; 2 when doctor itself could not work.`;

/** Adds `doctor`. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('look whether everything is in order here')
    .description('Say which agents and context sources are here, and what is wrong with folders, logs and sessions.')
    .option('--fix', 'remove what sessions that are gone have announced')
    .addHelpText('after', HELP)
    .action(async ({ fix = false }: { readonly fix?: boolean }) => {
      try {
        process.exitCode = await runDoctor(fix);
      } catch (error) {
        complain('doctor', reasonOf(error));
        process.exitCode = EXIT.unreadable;
      }
    });
}

async function runDoctor(fix: boolean): Promise<number> {
  const { env, execPath } = process;
  const cwd = workingFolder() ?? '/';
  const place = folders();
  const settings = readUserConfig(place.configFile);
  const home = homedir();
  const agents = { cwd, env, execPath };
  const usesPi = hasPi(agents) || (await wasUsed({ env, home, sessions: place.sessions }));
  const sections = [
    agentsSection(agents),
    sourcesSection({ cwd, env, home, config: settings.config, usesPi }),
    configSection(place.configFile, settings),
    budgetSection(settings, place),
    foldersSection(place),
    await runningSection(place, fix),
    await logsSection(place),
  ].flatMap(section => section ?? []);
  const style = outputStyle();
  const head = `${product.displayName} ${product.version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  process.stdout.write(
    `${[style('bold', head), ...sections.flatMap(section => sectionLines(section, style))].join('\n')}\n`,
  );
  const problems = sections.flatMap(({ findings }) => findings).filter(({ level }) => level === 'problem').length;
  process.stdout.write(`\n${summary(problems, style)}\n`);
  return problems > 0 ? EXIT.problems : EXIT.clean;
}

function summary(problems: number, style: Style): string {
  return problems === 0
    ? style('green', 'The set-up needs no mending.')
    : style('red', `${amount(problems, 'thing')} ${problems === 1 ? 'needs' : 'need'} mending.`);
}

const MARKS = {
  ok: ['green', 'ok'],
  note: ['cyan', '--'],
  problem: ['red', '!!'],
} as const satisfies Record<Finding['level'], readonly [Parameters<Style>[0], string]>;

function sectionLines({ title, findings }: Section, style: Style): readonly string[] {
  return ['', style('bold', title), ...findings.flatMap(finding => findingLines(finding, style))];
}

function findingLines({ level, text, more = [] }: Finding, style: Style): readonly string[] {
  const [colour, mark] = MARKS[level];
  return [`  ${style(colour, mark)}  ${printable(text)}`, ...more.map(line => `        ${printable(line)}`)];
}
