import { useSignal } from '@preact/signals';
import type { QuestionItem } from '../../model/types.ts';
import { usePage } from '../../page.ts';
import { revealText } from '../../reveal.ts';
import { Icon } from '../Icon.tsx';
import { Markdown } from '../transcript/Markdown.tsx';

type QuestionProps = { readonly item: QuestionItem; readonly name: string; readonly isLive: boolean };

export function Question({ item, name, isLive }: QuestionProps) {
  const { t } = usePage();
  if (item.answer === undefined && isLive) return <QuestionCard item={item} name={name} />;
  return (
    <div class="call settled">
      <div class="line">
        <Icon name="question" tone="muted" />
        <span class="clip" title={item.text}>
          {revealText(item.text)}
        </span>
      </div>
      <p class="said">{item.answer?.text ? `“${item.answer.text}”` : t('Not answered')}</p>
    </div>
  );
}

function QuestionCard({ item, name }: { readonly item: QuestionItem; readonly name: string }) {
  const { t, host } = usePage();
  const text = useSignal('');
  const isSent = useSignal(false);
  const answer = (words: string) => {
    if (isSent.peek() || words.trim() === '') return;
    isSent.value = true;
    host.answerQuestion(item.question, words.trim());
  };
  return (
    <fieldset class="card ask" data-item={`question:${item.question}`} disabled={isSent.value}>
      <legend class="sr-only">{t('{0} asks you', name)}</legend>
      <div class="card-head">
        <Icon name="question" />
        <b>{t('{0} asks you', name)}</b>
      </div>
      <Markdown text={item.text} isComplete={true} />
      {item.options.length > 0 && (
        <div class="buttons">
          {item.options.map((option) => (
            <button key={option} type="button" class="button secondary wrap" onClick={() => answer(option)}>
              {revealText(option)}
            </button>
          ))}
        </div>
      )}
      <form
        class="answer"
        onSubmit={(event) => {
          event.preventDefault();
          answer(text.peek());
        }}
      >
        <input
          type="text"
          class="field-input"
          aria-label={t('Your answer')}
          placeholder={item.options.length > 0 ? t('Or answer in your own words') : t('Your answer')}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button" disabled={text.value.trim() === ''}>
          {t('Answer')}
        </button>
      </form>
    </fieldset>
  );
}
