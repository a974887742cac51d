/**
 * Stands in the bundles for parts of packages that are never reached: a parser for HTML that is given as text (it is given
 * as a document), and one for style sheets (they are removed unread).
 */
export function parse() {
  throw new Error('This part was left out of the bundle.');
}
