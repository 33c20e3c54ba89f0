import { anyPathMatcher } from './globs.ts';
import type { PlacedDeclaration, Project, SourceSummary } from './project.ts';
import type { Rules } from './rules.ts';
import { loadOrderKey, sourceMatcher } from './sources.ts';

/**
 * Puts the files of one folder together. Files that no glob of `sources` names, or that `exclude` names, are left out.
 * Nothing is sorted or joined before somebody asks, so that rebuilding after each change stays cheap.
 */
export function buildProject(summaries: readonly SourceSummary[], rules: Rules): Project {
  const excluded = anyPathMatcher(rules.exclude);
  const matcher = sourceMatcher(rules.sources);
  const sources = summaries.filter(({ path }) => matcher.order(path) !== undefined && !excluded(path));
  return new LazyProject(sources, rules.sources);
}

/** By ID, in load order. */
type Places = ReadonlyMap<string, readonly PlacedDeclaration[]>;

class LazyProject implements Project {
  readonly #unsorted: readonly SourceSummary[];
  readonly #globs: readonly string[];
  #sources: readonly SourceSummary[] | undefined;
  #uris: ReadonlySet<string> | undefined;
  #definedIds: ReadonlySet<string> | undefined;
  #places: Places | undefined;
  #definitions: Places | undefined;

  constructor(sources: readonly SourceSummary[], globs: readonly string[]) {
    this.#unsorted = sources;
    this.#globs = globs;
  }

  get sources(): readonly SourceSummary[] {
    this.#sources ??= inLoadOrder(this.#unsorted, this.#globs);
    return this.#sources;
  }

  inLoadOrder(wanted: (source: SourceSummary) => boolean): readonly SourceSummary[] {
    return inLoadOrder(this.#unsorted.filter(wanted), this.#globs);
  }

  get definedIds(): ReadonlySet<string> {
    this.#definedIds ??= new Set(this.#allDefinitions().keys());
    return this.#definedIds;
  }

  definitionsOf(id: string): readonly PlacedDeclaration[] {
    return this.#allDefinitions().get(id) ?? [];
  }

  placesOf(id: string): readonly PlacedDeclaration[] {
    return this.#allPlaces().get(id) ?? [];
  }

  isSource(uri: string): boolean {
    this.#uris ??= new Set(this.#unsorted.map(source => source.uri));
    return this.#uris.has(uri);
  }

  #allPlaces(): Places {
    this.#places ??= placesById(this.#unsorted, this.#globs);
    return this.#places;
  }

  #allDefinitions(): Places {
    this.#definitions ??= new Map(
      [...this.#allPlaces()]
        .map(([id, places]) => [id, places.filter(({ declaration }) => declaration.valid)] as const)
        .filter(([, definitions]) => definitions.length > 0),
    );
    return this.#definitions;
  }
}

function placesById(sources: readonly SourceSummary[], globs: readonly string[]): Places {
  const places = new Map<string, PlacedDeclaration[]>();
  const speaking = sources.filter(({ declarations }) => declarations.length > 0);
  for (const source of inLoadOrder(speaking, globs)) {
    for (const declaration of source.declarations) {
      if (declaration.kind !== 'ephemeral') {
        const known = places.get(declaration.id);
        if (known) {
          known.push({ source, declaration });
        } else {
          places.set(declaration.id, [{ source, declaration }]);
        }
      }
    }
  }
  return places;
}

/** A key is made once for each file as it was read, and a project is built anew after each change. */
const keys = new WeakMap<SourceSummary, string>();

function keyOf(source: SourceSummary): string {
  let key = keys.get(source);
  if (key === undefined) {
    key = loadOrderKey(source.path);
    keys.set(source, key);
  }
  return key;
}

function inLoadOrder(sources: readonly SourceSummary[], globs: readonly string[]): readonly SourceSummary[] {
  const matcher = sourceMatcher(globs);
  return sources
    .map(source => ({ source, order: matcher.order(source.path) ?? globs.length, key: keyOf(source) }))
    .sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ source }) => source);
}
