import type { Settings } from '../../test/host/profile.ts';

/** What a person sees first: the sample's README, whose links lead to the files as they are. A preview shows no tags. */
export const startSettings: Settings = {
  'workbench.startupEditor': 'readme',
  'markdown.preview.openMarkdownLinks': 'inEditor',
};
