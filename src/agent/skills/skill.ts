/** Instructions for a kind of work, in a folder of their own with whatever they need. */
export type Skill = {
  readonly name: string;
  /** When to use it. */
  readonly description: string;
  /** Absolute: its SKILL.md. */
  readonly file: string;
  /** Absolute: where the files lie that it speaks of. */
  readonly directory: string;
};

export function findSkill(skills: readonly Skill[], name: string): Skill | undefined {
  return skills.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
}
