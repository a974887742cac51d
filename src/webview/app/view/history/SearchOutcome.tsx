import { usePage } from '../../page.ts';

/** What the search came to, said to those who cannot see the list as well. */
export function SearchOutcome({ count, wanted }: { readonly count: number; readonly wanted: string }) {
  const { t, hits } = usePage();
  const isSearching = wanted !== '' && !(hits.value?.text === wanted && hits.value.isWhole);
  const none = wanted === '' ? t('There are no conversations in this folder yet.') : t('Nothing was found.');
  const sum = count === 1 ? t('1 conversation') : t('{0} conversations', count);
  const unsearched = wanted === '' || isSearching ? 0 : (hits.value?.unsearched ?? 0);
  return (
    <p class="muted small history-sum" role="status">
      {isSearching ? t('Searching…') : count === 0 ? none : sum}
      {unsearched > 0 && (
        <>
          <br />
          {t(
            'Messages that were not searched, since they are very long or very old: {0}. “Offshoot: Clean Up Old Conversations…” makes room.',
            unsearched,
          )}
        </>
      )}
    </p>
  );
}
