import type { Web } from '../host.ts';

/** Pages of the internet; what is needed for them is loaded with the first one. */
export function createNodeWeb(): Web {
  return {
    async fetch(url, signal) {
      const { createWeb } = await import('./web/web.ts');
      return createWeb().fetch(url, signal);
    },
  };
}
