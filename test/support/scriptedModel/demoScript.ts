import type { Answer, AnswerBlock, ResultView, Script, ScriptedRequest } from './answer.ts';

type Area = { readonly name: string; readonly glob: string; readonly pattern: string };

const areas: readonly Area[] = [
  { name: 'entry points', glob: '**/*.{ts,js,mjs,json}', pattern: 'main|export default|module\\.exports' },
  { name: 'data flow', glob: '**/*.{ts,js,mjs}', pattern: 'function |=> \\{|class ' },
  { name: 'tests', glob: '**/*{test,spec}*', pattern: 'describe\\(|it\\(|test\\(|assert' },
];

const text = (value: string): AnswerBlock => ({ type: 'text', text: value });
const call = (name: string, input: Readonly<Record<string, unknown>>): AnswerBlock => ({
  type: 'tool_use',
  name,
  input,
});
const say = (...blocks: readonly AnswerBlock[]): Answer => ({ blocks, chunkMs: 5 });

/**
 * Plays every part by what the prompt asks for: `[explore]`, `[bash: CMD]`, `[edit: FILE | OLD | NEW]`,
 * `[write: FILE | TEXT]`, `[ask: QUESTION | A | B]`, `[delegate: TYPE | PROMPT]`, `[think]`, `[slow]`. `\n` in a text is
 * a line end. Anything else is echoed in markdown.
 */
export const demoScript: Script = (request) => {
  const { prompt } = request;
  const area = areas.find(({ name }) => prompt.includes(childPrompt(name)));
  if (area) return exploreArea(area, request);
  const delegation = /\[delegate: ([^|\]]+)\|([\s\S]*)\]/.exec(prompt);
  if (delegation) return delegate(delegation[1] ?? '', delegation[2] ?? '', request);
  if (/\[explore\]|\bexplore\b[^.]*\b(codebase|code base|repository)\b/i.test(prompt)) return exploreAll(request);
  const directive = /\[(bash|edit|write|ask): ([\s\S]*)\]/.exec(prompt);
  const [first = '', ...rest] = (directive?.[2] ?? '').split('|').map((part) => part.trim().replaceAll('\\n', '\n'));
  switch (directive?.[1]) {
    case 'bash':
      return runCommand((directive[2] ?? '').trim(), request);
    case 'edit':
      return editFile(first, rest[0] ?? '', rest[1] ?? '', request);
    case 'write':
      return writeFile(first, rest.join('|'), request);
    case 'ask':
      return askUser(first, rest, request);
    default:
      return /\[slow\]/.test(prompt) ? tellSlowly() : echo(prompt);
  }
};

const childPrompt = (area: string): string => `Find the ${area} of this code and name their places as file:line.`;

function exploreAll(request: ScriptedRequest): Answer {
  if (request.results.length === 0) {
    const calls = areas.map(({ name }) =>
      call('Agent', { description: `Explore ${name}`, prompt: childPrompt(name), subagent_type: 'Explore' }),
    );
    return say(text('I send three explorers into the code at once.'), ...calls);
  }
  const sections = areas.map(({ name }, index) => {
    const places = placesIn(request.results[index]?.text ?? '').slice(0, 5);
    return `### ${name}\n\n${places.length > 0 ? places.map((place) => `- \`${place}\``).join('\n') : '- nothing found'}`;
  });
  return say(text(`## What the explorers found\n\n${sections.join('\n\n')}\n`));
}

function exploreArea({ name, glob, pattern }: Area, request: ScriptedRequest): Answer {
  const found = (tool: string) => request.results.find((result) => result.name === tool);
  if (!found('Glob')) return say(text(`Looking for ${name}.`), call('Glob', { pattern: glob }));
  if (!found('Grep')) {
    const options = { output_mode: 'content', '-n': true, head_limit: 20 };
    return say(call('Grep', { pattern, glob, ...options }));
  }
  const places = placesIn(found('Grep')?.text ?? '');
  const listed = filesIn(found('Glob')?.text ?? '');
  const file = places[0]?.replace(/:\d+$/, '') ?? listed[0];
  if (file && !found('Read')) return say(call('Read', { file_path: file, limit: 60 }));
  const shown = places.length > 0 ? places.slice(0, 8) : listed.slice(0, 3).map((path) => `${path}:1`);
  const lines = shown.map((place) => `- ${place}`).join('\n');
  return say(text(`The ${name} are here:\n\n${lines || '- nothing found'}\n`));
}

function delegate(type: string, prompt: string, request: ScriptedRequest): Answer {
  const [result] = request.results;
  if (result) return say(text(`The agent reported:\n\n${result.text}\n`));
  const input = { description: 'Do one task', prompt: prompt.trim(), subagent_type: type.trim() };
  return say(text('I hand this to an agent.'), call('Agent', input));
}

function runCommand(command: string, request: ScriptedRequest): Answer {
  const [result] = request.results;
  if (!result) return say(text('I run the command.'), call('Bash', { command, description: 'Run the asked command' }));
  return say(text(conclude(result, 'The command said')));
}

function editFile(file: string, before: string, after: string, request: ScriptedRequest): Answer {
  const [read, edited] = request.results;
  if (!read) return say(text(`I read \`${file}\` first.`), call('Read', { file_path: file }));
  if (read.isError) return say(text(conclude(read, 'The file said')));
  if (!edited) return say(call('Edit', { file_path: file, old_string: before, new_string: after }));
  return say(text(edited.isError ? conclude(edited, 'The edit said') : `\`${file}\` is changed: ${edited.text}`));
}

function writeFile(file: string, content: string, request: ScriptedRequest): Answer {
  const [written] = request.results;
  if (!written) return say(text(`I write \`${file}\`.`), call('Write', { file_path: file, content }));
  return say(text(conclude(written, 'Write said')));
}

function askUser(question: string, options: readonly string[], request: ScriptedRequest): Answer {
  const [answered] = request.results;
  return answered ? say(text(`You said: ${answered.text}`)) : say(call('AskUser', { question, options }));
}

function conclude(result: ResultView, intro: string): string {
  const failed = result.isError ? ' (it failed)' : '';
  return `${intro}${failed}:\n\n\`\`\`text\n${result.text.slice(0, 2000)}\n\`\`\`\n`;
}

function tellSlowly(): Answer {
  const lines = Array.from({ length: 60 }, (_, index) => `Line ${index + 1} of a long answer that takes its time.`);
  return { blocks: [text(lines.join('\n\n'))], chunkMs: 120, chunkChars: 30 };
}

function echo(prompt: string): Answer {
  const words = prompt.trim().slice(-400) || 'nothing';
  const answer = `You said: **${words.replaceAll('\n', ' ')}**\n\n\`\`\`ts\nexport const answer = 42;\n\`\`\`\n\nSee package.json:1.\n`;
  const thinking: AnswerBlock = { type: 'thinking', thinking: 'The prompt asks for thought, so here is some.' };
  return prompt.includes('[think]') ? say(thinking, text(answer)) : say(text(answer));
}

/** Places as `file:line`, each once, in the order of the text. */
function placesIn(value: string): readonly string[] {
  return [...new Set(value.match(/(?<![\w./\\-])[\w@./\\-]+\.\w+:\d+/g))];
}

function filesIn(value: string): readonly string[] {
  return value.split('\n').filter((line) => /^[\w@./\\ -]+\.\w+$/.test(line));
}
