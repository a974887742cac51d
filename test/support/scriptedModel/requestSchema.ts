import * as z from 'zod';

/**
 * The part of the Messages API that Offshoot speaks, as strict as the real server: an unknown field is refused.
 * https://docs.anthropic.com/en/api/messages
 */
const cacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() });

const textBlock = z.strictObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControl.optional() });

const imageBlock = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.string().min(1),
  }),
  cache_control: cacheControl.optional(),
});

const toolResultBlock = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))]).optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl.optional(),
});

const toolUseBlock = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.unknown()),
  cache_control: cacheControl.optional(),
});

const thinkingBlock = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const redactedThinkingBlock = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() });

const userBlock = z.discriminatedUnion('type', [textBlock, imageBlock, toolResultBlock]);
const assistantBlock = z.discriminatedUnion('type', [textBlock, toolUseBlock, thinkingBlock, redactedThinkingBlock]);

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(userBlock)]) }),
  z.strictObject({ role: z.literal('assistant'), content: z.union([z.string(), z.array(assistantBlock)]) }),
]);

const tool = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  cache_control: cacheControl.optional(),
});

const shared = {
  model: z.string().min(1),
  messages: z.array(message).min(1, 'at least one message is required'),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('auto'), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('any'), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
  output_config: z.strictObject({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional() }).optional(),
};

export const messagesBodySchema = z.strictObject({
  ...shared,
  max_tokens: z.int().min(1),
  stream: z.boolean().optional(),
  temperature: z.number().optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.strictObject({ user_id: z.string().optional() }).optional(),
});
export const countTokensBodySchema = z.strictObject(shared);

export type CountTokensBody = z.output<typeof countTokensBodySchema>;
export type MessagesBody = z.output<typeof messagesBodySchema>;
export type RequestMessage = MessagesBody['messages'][number];
export type RequestBlock = z.output<typeof userBlock> | z.output<typeof assistantBlock>;

/** The content of a message as blocks. */
export function blocksOf(content: RequestMessage['content'] | MessagesBody['system']): readonly RequestBlock[] {
  if (content === undefined) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The first fault of a body in the words of the server: `path: what is wrong`. */
export function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'invalid body';
  if (issue.code === 'unrecognized_keys') {
    return `${[...issue.path, issue.keys[0] ?? ''].join('.')}: Extra inputs are not permitted`;
  }
  if (issue.code === 'invalid_type' && /received undefined/.test(issue.message)) {
    return `${issue.path.join('.')}: Field required`;
  }
  return `${issue.path.join('.') || 'body'}: ${issue.message}`;
}
