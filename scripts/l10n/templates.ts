import type { Node } from 'oxc-parser';
import { importedFrom, type Place, type SourceFile, whereIs } from './syntax.ts';

/**
 * Every sentence that a program may ask a translation for: what stands behind `template:` in an object, and the first
 * argument of `l10n.t(…)`. Follows constants, tables, conditions and parameters to the literals they come from, also
 * into other files. Throws with the place where that is not possible, so that no sentence is missed silently.
 */
export function templatesIn(files: readonly SourceFile[]): ReadonlySet<string> {
  const search = new TemplateSearch(files);
  return new Set(files.flatMap(({ places }) => places).flatMap(place => search.templatesAt(place)));
}

class TemplateSearch {
  readonly #files: readonly SourceFile[];

  constructor(files: readonly SourceFile[]) {
    this.#files = files;
  }

  templatesAt(place: Place): readonly string[] {
    const { node } = place;
    if (node.type === 'Property' && nameOf(node.key) === 'template' && place.around[0]?.type === 'ObjectExpression') {
      return this.#textsOf(inside(place, node.value));
    }
    if (node.type === 'CallExpression' && isTranslate(node.callee)) {
      const [sentence] = node.arguments;
      // `l10n.t(message.template, …)` hands on a message that was found where it was written.
      const handsOn = sentence?.type === 'MemberExpression' && nameOf(sentence.property) === 'template';
      return sentence && !handsOn ? this.#textsOf(inside(place, sentence)) : [];
    }
    return [];
  }

  /** All texts that an expression can be. */
  #textsOf(place: Place): readonly string[] {
    const { node } = place;
    const follow = (...nodes: readonly Node[]) => nodes.flatMap(part => this.#textsOf(inside(place, part)));
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [node.value] : fail(place);
      case 'TemplateLiteral':
        return node.expressions.length === 0 ? node.quasis.map(({ value }) => value.cooked ?? '') : fail(place);
      case 'ConditionalExpression':
        return follow(node.consequent, node.alternate);
      case 'LogicalExpression':
        return follow(node.left, node.right);
      case 'BinaryExpression':
        return follow(node.left).flatMap(left => follow(node.right).map(right => left + right));
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
        return follow(node.expression);
      case 'ObjectExpression':
        return follow(...node.properties.map(member => (member.type === 'Property' ? member.value : member.argument)));
      case 'ArrayExpression':
        return follow(...node.elements.filter(element => element !== null));
      case 'MemberExpression':
        return this.#textsOfMember(place, node.object, node.computed ? undefined : nameOf(node.property));
      case 'Identifier':
        return this.#textsOfName(place, node.name);
      default:
        return fail(place);
    }
  }

  /** `TABLE.key` is that one text, `TABLE[key]` all of them. */
  #textsOfMember(place: Place, object: Node, key: string | undefined): readonly string[] {
    if (object.type !== 'Identifier') {
      return fail(place);
    }
    const tables = this.#valuesOf(place, object.name);
    return tables.flatMap(table => {
      const inner = withoutTypes(table.node);
      if (key === undefined || inner.type !== 'ObjectExpression') {
        return this.#textsOf(table);
      }
      const member = inner.properties.find(entry => entry.type === 'Property' && nameOf(entry.key) === key);
      return member?.type === 'Property' ? this.#textsOf(inside(table, member.value)) : fail(place);
    });
  }

  #textsOfName(place: Place, name: string): readonly string[] {
    return this.#valuesOf(place, name).flatMap(value => this.#textsOf(value));
  }

  /** The expressions that a name can stand for: what a constant is set to, or what calls hand over for a parameter. */
  #valuesOf(place: Place, name: string): readonly Place[] {
    for (const [depth, scope] of place.around.entries()) {
      if (isFunction(scope)) {
        const index = scope.params.findIndex(parameter => nameOf(parameter) === name);
        if (index >= 0) {
          return this.#argumentsOf(place, scope, place.around[depth + 1], index);
        }
      }
      if (isFunction(scope) || scope.type === 'Program') {
        const constants = place.file.places.filter(
          ({ around, node }) => declares(node, name) && scopeOf(around) === scope,
        );
        if (constants.length > 0) {
          return constants.flatMap(initialValue);
        }
      }
    }
    const source = importedFrom(place.file, name);
    const imported = this.#files
      .filter(({ path }) => path === source)
      .flatMap(({ places }) => places)
      .filter(({ node, around }) => declares(node, name) && scopeOf(around)?.type === 'Program');
    return imported.length > 0 ? imported.flatMap(initialValue) : fail(place);
  }

  #argumentsOf(place: Place, scope: Node, outer: Node | undefined, index: number): readonly Place[] {
    const name = functionName(scope, outer);
    if (name === undefined) {
      return fail(place);
    }
    const everywhere = isHandedOn(place.file, name);
    const given = this.#files
      .filter(
        file =>
          file === place.file ||
          importedFrom(file, name) === place.file.path ||
          // A file with a function of its own by that name calls that one.
          (everywhere && !file.places.some(({ node }) => isFunctionNamed(node, name))),
      )
      .flatMap(({ places }) => places)
      .flatMap(call => {
        const argument =
          call.node.type === 'CallExpression' && calledName(call.node.callee) === name
            ? call.node.arguments[index]
            : undefined;
        return argument ? [inside(call, argument)] : [];
      });
    return given.length > 0 ? given : fail(place);
  }
}

function fail(place: Place): never {
  throw new Error(
    `${whereIs(place)}: the sentence to translate cannot be found. Write it as a text, a constant or a table of texts.`,
  );
}

function inside({ file, node, around }: Place, inner: Node): Place {
  return { file, node: inner, around: [node, ...around] };
}

function initialValue(place: Place): readonly Place[] {
  return place.node.type === 'VariableDeclarator' && place.node.init ? [inside(place, place.node.init)] : fail(place);
}

/** Also of `const [name] = table`: which entry it is does not matter, for each is a sentence. */
function declares(node: Node, name: string): boolean {
  if (node.type !== 'VariableDeclarator') {
    return false;
  }
  return node.id.type === 'ArrayPattern'
    ? node.id.elements.some(element => element && nameOf(element) === name)
    : nameOf(node.id) === name;
}

/** Whether a function is given to others as a value, so that any file may call it. */
function isHandedOn(file: SourceFile, name: string): boolean {
  return file.places.some(({ node, around: [parent] }) => {
    const isArgument = parent?.type === 'CallExpression' && parent.callee !== node;
    const isMember = parent?.type === 'Property' && parent.value === node;
    return nameOf(node) === name && (isArgument || isMember);
  });
}

function isFunctionNamed(node: Node, name: string): boolean {
  return (node.type === 'FunctionDeclaration' && node.id?.name === name) || declares(node, name);
}

function functionName(scope: Node, outer: Node | undefined): string | undefined {
  if (scope.type === 'FunctionDeclaration') {
    return scope.id?.name;
  }
  return outer?.type === 'VariableDeclarator' ? nameOf(outer.id) : methodName(outer);
}

function scopeOf(around: readonly Node[]): Node | undefined {
  return around.find(node => isFunction(node) || node.type === 'Program');
}

function isFunction(node: Node): node is Extract<Node, { readonly params: readonly unknown[] }> {
  return (
    node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
  );
}

function withoutTypes(node: Node): Node {
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? withoutTypes(node.expression) : node;
}

/** The name of an identifier, a private name or a quoted key. */
function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') {
    return node.name;
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function methodName(node: Node | undefined): string | undefined {
  return node?.type === 'MethodDefinition' || node?.type === 'Property' ? nameOf(node.key) : undefined;
}

function calledName(callee: Node): string | undefined {
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee);
}

function isTranslate(callee: Node): boolean {
  return callee.type === 'MemberExpression' && nameOf(callee.object) === 'l10n' && nameOf(callee.property) === 't';
}
