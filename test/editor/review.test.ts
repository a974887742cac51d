import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EditProposal } from '../../src/agent/index.ts';
import { createReviews, type Reviews } from '../../src/editor/review/review.ts';
import { tabsOf } from '../../src/editor/review/tabs.ts';
import { until, useFolder } from './folders.ts';

const schemes = { before: 'offshoot-test-before', proposal: 'offshoot-test-proposal' };
const { signal } = new AbortController();

describe('the review of proposed edits', () => {
  const folder = useFolder();
  let reviews: Reviews;
  let faults: string[];

  before(() => {
    faults = [];
    reviews = createReviews((text, cause) => faults.push(`${text}: ${cause}`), schemes);
  });
  after(() => reviews.dispose());
  afterEach(() => assert.deepEqual(faults, []));

  const propose = (id: string, change: Partial<EditProposal> = {}): EditProposal => ({
    id,
    agent: 'a1',
    agentName: 'mapper',
    call: 'call',
    path: folder.at(`${id}.ts`),
    before: 'const a = 1;\n',
    after: 'const a = 2;\n',
    isProtected: false,
    ...change,
  });
  const tabs = () => tabsOf(({ scheme }) => scheme === schemes.proposal);
  const isShown = (id: string) => () => tabs().some(({ label }) => label.startsWith(id));
  const rightSide = async (id: string) => {
    const find = () =>
      vscode.workspace.textDocuments.find(
        ({ uri, isClosed }) => uri.scheme === schemes.proposal && uri.path.endsWith(`/${id}.ts`) && !isClosed,
      );
    await until(() => find() !== undefined, 'the right side is loaded');
    return find() ?? assert.fail();
  };

  it('opens a diff with the language of the file and writes what was proposed', async () => {
    const decision = reviews.review(propose('plain'), signal);
    await until(isShown('plain'), 'the diff is there');
    await until(() => reviews.at(undefined) === 'plain', 'the diff is the active tab');
    assert.equal((await rightSide('plain')).languageId, 'typescript');
    assert.equal(reviews.decide('plain', 'accept', ''), true);
    assert.deepEqual(await decision, { decision: 'accept', text: 'const a = 2;\n' });
    await until(() => tabs().length === 0, 'the diff is closed');
    assert.equal(reviews.decide('plain', 'accept', ''), false);
  });

  it('accepts what the user left on the right side, with the line ends of the proposal', async () => {
    const decision = reviews.review(propose('amended', { after: 'one\r\ntwo\nthree\r\n' }), signal);
    await until(isShown('amended'), 'the diff is there');
    const document = await rightSide('amended');
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(1, 0, 1, 3), 'zwei');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(reviews.decide('amended', 'accept', ''), true);
    const decided = await decision;
    assert.equal(decided.decision === 'accept' && decided.text.replace('zwei\r\n', 'zwei\n'), 'one\r\nzwei\nthree\r\n');
    await until(() => tabs().length === 0, 'the diff is closed without a question');
  });

  it('hands the reason of a rejection on', async () => {
    const decision = reviews.review(propose('rejected'), signal);
    assert.equal(reviews.decide('rejected', 'reject', '  use a map  '), true);
    assert.deepEqual(await decision, { decision: 'reject', reason: 'use a map' });
    await until(() => tabs().length === 0, 'no diff stays');
  });

  it('waits when the diff is closed, and opens it again with what the user had typed', async () => {
    const decision = reviews.review(propose('closed'), signal);
    await until(isShown('closed'), 'the diff is there');
    const document = await rightSide('closed');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// kept\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await document.save();
    await vscode.window.tabGroups.close(tabs());
    assert.equal(await reviews.show('closed'), true);
    await until(isShown('closed'), 'the diff is there again');
    reviews.decide('closed', 'accept', '');
    assert.deepEqual(await decision, { decision: 'accept', text: '// kept\nconst a = 2;\n' });
    await until(() => tabs().length === 0, 'the diff is closed');
  });

  it('shows one of several proposals, and the next when that is decided', async () => {
    const first = reviews.review(propose('first'), signal);
    const second = reviews.review(propose('second', { before: undefined }), signal);
    await until(isShown('first'), 'the first diff is there');
    assert.equal(tabs().length, 1);
    reviews.decide('first', 'reject', '');
    await until(isShown('second'), 'the second diff is there');
    reviews.decide('second', 'accept', '');
    assert.deepEqual(await Promise.all([first, second]), [
      { decision: 'reject' },
      { decision: 'accept', text: 'const a = 2;\n' },
    ]);
    await until(() => tabs().length === 0, 'no diff stays');
  });

  it('ends with the signal, and a later decision is ignored', async () => {
    const controller = new AbortController();
    const decision = reviews.review(propose('stopped'), controller.signal);
    await until(isShown('stopped'), 'the diff is there');
    controller.abort();
    assert.deepEqual(await decision, { decision: 'reject' });
    assert.equal(reviews.decide('stopped', 'accept', ''), false);
    await until(() => tabs().length === 0, 'the diff is closed');
  });
});
