/** What a definition looks like, by language. The patterns are read by ripgrep and by JavaScript alike. */

export type Language = {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly definition: string;
  readonly isDocument?: boolean;
};

const modifiers =
  '(?:(?:pub(?:\\([a-z]+\\))?|public|protected|private|internal|open|abstract|final|static|sealed|data|override|suspend|partial|async|unsafe|const|extern|inline|virtual) +)*';

/** Short, because people see it on the cards. */
const script: Omit<Language, 'name' | 'extensions'> = {
  definition: [
    '^(export )?(default |declare |abstract |async )*(function|class|interface|type|enum|namespace)\\b',
    '^export (const|let|var) ',
    '^(const|let|var) [\\w$]+ = (async )?(function|\\(.*=>)',
    '^[\\w$]+(\\.[\\w$]+)+ *= ',
    '^(app|router|server)\\.(get|post|put|patch|delete)\\(',
  ].join('|'),
};

export const languages: readonly Language[] = [
  { name: 'TypeScript', extensions: ['ts', 'tsx', 'mts', 'cts'], ...script },
  { name: 'JavaScript', extensions: ['js', 'jsx', 'mjs', 'cjs'], ...script },
  { name: 'Vue', extensions: ['vue'], ...script },
  { name: 'Svelte', extensions: ['svelte'], ...script },
  {
    name: 'Python',
    extensions: ['py', 'pyi'],
    definition: '^(?:async +def|def|class) +[^ (:]|^ *@[A-Za-z_.]+\\.(?:route|get|post|put|patch|delete|command)\\(',
  },
  { name: 'Go', extensions: ['go'], definition: '^func +(?:\\([^)]*\\) +)?[A-Za-z_]|^type +[A-Za-z_]' },
  {
    name: 'Rust',
    extensions: ['rs'],
    definition: `^ {0,4}${modifiers}(?:fn|struct|enum|trait|type|mod|union) +[A-Za-z_]|^macro_rules! +[A-Za-z_]`,
  },
  ...curly('Java', ['java']),
  ...curly('Kotlin', ['kt', 'kts']),
  ...curly('C#', ['cs']),
  ...curly('Swift', ['swift']),
  ...curly('Scala', ['scala']),
  ...curly('Dart', ['dart']),
  ...curly('PHP', ['php']),
  ...native('C', ['c', 'h']),
  ...native('C++', ['cc', 'cpp', 'cxx', 'hpp', 'hh']),
  { name: 'Ruby', extensions: ['rb', 'rake'], definition: '^ {0,4}(?:class|module|def) +[A-Za-z_]' },
  { name: 'Elixir', extensions: ['ex', 'exs'], definition: '^ *(?:defmodule|defp?|defmacro) +[A-Za-z_]' },
  { name: 'Lua', extensions: ['lua'], definition: '^(?:local +)?function +[A-Za-z_]' },
  { name: 'Shell', extensions: ['sh', 'bash', 'zsh'], definition: '^(?:function +)?[A-Za-z_][A-Za-z0-9_-]* *\\(\\)' },
  {
    name: 'SQL',
    extensions: ['sql'],
    definition: '^(?:CREATE|create) +(?:TABLE|VIEW|FUNCTION|table|view|function) +[^ ]',
  },
  { name: 'Protocol Buffers', extensions: ['proto'], definition: '^ *(?:message|service|enum|rpc) +[A-Za-z_]' },
  { name: 'CSS', extensions: ['css', 'scss', 'less'], definition: '', isDocument: true },
  { name: 'Markdown', extensions: ['md', 'mdx', 'markdown'], definition: '^#{1,3} +[^ ]', isDocument: true },
];

function curly(name: string, extensions: readonly string[]): readonly Language[] {
  const types =
    'class|interface|enum|record|struct|object|protocol|trait|extension|mixin|namespace|fun|func|function|def';
  return [{ name, extensions, definition: `^ {0,4}${modifiers}(?:${types}) +[A-Za-z_]` }];
}

function native(name: string, extensions: readonly string[]): readonly Language[] {
  const declaration = '^(?:class|struct|enum|union|namespace|typedef +struct) +[A-Za-z_]|^#define +[A-Z_]+\\(';
  return [
    {
      name,
      extensions,
      definition: `${declaration}|^[A-Za-z_][A-Za-z0-9_:<>*& ]* [*&]*[A-Za-z_][A-Za-z0-9_:~]*\\([^;]*$`,
    },
  ];
}

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((name) => [name, language] as const)),
);

export function languageOf(path: string): Language | undefined {
  return byExtension.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
}

export function isCode(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && language.isDocument !== true && !/\.min\.\w+$/.test(path);
}

export function isTest(path: string): boolean {
  return /(^|\/)(tests?|__tests__|specs?|fixtures?|testdata|examples?|benchmarks?)\/|[._-](test|spec)s?\.\w+$|(^|\/)test_[^/]*$/i.test(
    path,
  );
}

/** The name that a line defines, or undefined when it defines none in the language of its file. */
export function definitionName(path: string, text: string): string | undefined {
  const language = languageOf(path);
  if (language === undefined || language.definition === '') return undefined;
  if (!new RegExp(language.definition).test(text)) return undefined;
  if (language.isDocument === true)
    return text
      .replace(/^#+\s*/, '')
      .replace(/[`*]|\s*#+$/g, '')
      .trim();
  const line = text.trim();
  const route = /\.(get|post|put|patch|delete|route|command)\s*\(\s*['"`]([^'"`]*)/.exec(line);
  if (route !== null) return `${(route[1] ?? '').toUpperCase()} ${route[2]}`.trim();
  const method = /^func\s+\(\s*(?:\w+\s+)?\*?(\w+)[^)]*\)\s*(\w+)/.exec(line);
  if (method !== null) return `${method[1]}.${method[2]}`;
  const assigned = /^((?:[\w$]+\.)+[\w$]+)\s*=/.exec(line);
  if (assigned?.[1] !== undefined) return assigned[1];
  const keyword =
    /(?:^|\s)(?:function\*?|class|interface|type|enum|namespace|const|let|var|def|fn|func|fun|struct|trait|mod|module|object|record|protocol|extension|mixin|union|macro_rules!|defmodule|defp|defmacro|message|service|rpc|TABLE|VIEW|FUNCTION|table|view|#define)\s+([\p{L}_$][\p{L}\p{N}_$.?!]*)/u.exec(
      line,
    );
  if (keyword?.[1] !== undefined) return keyword[1].replace(/[.]$/, '');
  return /([A-Za-z_][\w:~]*)\s*\(/.exec(line)?.[1] ?? /^[.:@]?[\w-]+/.exec(line)?.[0];
}
