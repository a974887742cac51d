import { createHooks, type Hooks } from '../../gate/hooks/hooks.ts';
import type { Host, Prompts } from '../../host.ts';
import type { Mode } from '../../settings.ts';
import { createHookApprovals } from '../../store/hookApprovals.ts';
import type { SessionDependencies } from '../session.ts';

type HookParts = Pick<
  SessionDependencies,
  'host' | 'broker' | 'workspace' | 'settings' | 'stateDirectory' | 'clock' | 'registeredHooks'
> & { readonly id: string; readonly turns: number };

/** Everything that is hooked in one session. */
export function createSessionHooks(parts: HookParts, mode: () => Mode): Hooks {
  const { clock, stateDirectory, registeredHooks = () => [] } = parts;
  return createHooks({
    ...parts,
    session: parts.id,
    mode,
    memory: createHookApprovals(stateDirectory),
    registered: registeredHooks,
    isResumed: parts.turns > 0,
    now: () => clock.now(),
  });
}

/** The same host; the proposals and questions that it puts before the user are told to hooks. */
export function withNotifications(host: Host, { notify }: Pick<Hooks, 'notify'>): Host {
  const { prompts } = host;
  const told: Prompts = {
    ...prompts,
    review(proposal, signal) {
      notify(proposal.agent, 'edit_review', `${proposal.agentName} proposes a change: ${proposal.path}`);
      return prompts.review(proposal, signal);
    },
    question(question, signal) {
      notify(question.agent, 'question', `${question.agentName} asks: ${question.question}`);
      return prompts.question(question, signal);
    },
  };
  return { ...host, prompts: told };
}
