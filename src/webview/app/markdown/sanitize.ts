import purify from 'dompurify';

const tags =
  'a b blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr i li ol p pre s span strong sub sup table tbody td th thead tr ul'.split(
    ' ',
  );
const attributes =
  'align aria-hidden aria-label class data-copy data-line data-link data-path role start tabindex title type'.split(
    ' ',
  );

/** The second lock behind the renderer: only what the renderer makes passes, and nothing that loads or navigates. */
export function sanitize(html: string): string {
  return purify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOW_UNKNOWN_PROTOCOLS: false,
  });
}
