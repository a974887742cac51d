/** Leaves out of the icon font's style sheet what the page shows nowhere. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const rule = /^\.codicon-([a-z0-9-]+):before\s*\{[^}]*\}\s*$/gm;
/** Where a source names an icon: attributes, properties called `icon`, and tables called `…icons`. */
const places = [
  /\bicon[=:]\s*(\{[^}]*\}|"[^"]*"|'[^']*')/g,
  /<Icon\s[^>]*?\bname=(\{[^}]*\}|"[^"]*")/g,
  /\b(?:[a-z]\w*I|i)cons\b[^={]*=\s*(\{[^}]*\})/g,
  /\bcodicon codicon-([a-z][a-z0-9-]*)/g,
];
/** Words in a comparison are no icons. */
const comparison = /[!=]==?\s*(?:'[^']*'|"[^"]*")/g;

/**
 * The icons that sources name in places that are for icons.
 *
 * @param {string} source
 * @returns {readonly string[]}
 */
function namedIcons(source) {
  return places.flatMap((place) =>
    [...source.matchAll(place)].flatMap(([, found = '']) => {
      const literals = found.replaceAll(comparison, '').match(/['"][a-z0-9-]+['"]/g);
      return literals ? literals.map((literal) => literal.slice(1, -1)) : /^[a-z]/.test(found) ? [found] : [];
    }),
  );
}

/**
 * @param {string} css the whole style sheet of the font
 * @param {ReadonlyMap<string, string>} sources texts by their paths
 * @returns {string} the rules for icons that stand in a source as a word in quotes or a class
 * @throws {Error} when a source names an icon that the font lacks
 */
export function subsetCodicons(css, sources) {
  const known = new Set([...css.matchAll(rule)].map(([, name]) => name));
  const used = new Set();
  for (const [file, source] of sources) {
    for (const name of namedIcons(source)) {
      if (!known.has(name)) throw new Error(`${file} uses the icon ${name}, which the icon font does not have.`);
    }
    for (const [, word] of source.matchAll(/['"`]([a-z0-9-]+)['"`]|\bcodicon-([a-z0-9-]+)/g)) used.add(word);
    for (const name of namedIcons(source)) used.add(name);
  }
  return css.replace(rule, (text, name) => (used.has(name) ? text : ''));
}

/**
 * @param {string} folder
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
async function readSources(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const texts = names.map(async (name) => {
    const file = path.join(folder, name);
    return /** @type {const} */ ([file, await readFile(file, 'utf8')]);
  });
  return new Map(await Promise.all(texts));
}

/**
 * For esbuild.
 *
 * @param {string} folder of the sources that show icons
 * @returns {import('esbuild').Plugin}
 */
export function usedCodicons(folder) {
  return {
    name: 'used-codicons',
    setup(build) {
      build.onLoad({ filter: /[\\/]codicon\.css$/ }, async ({ path: file }) => {
        try {
          const contents = subsetCodicons(await readFile(file, 'utf8'), await readSources(folder));
          return { contents, loader: 'css' };
        } catch (error) {
          return { errors: [{ text: error instanceof Error ? error.message : String(error) }] };
        }
      });
    },
  };
}
