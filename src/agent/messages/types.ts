/**
 * What an agent and a model say to each other. The shapes are those of Anthropic's Messages API
 * (https://docs.anthropic.com/en/api/messages), so a history is sent as it is stored.
 */

export type CacheMark = { readonly type: 'ephemeral' };

export type TextBlock = { readonly type: 'text'; readonly text: string; readonly cache_control?: CacheMark };

export type ImageBlock = {
  readonly type: 'image';
  readonly source: {
    readonly type: 'base64';
    readonly media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
    readonly data: string;
  };
  readonly cache_control?: CacheMark;
};

/** Replayed verbatim: the signature covers every byte. */
export type ThinkingBlock = { readonly type: 'thinking'; readonly thinking: string; readonly signature: string };
export type RedactedThinkingBlock = { readonly type: 'redacted_thinking'; readonly data: string };

export type ToolUseBlock = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
};

export type ToolResultBlock = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  readonly is_error?: boolean;
  readonly cache_control?: CacheMark;
};

export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;
export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;

export type UserMessage = { readonly role: 'user'; readonly content: readonly UserBlock[] };
export type AssistantMessage = { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] };
export type Message = UserMessage | AssistantMessage;

/** The text blocks of a message, joined; other blocks are left out. */
export function textOf(message: Message): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

export function toolUses(message: Message): readonly ToolUseBlock[] {
  if (message.role === 'user') return [];
  return message.content.filter((block) => block.type === 'tool_use');
}
