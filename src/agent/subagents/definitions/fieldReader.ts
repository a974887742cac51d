import type * as z from 'zod';
import { DefinitionFault } from './fault.ts';
import { type FieldName, fieldSchemas } from './fields.ts';
import type { FrontMatter } from './frontMatter.ts';

/** The fields of one file, checked as they are read. */
export type FieldReader = {
  has(name: string): boolean;
  /**
   * undefined for a field that is not there or empty
   * @throws DefinitionFault
   */
  read<Name extends FieldName>(name: Name): z.output<(typeof fieldSchemas)[Name]> | undefined;
  lineOf(name: string): number;
  warn(name: string, message: string): void;
  fault(name: string, message: string): DefinitionFault;
};

export function createFieldReader(
  { fields }: Pick<FrontMatter, 'fields'>,
  warn: (line: number, message: string) => void,
): FieldReader {
  const lineOf = (name: string) => fields.get(name)?.line ?? 1;

  function read<Name extends FieldName>(name: Name): z.output<(typeof fieldSchemas)[Name]> | undefined;
  function read(name: FieldName): unknown {
    const field = fields.get(name);
    if (field === undefined || field.value === null || field.value === undefined) return undefined;
    const parsed = fieldSchemas[name].safeParse(field.value);
    if (parsed.success) return parsed.data;
    throw new DefinitionFault(field.line, `${name} ${parsed.error.issues[0]?.message ?? 'cannot be used'}.`);
  }

  return {
    has: (name) => fields.has(name),
    read,
    lineOf,
    warn: (name, message) => warn(lineOf(name), message),
    fault: (name, message) => new DefinitionFault(lineOf(name), message),
  };
}
