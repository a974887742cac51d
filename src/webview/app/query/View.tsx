import type { Translate } from '../strings.ts';
import { Chart } from './Chart.tsx';
import { CostTable } from './CostTable.tsx';
import { QueryForm } from './QueryForm.tsx';
import type { Questions } from './questions.ts';
import { RowTable } from './RowTable.tsx';

type Parts = { readonly t: Translate; readonly questions: Questions };

export function View({ t, questions }: Parts) {
  return (
    <main>
      <h1>{t('Agent history')}</h1>
      <QueryForm t={t} questions={questions} />
      <Status t={t} questions={questions} />
      <Result t={t} questions={questions} />
    </main>
  );
}

function Status({ t, questions }: Parts) {
  const answer = questions.answer.value;
  const error = questions.error.value;
  if (error !== '') {
    return (
      <p class="status error" role="alert">
        {error}
      </p>
    );
  }
  return (
    <p class="status" role="status">
      {answer && countText(t, answer.report)}
      {questions.isAsking.value && <span class="busy">{t('Reading conversations…')}</span>}
      {answer && answer.damagedLines > 0 && (
        <span class="warn">{t('{0} damaged records were left out.', answer.damagedLines)}</span>
      )}
      {answer && answer.unreadable > 0 && (
        <span class="warn">{t('{0} conversations could not be read.', answer.unreadable)}</span>
      )}
      {answer && answer.unsearched > 0 && (
        <span class="note">
          {t(
            'Messages that search leaves out, since they are very long or very old: {0}. These reports have them. “Offshoot: Clean Up Old Conversations…” makes room.',
            answer.unsearched,
          )}
        </span>
      )}
    </p>
  );
}

type Report = NonNullable<Questions['answer']['value']>['report'];

function countText(t: Translate, report: Report): string {
  if (report.kind === 'cost') return report.rows.length === 0 ? t('Nothing was spent in this time.') : '';
  const { total, rows } = report;
  if (total === 0) return t('Nothing of that kind in this time.');
  return total > rows.length ? t('The newest {0} of {1}.', rows.length, total) : t('{0} in all.', total);
}

function Result({ t, questions }: Parts) {
  const report = questions.answer.value?.report;
  if (!report || report.rows.length === 0) return null;
  if (report.kind !== 'cost') return <RowTable t={t} report={report} open={questions.open} />;
  return (
    <>
      <Chart t={t} rows={report.rows} by={report.by} />
      <CostTable t={t} rows={report.rows} by={report.by} />
    </>
  );
}
