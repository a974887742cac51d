/** What is read to be shown: of what is asked for, the last. */
export type Readings = {
  /** Gives up what was asked for before. @param signal gives it up as well @returns ends the one that begins now */
  begin(signal?: AbortSignal): AbortSignal;
  giveUp(): void;
  isOn(): boolean;
  /** It is on as long as this is not settled. */
  during<Value>(work: Promise<Value>): Promise<Value>;
};

export function createReadings(): Readings {
  let last: AbortController | undefined;
  let count = 0;
  return {
    begin(signal) {
      last?.abort();
      last = new AbortController();
      return signal ? AbortSignal.any([last.signal, signal]) : last.signal;
    },
    giveUp: () => last?.abort(),
    isOn: () => count > 0,
    during(work) {
      count += 1;
      return work.finally(() => {
        count -= 1;
      });
    },
  };
}
