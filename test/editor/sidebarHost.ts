import { createPermissions } from '../../src/editor/asking/permissions.ts';
import { createQuestions } from '../../src/editor/asking/questions.ts';
import { createEditorHost } from '../../src/editor/host/host.ts';
import { createReviews } from '../../src/editor/review/review.ts';

/** The host of the editor, which asks in the sidebar alone. @param name of its diffs, since several live in one window */
export function createSidebarHost(name: string) {
  const report = () => undefined;
  const reviews = createReviews(report, { before: `offshoot-${name}-before`, proposal: `offshoot-${name}-proposal` });
  const host = createEditorHost({
    permissions: createPermissions({
      preference: () => 'sidebar',
      report,
      explain: async () => {},
      showAll: async () => {},
    }),
    questions: createQuestions(() => 'sidebar'),
    reviews,
  });
  return { host, dispose: () => reviews.dispose() };
}
