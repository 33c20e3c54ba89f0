/** A session by its key, and one thing of it. */
export interface RowSubject {
  readonly session: string;
  readonly blockId?: string;
  readonly request?: number;
}

/** One row of a tree as plain data: models make them, and know no VS Code (specs/style.md, trees). */
export interface Row {
  /** Stays the same as long as it is the same thing, so that selection and expansion survive. */
  readonly id: string;
  readonly label: string;
  /** Beside the label, dimmer. */
  readonly description?: string;
  /** Plain text; what it says stands nowhere as markup. */
  readonly tooltip?: string;
  /** Asked when the tooltip is about to be seen, and shown in its place; absent where the tooltip says it all. */
  readonly details?: () => Promise<string | undefined>;
  /** A codicon's name, and a theme colour where the state needs one beside its icon and word. */
  readonly icon?: string;
  readonly color?: string;
  /** What a screen reader says; absent: label and description. */
  readonly spoken?: string;
  /** For menus: `block.active`, `request` … */
  readonly kind: string;
  /** The command of a click with its arguments: data of ours only. */
  readonly command?: { readonly command: string; readonly title: string; readonly arguments: readonly unknown[] };
  /** What its menu's commands are about. */
  readonly about?: RowSubject;
  /** Children are made when they are shown; absent: a leaf. */
  readonly children?: () => readonly Row[];
  readonly expanded?: boolean;
}
