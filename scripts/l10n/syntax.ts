import { posix } from 'node:path';
import { type Node, parseSync } from 'oxc-parser';

/** A node of a syntax tree with the nodes around it, innermost first. */
export interface Place {
  readonly file: SourceFile;
  readonly node: Node;
  readonly around: readonly Node[];
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Every node of the file, in the order of the text. */
  readonly places: readonly Place[];
}

/** Reads a TypeScript file. Throws when it is none. */
export function parseFile(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) {
    throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  }
  const places: Place[] = [];
  const file: SourceFile = { path, text, places };
  const visit = (node: Node, around: readonly Node[]): void => {
    places.push({ file, node, around });
    for (const child of childrenOf(node)) {
      visit(child, [node, ...around]);
    }
  };
  visit(program, []);
  return file;
}

/** `path:line` of a node, for messages. */
export function whereIs({ file, node }: Place): string {
  return `${file.path}:${file.text.slice(0, node.start).split('\n').length}`;
}

/** The path of the file that `name` is imported from; undefined when it is not imported from one of ours. */
export function importedFrom(file: SourceFile, name: string): string | undefined {
  for (const { node } of file.places) {
    if (node.type === 'ImportDeclaration' && node.specifiers.some(({ local }) => local.name === name)) {
      const { value } = node.source;
      return value.startsWith('.') ? posix.join(posix.dirname(file.path), value) : undefined;
    }
  }
  return undefined;
}

function childrenOf(node: Node): readonly Node[] {
  const values: readonly unknown[] = Object.values(node);
  return values.flatMap(value => (Array.isArray(value) ? (value as readonly unknown[]) : [value])).filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
