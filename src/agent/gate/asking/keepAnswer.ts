import type { PermissionAnswer } from '../../host.ts';
import type { Question } from './question.ts';

/** Keeps it in every session that asked. An answer that cannot be kept holds for the calls that wait; that is told. */
export async function keepAnswer(questions: readonly Question[], answer: PermissionAnswer): Promise<void> {
  const byGate = new Map(questions.map((question) => [question.remember, question]));
  for (const [remember, question] of byGate) {
    if (!question.canRemember) continue;
    try {
      await remember(question, answer);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const text = `Your answer holds for this call only, since it could not be kept: ${problem}`;
      question.agent.emit({ type: 'notice', level: 'warning', text });
    }
  }
}
