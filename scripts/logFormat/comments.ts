import { type Node, parseSync } from 'oxc-parser';

/** A node, and the file that it stands in. */
interface Spot {
  readonly file: ShapeFile;
  readonly node: Node;
}

interface ShapeFile {
  /** What a constant is set to. */
  readonly constants: ReadonlyMap<string, Node>;
  /** The doc comment that stands before an offset, with nothing but blanks between. */
  commentBefore(offset: number): string | undefined;
}

/** Calls whose argument has the members of what they make. */
const WRAPPERS: ReadonlySet<string> = new Set(['record', 'maybe', 'list']);

/**
 * The doc comments on the members of shapes, by constant and path: `sizes.total`, `vocabulary.block/activated.line`,
 * `vocabulary.source/loaded.problems[].code`. Constants are followed, spread ones and those of the other texts too.
 */
export function shapeComments(texts: readonly string[]): ReadonlyMap<string, string> {
  const files = texts.map(readFile);
  const comments = new Map<string, string>();
  const constant = (name: string): Spot | undefined => {
    const file = files.find(({ constants }) => constants.has(name));
    const node = file?.constants.get(name);
    return file && node && { file, node };
  };
  const visit = ({ file, node }: Spot, path: string): void => {
    if (node.type === 'ObjectExpression') {
      for (const member of node.properties) {
        if (member.type === 'SpreadElement') {
          visit({ file, node: member.argument }, path);
          continue;
        }
        const inner = `${path}.${nameOf(member.key)}`;
        const comment = file.commentBefore(member.start);
        if (comment !== undefined) {
          comments.set(inner, comment);
        }
        visit({ file, node: member.value }, inner);
      }
    } else if (node.type === 'TSAsExpression') {
      visit({ file, node: node.expression }, path);
    } else if (node.type === 'Identifier') {
      const value = constant(node.name);
      if (value) {
        visit(value, path);
      }
    } else if (node.type === 'CallExpression' && WRAPPERS.has(nameOf(node.callee))) {
      const [argument] = node.arguments;
      if (argument) {
        visit({ file, node: argument }, nameOf(node.callee) === 'list' ? `${path}[]` : path);
      }
    }
  };
  for (const file of files) {
    for (const [name, node] of file.constants) {
      visit({ file, node }, name);
    }
  }
  return comments;
}

function readFile(text: string): ShapeFile {
  const { program, comments } = parseSync('shapes.ts', text);
  const constants = new Map<string, Node>();
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations) {
        if (init) {
          constants.set(nameOf(id), init);
        }
      }
    }
  }
  return {
    constants,
    commentBefore(offset) {
      const comment = comments.findLast(({ end }) => end <= offset);
      return comment?.value.startsWith('*') && text.slice(comment.end, offset).trim() === ''
        ? plainText(comment.value)
        : undefined;
    },
  };
}

/** Of an identifier or a quoted key; `""` for anything else. */
function nameOf(node: Node): string {
  if (node.type === 'Identifier') {
    return node.name;
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';
}

/** A doc comment without its stars, in one line. */
function plainText(comment: string): string {
  return comment
    .replaceAll(/^[ \t]*\*+/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
