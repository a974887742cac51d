/** What makes a file unusable. */
export class DefinitionFault extends Error {
  /** 1-based. */
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
