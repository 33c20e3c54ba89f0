import { type GatewayOptions, type RunningGateway, startGateway } from '../../adapter/gateway/startGateway.ts';
import { folders } from '../../local/folders.ts';
import { readUserConfig } from '../../local/userConfig.ts';
import { complain, workingFolder } from '../command.ts';
import { reasonOf } from '../failure.ts';
import { namedSources } from './contextFiles.ts';
import { type GatewayFlags, GatewayRefusal, type GatewaySettings, gatewaySettings } from './settings.ts';

export interface Started {
  readonly gateway: RunningGateway;
  readonly settings: GatewaySettings;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of config.json and of the flags, in load order. */
  readonly sources: readonly string[];
}

export interface StartNeeds extends Pick<GatewayOptions, 'notice' | 'hasHook'> {
  /** Why it should not start with these settings after all: a sentence each, none for no objection. */
  readonly objections?: (settings: GatewaySettings) => readonly string[];
}

/** Starts a gateway as flags and config.json say. Absent where it cannot start; standard error says why. */
export async function startFromFlags(
  flags: GatewayFlags,
  { objections = () => [], ...needs }: StartNeeds,
): Promise<Started | undefined> {
  try {
    const cwd = workingFolder() ?? '/';
    const { config, problems } = readUserConfig(folders().configFile);
    const settings = gatewaySettings(flags, { gateway: config.gateway, problems });
    const sentences = objections(settings);
    if (sentences.length > 0) {
      throw new GatewayRefusal(sentences);
    }
    for (const problem of problems) {
      complain('gateway', problem);
    }
    const { paths, failures } = namedSources(flags.source ?? [], cwd);
    if (failures.length > 0) {
      throw new GatewayRefusal(failures.map(({ path, reason }) => `The source ${path} cannot be loaded: ${reason}`));
    }
    const { upstreams, onFailure } = settings;
    const gateway = await startGateway({ ...needs, port: flags.port, upstreams, sources: paths, onFailure, cwd });
    return { gateway, settings, cwd, env: process.env, sources: [...config.sources, ...paths] };
  } catch (error) {
    for (const sentence of error instanceof GatewayRefusal ? error.sentences : [reasonOf(error)]) {
      complain('gateway', sentence);
    }
    return undefined;
  }
}
