import { runTool } from './build/tools.ts';

// Biome's linter is off: this formats and sorts imports, and nothing else.
const { exitCode, output } = await runTool('@biomejs/biome', ['check', '--write', '--colors=off'], 'biome');
console.log(output.trimEnd());
process.exitCode = exitCode;
