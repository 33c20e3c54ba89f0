import type { Todo } from './todo.ts';

/** Keeps to-dos in memory, in the order in which they were added. */
export class TodoStore {
  readonly #todos = new Map<number, Todo>();
  #lastId = 0;

  all(): readonly Todo[] {
    return [...this.#todos.values()];
  }

  add(title: string): Todo {
    this.#lastId += 1;
    const todo = { id: this.#lastId, title, done: false };
    this.#todos.set(todo.id, todo);
    return todo;
  }

  /** Marks a to-do as done; undefined when there is none with this number. */
  finish(id: number): Todo | undefined {
    const todo = this.#todos.get(id);
    if (!todo) {
      return undefined;
    }
    const finished = { ...todo, done: true };
    this.#todos.set(id, finished);
    return finished;
  }

  remove(id: number): boolean {
    return this.#todos.delete(id);
  }
}
