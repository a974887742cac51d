import type { Mode, Session } from '../../agent/index.ts';

/** What the user chose, for the session that shows and for the next one. */
export type Choices = {
  /** undefined: as the settings say. */
  mode(): Mode | undefined;
  /** undefined: as the settings say. */
  model(): string | undefined;
  setMode(mode: Mode): void;
  setModel(model: string): void;
  /** Gives a session that is about to show what was chosen. */
  apply(session: Session): void;
};

export function createChoices(current: () => Session | undefined): Choices {
  let mode: Mode | undefined;
  let model: string | undefined;
  return {
    mode: () => mode,
    model: () => model,
    setMode(chosen) {
      mode = chosen;
      current()?.setMode(chosen);
    },
    setModel(chosen) {
      model = chosen;
      current()?.setModel(chosen);
    },
    apply(session) {
      if (mode) session.setMode(mode);
      if (model) session.setModel(model);
    },
  };
}
