import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page.ts';

export function SearchField({ text }: { readonly text: { value: string } }) {
  const { t } = usePage();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <input
      ref={input}
      type="search"
      class="field-input"
      dir="auto"
      placeholder={t('Search in all conversations')}
      aria-label={t('Search in all conversations')}
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value;
      }}
    />
  );
}
