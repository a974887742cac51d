import type { Session } from '../../../agent/index.ts';
import type { Choices } from '../choices.ts';
import type { ConversationParts } from '../contract.ts';
import type { Following } from '../telling/following.ts';
import type { SessionAccess } from './access.ts';
import { type MadeSession, makeSession } from './makeSession.ts';
import type { Readings } from './readings.ts';

/** A session that shows. */
export type OpenSession = MadeSession & { readonly unsubscribe: () => void };

/** Has sessions ready to be shown. */
export type Opener = {
  /** A new one; undefined when no folder is open. */
  startNew(): Promise<OpenSession | undefined>;
  /** That from before the reload, where there is one and the user does not give it up. Never rejects. */
  startLast(): Promise<OpenSession | undefined>;
  /** An earlier one; undefined when it was given up. @throws Error when it cannot be read */
  read(session: string, signal: AbortSignal): Promise<MadeSession | undefined>;
  /** Makes it the one that is followed, and is there after a reload. */
  adopt(made: MadeSession): OpenSession;
  /** There is none after a reload. */
  forgetLast(): Promise<void>;
};

export type OpenerParts = ConversationParts & {
  readonly readings: Pick<Readings, 'begin' | 'during'>;
  readonly access: Pick<SessionAccess, 'begin'>;
  readonly choices: Pick<Choices, 'apply'>;
  readonly following: Pick<Following, 'follow'>;
  /** Another window has taken it over. */
  readonly onGivenUp: (session: Session) => void;
};

const sessionKey = 'offshoot.session';
const patienceMs = 3000;

export function createOpener(parts: OpenerParts): Opener {
  const { memory, readings, access, choices, following, log } = parts;
  const forgetLast = async () => memory.update(sessionKey, undefined);

  async function make(resume?: string, signal?: AbortSignal): Promise<MadeSession | 'cancelled' | undefined> {
    const onGivenUp = () => made && made !== 'cancelled' && parts.onGivenUp(made.session);
    const made = await makeSession(parts, resume, onGivenUp, signal);
    return made;
  }

  async function read(session: string, signal: AbortSignal): Promise<MadeSession | undefined> {
    const made = await readings.during(make(session, signal));
    return made === 'cancelled' ? undefined : made;
  }

  function adopt({ session, provider }: MadeSession): OpenSession {
    choices.apply(session);
    const unsubscribe = following.follow(session);
    void memory.update(sessionKey, session.id);
    return { session, provider, unsubscribe };
  }

  async function startLast(): Promise<OpenSession | undefined> {
    const last = memory.get<string>(sessionKey);
    if (!last) return undefined;
    const wanted = readings.begin();
    try {
      // The window that was here before the reload may not have let go yet.
      await access.begin(last, false, patienceMs);
      const made = await make(last, wanted);
      if (made && made !== 'cancelled') return adopt(made);
      if (made && memory.get<string>(sessionKey) === last) await forgetLast();
      return undefined;
    } catch (error) {
      log.error('The last conversation could not be opened', error);
      return undefined;
    }
  }

  return {
    async startNew() {
      const made = await make();
      return made && made !== 'cancelled' ? adopt(made) : undefined;
    },
    startLast,
    read,
    adopt,
    forgetLast,
  };
}
