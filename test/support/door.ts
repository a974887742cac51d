/** What a script waits at until the test lets it go on. */
export type Door = { readonly open: () => void; readonly wait: Promise<void> };

export function createDoor(): Door {
  let open = () => {};
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, wait };
}
