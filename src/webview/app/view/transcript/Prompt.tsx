import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page.ts';
import { Icon, IconButton } from '../Icon.tsx';

/** Longer prompts, such as those that commands write, show their head. */
const shownPromptLines = 6;
const shownPromptChars = 400;

type PromptProps = { readonly turn: number; readonly text: string; readonly isLive: boolean };

/** What the user asked. At rest it can be put in other words, which makes a branch. */
export function Prompt({ turn, text, isLive }: PromptProps) {
  const { t } = usePage();
  const isOpen = useSignal(false);
  const isEdited = useSignal(false);
  const opener = useRef<HTMLSpanElement>(null);
  const isLong = text.length > shownPromptChars || text.split('\n').length > shownPromptLines;
  const head = text.slice(0, shownPromptChars).split('\n').slice(0, shownPromptLines).join('\n').trimEnd();
  const close = () => {
    isEdited.value = false;
    // The button is there again after the next drawing.
    setTimeout(() => opener.current?.querySelector('button')?.focus());
  };
  if (isEdited.value && !isLive) return <PromptEditor turn={turn} before={text} onClose={close} />;
  return (
    <section class="prompt" dir="auto" aria-label={t('You')}>
      <Icon name="account" label={t('You')} />
      {!isLive && (
        <span class="actions" ref={opener}>
          <IconButton
            icon="edit"
            label={t('Edit and send again')}
            onClick={() => {
              isEdited.value = true;
            }}
          />
        </span>
      )}
      {isLong && !isOpen.value ? `${head}…` : text}
      {isLong && (
        <button
          type="button"
          class="text-button"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? t('Show less') : t('Show all')}
        </button>
      )}
    </section>
  );
}

type EditorProps = { readonly turn: number; readonly before: string; readonly onClose: () => void };

function PromptEditor({ turn, before, onClose }: EditorProps) {
  const { t, host } = usePage();
  const text = useSignal(before);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const submit = () => {
    if (text.peek().trim() === '') return;
    host.editPrompt(turn, text.peek().trim());
    onClose();
  };
  return (
    <form
      class="prompt"
      aria-label={t('Edit and send again')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={area}
        class="field-input"
        dir="auto"
        rows={Math.min(8, before.split('\n').length + 1)}
        aria-label={t('Message')}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Escape') onClose();
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          submit();
        }}
      />
      <p class="muted small">{t('A branch begins here; this conversation stays in the history.')}</p>
      <div class="buttons">
        <button type="submit" class="button" disabled={text.value.trim() === ''}>
          {t('Send')}
        </button>
        <button type="button" class="button secondary" onClick={onClose}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
