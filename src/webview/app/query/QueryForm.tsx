import { useRef } from 'preact/hooks';
import type { Translate } from '../strings.ts';
import { type Kind, kinds, type Questions, type Range, ranges } from './questions.ts';

const restMs = 250;

export function QueryForm({ t, questions }: { readonly t: Translate; readonly questions: Questions }) {
  const form = questions.form.value;
  const { change } = questions;
  return (
    <form aria-label={t('What to show')} onSubmit={(event) => event.preventDefault()}>
      <Choice
        label={t('Question')}
        value={form.kind}
        options={kinds.map((kind) => ({ value: kind, text: kindText(t, kind) }))}
        choose={(kind) => change({ kind })}
      />
      <WordField t={t} questions={questions} />
      <Choice
        label={t('Time')}
        value={form.range}
        options={ranges.map((range) => ({ value: range, text: rangeText(t, range) }))}
        choose={(range) => change({ range })}
      />
      {form.range === 'custom' && <DateField label={t('From')} value={form.from} set={(from) => change({ from })} />}
      {form.range === 'custom' && <DateField label={t('Until')} value={form.to} set={(to) => change({ to })} />}
      <Choice
        label={t('Folder')}
        value={form.folder}
        options={[
          { value: '', text: t('All folders') },
          ...questions.folders.value.map((folder) => ({ value: folder, text: folder })),
        ]}
        choose={(folder) => change({ folder })}
      />
      <button type="button" class="main" onClick={questions.exportCsv}>
        {t('Export as CSV…')}
      </button>
    </form>
  );
}

function WordField({ t, questions }: { readonly t: Translate; readonly questions: Questions }) {
  const timer = useRef<number | undefined>(undefined);
  const { kind, text } = questions.form.value;
  if (kind !== 'agents' && kind !== 'commands') return null;
  const label = kind === 'agents' ? t('Name or type') : t('Command contains');
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="search"
        value={text}
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => questions.change({ text: value }), restMs);
        }}
      />
    </label>
  );
}

type ChoiceParts<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly choose: (value: Value) => void;
};

function Choice<Value extends string>({ label, value, options, choose }: ChoiceParts<Value>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => option.value === currentTarget.value);
          if (chosen) choose(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

type DateParts = { readonly label: string; readonly value: string; readonly set: (value: string) => void };

function DateField({ label, value, set }: DateParts) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="date" value={value} onChange={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  );
}

function kindText(t: Translate, kind: Kind): string {
  switch (kind) {
    case 'agents':
      return t('What did agents do?');
    case 'commands':
      return t('Which commands ran?');
    case 'day':
      return t('What did each day cost?');
    case 'agentType':
      return t('What did each agent type cost?');
    case 'model':
      return t('What did each model cost?');
    case 'permissions':
      return t('What was allowed and denied?');
  }
}

function rangeText(t: Translate, range: Range): string {
  switch (range) {
    case 'day':
      return t('Last 24 hours');
    case 'week':
      return t('Last 7 days');
    case 'month':
      return t('Last 30 days');
    case 'all':
      return t('All the time');
    case 'custom':
      return t('From … until …');
  }
}
