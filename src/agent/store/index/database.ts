import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import initSqlJs, { type Database as SqlDatabase, type SqlValue, type Statement } from 'sql.js';

export type Value = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

/** SQLite in memory, with its statements kept ready. */
export interface Database {
  run(sql: string, ...values: readonly Value[]): void;
  all(sql: string, ...values: readonly Value[]): readonly Row[];
  first(sql: string, ...values: readonly Value[]): Row | undefined;
  /** Runs in a transaction, which is undone when it throws. Not to be nested. */
  transact(work: () => void): void;
  /** All bytes. Outside of transactions only: it would end them. */
  export(): Uint8Array;
  /** Bytes that its tables take. */
  size(): number;
  close(): void;
}

export type OpenDatabase = (bytes?: Uint8Array) => Database;

/** Loads SQLite. @param wasm where its code is; left out: beside the program, or in the package */
export async function loadSqlite(wasm: string = findWasm()): Promise<OpenDatabase> {
  const { buffer, byteOffset, byteLength } = await readFile(wasm);
  const wasmBinary = buffer.slice(byteOffset, byteOffset + byteLength);
  const { Database: Constructor } = await initSqlJs({ wasmBinary });
  return (bytes) => new Connection(new Constructor(bytes));
}

function findWasm(): string {
  const near = fileURLToPath(new URL('./sql-wasm.wasm', import.meta.url));
  return existsSync(near) ? near : createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
}

class Connection implements Database {
  readonly #database: SqlDatabase;
  readonly #statements = new Map<string, Statement>();
  #isInTransaction = false;

  constructor(database: SqlDatabase) {
    this.#database = database;
    this.#configure();
  }

  run(sql: string, ...values: readonly Value[]): void {
    this.#prepare(sql).run([...values]);
  }

  all(sql: string, ...values: readonly Value[]): readonly Row[] {
    const statement = this.#prepare(sql);
    const rows: Row[] = [];
    try {
      statement.bind([...values]);
      while (statement.step()) rows.push(statement.getAsObject());
    } finally {
      statement.reset();
    }
    return rows;
  }

  first(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.all(sql, ...values)[0];
  }

  transact(work: () => void): void {
    this.#database.run('BEGIN');
    this.#isInTransaction = true;
    try {
      work();
      this.#database.run('COMMIT');
    } catch (error) {
      this.#database.run('ROLLBACK');
      throw error;
    } finally {
      this.#isInTransaction = false;
    }
  }

  export(): Uint8Array {
    if (this.#isInTransaction) throw new Error('An index cannot be saved in the middle of a change.');
    this.#freeStatements();
    const bytes = this.#database.export();
    // It opens the database anew, without its settings.
    this.#configure();
    return bytes;
  }

  size(): number {
    const pages = number(this.first('PRAGMA page_count'), 'page_count');
    return (pages - number(this.first('PRAGMA freelist_count'), 'freelist_count')) * pageSize;
  }

  close(): void {
    this.#freeStatements();
    this.#database.close();
  }

  #configure(): void {
    this.#database.run(
      'PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-16000; PRAGMA secure_delete=ON',
    );
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #freeStatements(): void {
    for (const statement of this.#statements.values()) statement.free();
    this.#statements.clear();
  }
}

const pageSize = 4096;

export function number(row: Row | undefined, column: string): number {
  const value = row?.[column];
  return typeof value === 'number' ? value : 0;
}

export function text(row: Row | undefined, column: string): string {
  const value = row?.[column];
  return typeof value === 'string' ? value : '';
}
