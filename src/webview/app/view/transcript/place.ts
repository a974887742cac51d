/** Where something stands in what is scrolled. */
export type Place = { readonly element: Element; readonly top: number };

/** What the reader sees first in a flow, so that it can stay where it is when something is put before it. */
export function readPlace(flow: Element): Place | undefined {
  const edge = flow.closest('.log')?.getBoundingClientRect().top ?? 0;
  const chunk = firstBelow(flow.querySelectorAll(':scope > .chunk'), edge);
  const element = chunk && (firstBelow(chunk.children, edge) ?? chunk);
  return element && { element, top: element.getBoundingClientRect().top };
}

export function restorePlace(flow: Element, { element, top }: Place): void {
  const log = flow.closest('.log');
  if (log && element.isConnected) log.scrollTop += element.getBoundingClientRect().top - top;
}

function firstBelow(elements: Iterable<Element>, edge: number): Element | undefined {
  for (const element of elements) if (element.getBoundingClientRect().bottom > edge) return element;
  return undefined;
}
