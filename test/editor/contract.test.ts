import { createPermissions } from '../../src/editor/asking/permissions.ts';
import { createQuestions } from '../../src/editor/asking/questions.ts';
import { createEditorHost } from '../../src/editor/host/host.ts';
import { createReviews } from '../../src/editor/review/review.ts';
import { filesContract } from '../contract/files.ts';
import { searchContract } from '../contract/search.ts';
import { shellContract } from '../contract/shell.ts';

const report = () => undefined;
const reviews = createReviews(report, { before: 'offshoot-contract-before', proposal: 'offshoot-contract-proposal' });
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
after(() => reviews.dispose());
const parts = { makeHost: () => host, describe, it };

filesContract('editor', parts);
if (process.platform !== 'win32') shellContract('editor', parts);
searchContract('editor', parts);
