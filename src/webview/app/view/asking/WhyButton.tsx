import { usePage } from '../../page.ts';

/** Shows which rule, protection or mode asks. */
export function WhyButton({ ask, isShort = false }: { readonly ask: string; readonly isShort?: boolean }) {
  const { t, host } = usePage();
  return (
    <button
      type="button"
      class="text-button"
      aria-label={t('Why was this asked?')}
      onClick={() => host.explainPermission(ask)}
    >
      {isShort ? t('Why?') : t('Why was this asked?')}
    </button>
  );
}
