import type { OutputFilter } from '../../host.ts';

/** Takes known secrets out of whatever is shown, kept or sent. */
export interface Redactor {
  /** From now on this value is a secret. What is too short to be a key is none: it would stand in ordinary texts. */
  learn(value: string | undefined): void;
  text(text: string): string;
  /** The same value when nothing in it is a secret; else a copy. For plain data, such as JSON has. */
  value<Value>(value: Value): Value;
  /** For a text that comes in pieces, in which a secret may lie across two of them. */
  filter(): OutputFilter;
}

const replacement = '[secret removed]';
const minimumLength = 8;

/** Knows no secret yet; what it learns it keeps in memory alone. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  const text = (whole: string) => {
    let clean = whole;
    for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, replacement);
    return clean;
  };
  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return hasAny(value, secrets);
    if (typeof value !== 'object' || value === null) return false;
    for (const [key, inner] of Object.entries(value)) if (isIn(inner) || hasAny(key, secrets)) return true;
    return false;
  };
  return {
    learn(value) {
      const secret = value?.trim() ?? '';
      if (secret.length >= minimumLength) secrets.add(secret);
    },
    text,
    value<Value>(value: Value): Value {
      if (secrets.size === 0 || !isIn(value)) return value;
      let json = JSON.stringify(value);
      for (const secret of secrets) json = json.replaceAll(JSON.stringify(secret).slice(1, -1), replacement);
      const clean: Value = JSON.parse(json);
      return clean;
    },
    filter: () => createFilter(text, () => Math.max(0, ...[...secrets].map(({ length }) => length))),
  };
}

function hasAny(text: string, secrets: ReadonlySet<string>): boolean {
  for (const secret of secrets) if (text.includes(secret)) return true;
  return false;
}

/** Holds back only an end with which a secret might begin. */
function createFilter(clean: (text: string) => string, longest: () => number): OutputFilter {
  let held = '';
  return {
    add(text) {
      const whole = clean(held + text);
      const keep = Math.min(whole.length, Math.max(0, longest() - 1));
      const end = whole.length - keep;
      const line = whole.lastIndexOf('\n');
      // Keys have no line ends, so whole lines need not wait.
      const cut = Math.max(end, line + 1);
      held = whole.slice(cut);
      return whole.slice(0, cut);
    },
    end() {
      const rest = clean(held);
      held = '';
      return rest;
    },
  };
}
