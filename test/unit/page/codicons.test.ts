import { describe, expect, it } from 'vitest';
import { subsetCodicons } from '../../../scripts/codicons.mjs';

const css = '.codicon { font: codicon }\n.codicon-add:before { content: "a" }\n.codicon-bug:before { content: "b" }\n';
const rulesFor = (source: string) => subsetCodicons(css, new Map([['a.tsx', source]]));

describe('the icons of the page', () => {
  it('are those that its sources name, wherever the name stands', () => {
    for (const source of [
      `<Icon name="add" />`,
      `<IconButton icon={isOn ? 'add' : 'add'} />`,
      `const looks = { on: { icon: 'add' } };`,
      `const toolIcons = { Read: 'add' };`,
      '`<span class="codicon codicon-add"></span>`',
      `const chosen = 'add';`,
    ]) {
      expect(rulesFor(source)).toContain('.codicon-add:before');
      expect(rulesFor(source)).toContain('.codicon {');
      expect(rulesFor(source)).not.toContain('.codicon-bug:before');
    }
  });

  it('are refused where the font has no such icon', () => {
    for (const source of [
      `<Icon name="ad" />`,
      `<IconButton icon={isOn ? 'add' : 'ad'} />`,
      `({ icon: 'ad' })`,
      `const toolIcons: Names = { Read: 'ad' };`,
      `class="codicon codicon-ad"`,
    ])
      expect(() => rulesFor(source)).toThrow(/a\.tsx uses the icon ad,/);
  });

  it('may depend on any word', () => {
    expect(rulesFor(`<Icon name={kind === 'nothing' ? 'add' : 'bug'} />`)).toBe(css);
  });
});
