import type { ToolResult } from '../tools/tool.ts';
import type { Receipt } from './events.ts';

/** What an agent did, as the harness saw it. */
export class Tally {
  #calls = 0;
  readonly #filesRead = new Set<string>();
  readonly #filesChanged = new Set<string>();
  readonly #commands: Receipt['commands'][number][] = [];

  countCall(): void {
    this.#calls += 1;
  }

  countResult({ filesRead = [], command }: ToolResult): void {
    for (const path of filesRead) this.#filesRead.add(path);
    if (command) this.#commands.push(command);
  }

  countChange(path: string): void {
    this.#filesChanged.add(path);
  }

  get facts(): Pick<Receipt, 'calls' | 'filesRead' | 'filesChanged' | 'commands'> {
    return {
      calls: this.#calls,
      filesRead: [...this.#filesRead],
      filesChanged: [...this.#filesChanged],
      commands: [...this.#commands],
    };
  }
}
