import { useComputed, useSignal } from '@preact/signals';
import { formatDuration } from '../../format.ts';
import { usePage } from '../../page.ts';

/** Counts on by itself without drawing its parent again. */
export function Elapsed({ since }: { readonly since: number }) {
  const { clock, t } = usePage();
  const start = useSignal(since);
  start.value = since;
  const text = useComputed(() => formatDuration(t, clock.value - start.value));
  return <>{text}</>;
}
