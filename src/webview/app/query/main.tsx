import '../../../../media/query.css';
import { render } from 'preact';
import type { FromQueryPage, ToQueryPage } from '../../queryProtocol.ts';
import type { EditorApi } from '../connect.ts';
import { createTranslate, readStrings } from '../strings.ts';
import { createQuestions } from './questions.ts';
import { View } from './View.tsx';

declare function acquireVsCodeApi(): EditorApi;

function start(): void {
  const api = acquireVsCodeApi();
  const t = createTranslate(readStrings(document.getElementById('strings')));
  const send = (message: FromQueryPage) => api.postMessage(message);
  const questions = createQuestions(send, api.getState(), (state) => api.setState(state));
  window.addEventListener('message', ({ data }: MessageEvent<ToQueryPage>) => questions.receive(data));
  const root = document.getElementById('root') ?? document.body;
  render(<View t={t} questions={questions} />, root);
  send({ type: 'ready' });
  questions.ask();
}

start();
