import type { Broker, RuleBook } from '../../agent/index.ts';
import type { TreeContent } from './lazyTree.ts';
import { type RuleNode, toItem, toNodes } from './ruleNodes.ts';

/** The rules as nodes of a tree. */
export type RuleList = {
  readonly tree: TreeContent<RuleNode>;
  /** Whether the list has given it out: no command takes anything else. */
  has(node: unknown): node is RuleNode;
  /** Those who show the list read it anew. */
  readonly tell: () => void;
};

export function createRuleList({
  broker,
  session,
  book,
}: {
  readonly broker: Pick<Broker, 'answers'>;
  /** The session that shows. */
  readonly session: () => string | undefined;
  readonly book: () => Promise<RuleBook>;
}): RuleList {
  const listeners = new Set<() => void>();
  let known: ReadonlySet<unknown> = new Set();

  async function readNodes(): Promise<readonly RuleNode[]> {
    const current = session() ?? '';
    const kept = await book();
    const [rules, hooks] = await Promise.all([kept.list(), kept.hooks.list()]);
    const nodes = toNodes({ rules, hooks, session: current, answers: broker.answers.list(current) });
    known = new Set(nodes.flatMap((node) => (node.kind === 'group' ? node.children : [])));
    return nodes;
  }

  return {
    tree: {
      children: async (node) => (node === undefined ? readNodes() : node.kind === 'group' ? node.children : []),
      item: toItem,
      onChange: (listener) => void listeners.add(listener),
    },
    has: (node): node is RuleNode => known.has(node),
    tell() {
      for (const listener of listeners) listener();
    },
  };
}
