/**
 * The lower bound of what these tools can cost: a loop, four tools, ripgrep, subagents with a history of their own. No
 * permissions, no store, no prompt worth the name, no events.
 *
 *   node bareLoop.mjs URL PROMPT
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const [, , url, prompt = ''] = process.argv;
const resultLimit = 30_000;

/** @typedef {Record<string, any>} Json */

/** @param {...string} names */
const schema = (...names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const searching = [
  { name: 'read', description: 'Reads a file.', input_schema: schema('file_path') },
  { name: 'grep', description: 'Searches file contents.', input_schema: schema('pattern') },
  { name: 'glob', description: 'Finds files by pattern.', input_schema: schema('pattern') },
];
const all = [
  ...searching,
  { name: 'task', description: 'Runs a subagent.', input_schema: schema('description', 'prompt') },
];

/** @param {string[]} args @returns {Promise<string>} */
const ripgrep = (args) =>
  new Promise((resolve) => {
    let text = '';
    const child = spawn('rg', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.length > resultLimit) child.kill();
    });
    child.on('close', () => resolve(text.slice(0, resultLimit) || 'Nothing.'));
  });

/** @param {string} name @param {Json} input */
async function runTool(name, input) {
  if (name === 'grep') return ripgrep(['-n', '--no-heading', '-e', input.pattern, '.']);
  if (name === 'glob') return ripgrep(['--files', '-g', `/${input.pattern}`]);
  if (name === 'task') return runAgent(input.prompt, searching);
  const lines = (await readFile(input.file_path, 'utf8')).split('\n');
  return lines.map((line, index) => `${index + 1}\t${line}`).join('\n');
}

/** @param {Json[]} tools @param {Json[]} messages @returns {Promise<Json[]>} the blocks of the answer */
async function ask(tools, messages) {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'none', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 8000, stream: true, tools, messages }),
  });
  if (response.body === null) throw new Error('no body');
  /** @type {Json[]} */
  const blocks = [];
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const { type, index, content_block: start, delta } = JSON.parse(line.slice(6));
      if (type === 'content_block_start') blocks[index] = { ...start, json: '' };
      const block = blocks[index];
      if (type !== 'content_block_delta' || block === undefined) continue;
      if (delta.type === 'text_delta') block.text += delta.text;
      else block.json += delta.partial_json;
    }
  }
  return blocks.map(({ json, ...block }) =>
    block.type === 'tool_use' ? { ...block, input: JSON.parse(json) } : block,
  );
}

/** @param {string} task @param {Json[]} tools @returns {Promise<string>} */
async function runAgent(task, tools) {
  /** @type {Json[]} */
  const messages = [{ role: 'user', content: task }];
  for (;;) {
    const blocks = await ask(tools, messages);
    messages.push({ role: 'assistant', content: blocks });
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return blocks.map(({ text }) => text).join('');
    const results = calls.map(async ({ id, name, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: await runTool(name, input),
    }));
    messages.push({ role: 'user', content: await Promise.all(results) });
  }
}

console.log(await runAgent(prompt, all));
