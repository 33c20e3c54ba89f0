import { EventEmitter, LogLevel, type LogOutputChannel, window, workspace } from 'vscode';
import { product } from '../protocol/product.ts';
import { SECTION } from './names.ts';

/**
 * The channel of the protocol trace. It exists in the Output panel only once something was traced, and its level
 * follows the setting `contextLifecycle.trace.server`, because the language client traces by a channel's level.
 */
export class TraceChannel implements LogOutputChannel {
  readonly name = `${product.displayName} Trace`;
  readonly #levelChanged = new EventEmitter<LogLevel>();
  readonly #settings = workspace.onDidChangeConfiguration(change => {
    if (change.affectsConfiguration(`${SECTION}.trace.server`)) {
      this.#levelChanged.fire(this.logLevel);
    }
  });
  #channel: LogOutputChannel | undefined;

  readonly onDidChangeLogLevel = this.#levelChanged.event;

  get logLevel(): LogLevel {
    const verbosity = workspace.getConfiguration(SECTION).get<string>('trace.server', 'off');
    return verbosity === 'off' ? LogLevel.Info : LogLevel.Trace;
  }

  trace(message: string, ...values: unknown[]): void {
    // As information: the real channel's own level would hide traces.
    this.#real.info(message, ...values);
  }

  debug(message: string, ...values: unknown[]): void {
    this.#real.info(message, ...values);
  }

  info(message: string, ...values: unknown[]): void {
    this.#real.info(message, ...values);
  }

  warn(message: string, ...values: unknown[]): void {
    this.#real.warn(message, ...values);
  }

  error(message: string | Error, ...values: unknown[]): void {
    this.#real.error(message, ...values);
  }

  append(value: string): void {
    this.#real.append(value);
  }

  appendLine(value: string): void {
    this.#real.appendLine(value);
  }

  replace(value: string): void {
    this.#real.replace(value);
  }

  clear(): void {
    this.#channel?.clear();
  }

  show(): void {
    this.#real.show(true);
  }

  hide(): void {
    this.#channel?.hide();
  }

  dispose(): void {
    this.#settings.dispose();
    this.#levelChanged.dispose();
    this.#channel?.dispose();
  }

  get #real(): LogOutputChannel {
    this.#channel ??= window.createOutputChannel(this.name, { log: true });
    return this.#channel;
  }
}
