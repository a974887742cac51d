import { type Signal, signal } from '@preact/signals';

const chunkSize = 32;

export type Chunk<Value> = Signal<readonly Value[]>;
/** Of a part that was put in front. */
export type EarlierChunk<Value> = { readonly key: string; readonly chunk: Chunk<Value> };

/**
 * A growing list that is drawn in chunks. Adding a value touches one chunk, so neither the reducer nor the page does work
 * that grows with what is there already. All chunks but the last are full. `earlier` stands before them and does not count.
 */
export type List<Value> = {
  readonly chunks: Signal<readonly Chunk<Value>[]>;
  readonly earlier: Signal<readonly EarlierChunk<Value>[]>;
  length: number;
};

export function createList<Value>(): List<Value> {
  return { chunks: signal([]), earlier: signal([]), length: 0 };
}

export function append<Value>(list: List<Value>, value: Value): void {
  const last = list.chunks.peek().at(-1);
  if (last && last.peek().length < chunkSize) last.value = [...last.peek(), value];
  else list.chunks.value = [...list.chunks.peek(), signal([value])];
  list.length += 1;
}

/** The values from an index on. */
export function valuesFrom<Value>(list: List<Value>, index: number): readonly Value[] {
  const first = Math.floor(index / chunkSize);
  const values = list.chunks
    .peek()
    .slice(first)
    .flatMap((chunk) => chunk.peek());
  return values.slice(index - first * chunkSize);
}

export function lastOf<Value>(list: List<Value>): Value | undefined {
  return list.chunks.peek().at(-1)?.peek().at(-1);
}

/** Puts `values` in the place of everything from an index on; chunks that stay the same are not touched. */
export function replaceFrom<Value>(list: List<Value>, index: number, values: readonly Value[]): void {
  const first = Math.floor(index / chunkSize);
  const chunks = list.chunks.peek();
  const kept = chunks[first]?.peek().slice(0, index - first * chunkSize) ?? [];
  const tail = [...kept, ...values];
  const next: Chunk<Value>[] = [];
  for (let start = 0; start < tail.length; start += chunkSize) {
    const part = tail.slice(start, start + chunkSize);
    const chunk = chunks[first + next.length];
    if (chunk && !isEqual(chunk.peek(), part)) chunk.value = part;
    next.push(chunk ?? signal(part));
  }
  if (first + next.length !== chunks.length) list.chunks.value = [...chunks.slice(0, first), ...next];
  list.length = index + values.length;
}

function isEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
