import { number, type Row, text } from './database.ts';

/** Where in all conversations something happened, as rows of messages, calls and decisions tell it. */
export function placeOf(row: Row) {
  return {
    session: text(row, 'session_id'),
    title: text(row, 'title'),
    workspace: text(row, 'workspace'),
    agent: text(row, 'agent'),
    agentName: text(row, 'name') || text(row, 'agent'),
    turn: number(row, 'turn'),
    time: number(row, 'time'),
  };
}
