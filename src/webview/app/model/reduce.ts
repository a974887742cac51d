import { batch } from '@preact/signals';
import type { AgentEvent } from '../../protocol.ts';
import { closeAsks, reduceAsk } from './asks.ts';
import { addProgress, cancelCalls, endCall, joinGroup, joinGroupBehind, startCall } from './calls.ts';
import { addItem, agentOf, agentSignal, exclude, include, setItem, updateInfo } from './conversation.ts';
import { addHeard, parseReport } from './notes.ts';
import { addDelta, addMessage, dropDrafts, startStep } from './steps.ts';
import type { AgentInfo, AgentNode, Conversation } from './types.ts';

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>;

type StepEvent = Exclude<
  AgentEvent,
  {
    readonly type:
      | 'session-start'
      | 'session-title'
      | 'turn-start'
      | 'turn-end'
      | 'prompt-queue'
      | 'agent-start'
      | 'agent-status'
      | 'agent-detach'
      | 'agent-end'
      | 'usage-update'
      | 'context-compact'
      | 'notice';
  }
>;

/**
 * Events to view state; the only writer of a conversation. What it makes depends on the events alone, an event costs the
 * same however long the session is, and an event that was seen before changes nothing.
 */
export function reduceAll(conversation: Conversation, events: readonly AgentEvent[]): void {
  batch(() => {
    for (const event of events) {
      if (!isSeen(conversation, event)) reduce(conversation, event);
    }
  });
}

function isSeen(conversation: Conversation, event: AgentEvent): boolean {
  const isTransient = event.type === 'text-delta' || event.type === 'thinking-delta' || event.type === 'tool-progress';
  const last = isTransient ? conversation.transientSeq : conversation.lastingSeq;
  if (event.seq <= last) return true;
  if (isTransient) conversation.transientSeq = event.seq;
  else conversation.lastingSeq = event.seq;
  return false;
}

function reduce(conversation: Conversation, event: AgentEvent): void {
  const agent = agentOf(conversation, event.agent, event.parent);
  agent.lastTime = event.time;
  // Its step began before what is known of it.
  if (agent.step.serial === 0) agent.step.serial = event.seq;
  switch (event.type) {
    case 'session-start':
      conversation.root = event.workspace;
      if (event.from) addItem(conversation, agent, 'branch', { kind: 'branch', from: event.from });
      break;
    case 'session-title':
      break;
    case 'turn-start':
      startTurn(conversation, agent, event);
      break;
    case 'turn-end':
      endTurn(conversation, agent, event);
      break;
    case 'prompt-queue':
      conversation.isQueueTaken = event.prompts.length < conversation.queue.peek().length;
      conversation.queue.value = event.prompts;
      break;
    case 'agent-start':
      startAgent(conversation, agent, event);
      break;
    case 'agent-status':
      updateInfo(agent, { activity: event.activity, detail: event.detail ?? '' });
      break;
    case 'agent-detach':
      updateInfo(agent, { isBackground: true });
      include(conversation.background, agent.id);
      break;
    case 'agent-end':
      endAgent(conversation, agent, event);
      break;
    case 'usage-update':
      updateUsage(agent, event);
      break;
    case 'context-compact':
      if (event.how === 'fork') break;
      shrinkContext(agent, event.tokensAfter);
      addItem(conversation, agent, `compact:${event.seq}`, {
        kind: 'compact',
        before: event.tokensBefore,
        after: event.tokensAfter,
      });
      break;
    case 'notice':
      conversation.isEmpty.value = false;
      addItem(conversation, agent, `notice:${event.seq}`, { kind: 'notice', level: event.level, text: event.text });
      break;
    default:
      reduceStep(conversation, agent, event);
  }
}

function reduceStep(conversation: Conversation, agent: AgentNode, event: StepEvent): void {
  switch (event.type) {
    case 'step-start':
      startStep(agent, event.seq);
      wake(agent, { model: event.model });
      break;
    case 'step-retry':
      dropDrafts(agent);
      agent.step.seq = event.seq;
      updateInfo(agent, { activity: 'retrying', detail: event.reason });
      break;
    case 'step-end':
      wake(agent, {});
      break;
    case 'text-delta':
    case 'thinking-delta':
      addDelta(conversation, agent, event);
      break;
    case 'message-append':
      noteAnswer(conversation, agent, addMessage(conversation, agent, event));
      addHeard(conversation, agent, event);
      break;
    case 'tool-start':
      startCall(conversation, agent, event);
      break;
    case 'tool-progress':
      addProgress(conversation, agent, event);
      break;
    case 'tool-end':
      endCall(conversation, agent, event);
      break;
    case 'worktree-fail':
      addItem(conversation, agent, `notice:${event.seq}`, { kind: 'notice', level: 'warning', text: event.error });
      break;
    // Its row and its receipt say it.
    case 'worktree-create':
    case 'worktree-keep':
    case 'worktree-remove':
    case 'permission-decide':
    case 'hook-run':
      break;
    default:
      reduceAsk(conversation, agent, event);
  }
}

function noteAnswer(conversation: Conversation, agent: AgentNode, answer: string | undefined): void {
  if (agent === conversation.lead && answer !== undefined) conversation.answer = answer;
}

/** What stands before the messages stays as it is. */
function shrinkContext(agent: AgentNode, contextTokens: number): void {
  const { contextParts: parts } = agent.info.peek();
  const messages = parts && Math.max(0, contextTokens - parts.system - parts.instructions - parts.tools);
  updateInfo(agent, { contextTokens, contextParts: parts && messages !== undefined ? { ...parts, messages } : parts });
}

function updateUsage(agent: AgentNode, event: EventOf<'usage-update'>): void {
  const { contextTokens, contextWindow, contextParts, total } = event;
  const context = { contextTokens, contextWindow, contextParts };
  updateInfo(agent, { tokens: tokensOf(total.usage), cost: total.cost, ...context });
}

function startTurn(conversation: Conversation, lead: AgentNode, event: EventOf<'turn-start'>): void {
  startStep(lead, event.seq);
  conversation.isEmpty.value = false;
  const report = event.by === 'agent' ? parseReport(event.prompt) : undefined;
  addItem(
    conversation,
    lead,
    `prompt:${event.seq}`,
    report ?? { kind: 'prompt', turn: event.turn, text: event.prompt },
  );
  if (event.by !== 'agent' && !conversation.isQueueTaken) conversation.asked.value += 1;
  conversation.isQueueTaken = false;
  const costBefore = lead.info.peek().cost;
  conversation.turn.value = { turn: event.turn, isRunning: true, status: undefined, startedAt: event.time, costBefore };
  conversation.answer = '';
  lead.step.from = lead.flow.length;
  lead.recent.value = [];
  updateInfo(lead, { activity: 'running', detail: '', startedAt: event.time, end: undefined });
}

function endTurn(conversation: Conversation, lead: AgentNode, event: EventOf<'turn-end'>): void {
  settle(conversation, lead);
  conversation.isQueueTaken = false;
  const turn = conversation.turn.peek();
  const cost = lead.info.peek().cost;
  addItem(conversation, lead, `end:${event.seq}`, {
    kind: 'end',
    turn: event.turn,
    isInterrupted: event.isInterrupted ?? false,
    status: event.status,
    error: event.error,
    endedAt: event.time,
    durationMs: turn ? event.time - turn.startedAt : 0,
    cost: cost === undefined ? undefined : cost - (turn?.costBefore ?? 0),
    answer: conversation.answer,
  });
  lead.step.from = lead.flow.length;
  if (turn) conversation.turn.value = { ...turn, isRunning: false, status: event.status };
}

function startAgent(conversation: Conversation, agent: AgentNode, event: EventOf<'agent-start'>): void {
  const { name, agentType, color, description, prompt, model, modelRule, effort, worktree } = event;
  const about = { name, agentType, color, description, prompt, model, modelRule, effort, worktree };
  const fresh = { activity: 'running', detail: '', isBackground: false, end: undefined } as const;
  updateInfo(agent, { ...about, ...fresh, startedAt: event.time });
  if (agent === conversation.lead) return;
  agent.awaitsTask = true;
  const parent = agentOf(conversation, event.parent ?? 'lead', null);
  include(parent.live, agent.id);
  place(conversation, agent, parent, event);
}

/** Where its delegation stands. One that is done again gets a place of its own beside the first. */
function place(conversation: Conversation, agent: AgentNode, parent: AgentNode, event: EventOf<'agent-start'>): void {
  const call = event.call === null ? undefined : parent.calls.get(event.call);
  const earlier = call === undefined ? undefined : agentSignal(conversation, call).peek();
  // One that goes on stays where it is.
  if (earlier === agent.id) return;
  const isAgain = earlier !== undefined;
  const member = call === undefined || isAgain ? `${parent.id}/agent/${agent.id}/${event.seq}` : call;
  if (member !== call) setItem(conversation, member, placeholderCall(parent, event));
  if (isAgain && call !== undefined) {
    updateInfo(agent, { retryOf: conversation.agents.get(earlier)?.info.peek().name ?? earlier });
    joinGroupBehind(conversation, parent, call, member);
  } else joinGroup(conversation, parent, member);
  agentSignal(conversation, member).value = agent.id;
}

/** Stands in the group for a delegation whose call is not known. */
function placeholderCall(parent: AgentNode, event: EventOf<'agent-start'>) {
  const text = { result: '', preview: '', progress: '' };
  const about = { kind: 'call', agent: parent.id, tool: 'Agent', summary: event.description, input: {} } as const;
  return { ...about, ...text, state: 'running', startedAt: event.time, durationMs: 0 } as const;
}

function endAgent(conversation: Conversation, agent: AgentNode, event: EventOf<'agent-end'>): void {
  settle(conversation, agent);
  const { status, report, receipt, error } = event;
  updateInfo(agent, {
    detail: '',
    end: { status, report, receipt, error, isInterrupted: event.isInterrupted ?? false },
    ...(agent !== conversation.lead && { tokens: tokensOf(receipt.usage), cost: receipt.cost }),
  });
  exclude(conversation.background, agent.id);
  const parent = agent.parent === null ? undefined : conversation.agents.get(agent.parent);
  if (parent) exclude(parent.live, agent.id);
}

function settle(conversation: Conversation, agent: AgentNode): void {
  dropDrafts(agent);
  closeAsks(conversation, agent);
  cancelCalls(conversation, agent);
}

/** A new step ends a pause that nothing else ended. */
function wake(agent: AgentNode, change: Partial<AgentInfo>): void {
  const { activity } = agent.info.peek();
  const isPaused = activity === 'retrying' || activity === 'stalled' || activity === 'queued';
  updateInfo(agent, isPaused ? { ...change, activity: 'running', detail: '' } : change);
}

export function tokensOf(usage: EventOf<'usage-update'>['usage']): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
