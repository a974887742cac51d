export type ListKeyActions = {
  readonly close: () => void;
  readonly rename: (session: string, isOn: boolean) => void;
  readonly remove: (session: string) => void;
};

/** Arrows go from row to row and from the search into the list; Enter is the row's own. */
export function handleListKey(
  event: KeyboardEvent,
  list: HTMLElement | null,
  { close, rename, remove }: ListKeyActions,
): void {
  if (event.isComposing || !list) return;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-session]')];
  const at = rows.findIndex((row) => row.parentElement?.contains(document.activeElement));
  const session = rows[at]?.dataset.session;
  const isSearch = document.activeElement instanceof HTMLInputElement;
  switch (event.key) {
    case 'ArrowDown':
      rows[at + 1]?.focus();
      break;
    case 'ArrowUp':
      if (at > 0) rows[at - 1]?.focus();
      else document.querySelector<HTMLElement>('.history-head input')?.focus();
      break;
    case 'Home':
    case 'End':
      if (isSearch) return;
      rows.at(event.key === 'Home' ? 0 : -1)?.focus();
      break;
    case 'Escape':
      close();
      break;
    case 'F2':
      if (session !== undefined) rename(session, true);
      break;
    case 'Delete':
      if (session === undefined || isSearch) return;
      (rows[at + 1] ?? rows[at - 1])?.focus();
      remove(session);
      break;
    case 'Enter':
      if (isSearch && rows[0]) rows[0].click();
      return;
    default:
      return;
  }
  event.preventDefault();
}
