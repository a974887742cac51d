import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Mode } from '../../protocol.ts';
import { useConversation, usePage } from '../page.ts';
import type { Translate } from '../strings.ts';
import { ContextMeter } from './ContextMeter.tsx';
import { Icon, IconButton } from './Icon.tsx';
import { isResting } from './state.ts';

type ComposerProps = { readonly isRunning: boolean; readonly isBlocked: boolean };

/** @param isBlocked nothing can be sent yet */
export function Composer({ isRunning, isBlocked }: ComposerProps) {
  const conversation = useConversation();
  const { t, host, draft, panel } = usePage();
  const send = () => {
    const text = draft.peek().trim();
    if (text === '' || isBlocked) return;
    draft.value = '';
    host.send(text);
  };
  const isBypassing = panel.value?.mode === 'bypassPermissions';
  const isQueueing = isRunning && !isResting(conversation);
  return (
    <form
      class="composer"
      aria-label={t('Message')}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Queue isRunning={isRunning} />
      <div class={isBypassing ? 'box bypass' : 'box'}>
        <TextField isRunning={isQueueing} isBlocked={isBlocked} onSend={send} />
        <div class="tools">
          <ModePicker />
          <ModelPicker />
          <span class="grow" />
          <ContextMeter />
          {isRunning && (
            <button
              type="button"
              class="icon-button"
              title={t('Stop (Ctrl+Esc or Alt+Backspace)')}
              aria-label={t('Stop')}
              onClick={() => host.stop(null)}
            >
              <Icon name="debug-stop" />
            </button>
          )}
          <button
            type="submit"
            class="send"
            disabled={isBlocked || draft.value.trim() === ''}
            title={isQueueing ? t('Queue (Enter)') : t('Send (Enter)')}
            aria-label={isQueueing ? t('Queue') : t('Send')}
          >
            <Icon name="arrow-up" />
          </button>
        </div>
      </div>
    </form>
  );
}

type TextFieldProps = ComposerProps & { readonly onSend: () => void };

function TextField({ isRunning, isBlocked, onSend }: TextFieldProps) {
  const { t, draft, focusCount, panel } = usePage();
  const stage = panel.value?.stage;
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.value;
  const wanted = focusCount.value;
  useEffect(() => {
    if (wanted > 0) field.current?.focus();
  }, [wanted]);
  useLayoutEffect(() => {
    if (!field.current) return;
    field.current.style.height = 'auto';
    field.current.style.height = `${field.current.scrollHeight}px`;
  }, [text]);
  const placeholder = isBlocked
    ? stage === 'ready'
      ? t('Only to be read')
      : t('Choose one of the above to start')
    : isRunning
      ? t('Queue a message')
      : t('Ask, or describe a change');
  return (
    <textarea
      ref={field}
      rows={2}
      dir="auto"
      value={text}
      disabled={isBlocked}
      placeholder={placeholder}
      aria-label={t('Message')}
      onInput={(event) => {
        draft.value = event.currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onSend();
      }}
    />
  );
}

/** Prompts that wait: for the running turn, or, once that was stopped, for the next message. */
function Queue({ isRunning }: { readonly isRunning: boolean }) {
  const { t, host } = usePage();
  const prompts = useConversation().queue.value;
  if (prompts.length === 0) return null;
  return (
    <>
      <ul class="chips" aria-label={t('Queued messages')}>
        {prompts.map((prompt, index) => (
          <li class="chip" key={index} title={prompt}>
            <Icon name="clock" label={t('queued')} />
            <span class="clip">{prompt}</span>
            <IconButton icon="edit" label={t('Edit this message')} onClick={() => host.editQueued(index, prompt)} />
            <IconButton
              icon="close"
              label={t('Cancel this message')}
              onClick={() => host.cancelQueued(index, prompt)}
            />
          </li>
        ))}
      </ul>
      {!isRunning && <p class="queue-hint">{t('What is queued follows your next message.')}</p>}
    </>
  );
}

function modeWord(t: Translate, mode: Mode): string {
  switch (mode) {
    case 'default':
      return t('Ask before edits');
    case 'acceptEdits':
      return t('Edit automatically');
    case 'plan':
      return t('Plan only');
    case 'dontAsk':
      return t('Never ask');
    case 'bypassPermissions':
      return t('Bypass permissions');
  }
}

const modes: readonly Mode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];

function ModePicker() {
  const { t, host, panel } = usePage();
  const mode = panel.value?.mode ?? 'default';
  const isBypassing = mode === 'bypassPermissions';
  return (
    <span class={isBypassing ? 'picker warn' : 'picker'}>
      {isBypassing && <Icon name="warning" tone="warn" />}
      <select
        aria-label={t('Permission mode')}
        title={t('Permission mode')}
        value={mode}
        onChange={(event) => {
          const chosen = modes.find((candidate) => candidate === event.currentTarget.value);
          if (chosen) host.setMode(chosen);
        }}
      >
        {modes.map((candidate) => (
          <option key={candidate} value={candidate}>
            {modeWord(t, candidate)}
          </option>
        ))}
      </select>
    </span>
  );
}

function ModelPicker() {
  const { t, host, panel } = usePage();
  const state = panel.value;
  if (state?.stage !== 'ready' || state.provider === 'demo') return null;
  const models = state.models.includes(state.model) ? state.models : [state.model, ...state.models];
  return (
    <span class="picker model">
      <select
        aria-label={t('Model')}
        title={t('Model')}
        value={state.model}
        onChange={(event) => host.setModel(event.currentTarget.value)}
      >
        {models.map((model) => (
          <option key={model} value={model}>
            {model.replace(/^claude-/, '')}
          </option>
        ))}
      </select>
    </span>
  );
}
