import { expect, it } from 'vitest';
import { commandEnvironment } from '../../../src/agent/node/shell/environment.ts';

it('S42 passes on names of the list and nothing that looks like a secret', () => {
  const environment = commandEnvironment({
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C.UTF-8',
    GOPATH: '/go',
    ANTHROPIC_BASE_URL: 'http://localhost',
    ANTHROPIC_API_KEY: 'sk',
    GITHUB_TOKEN: 'x',
    LC_SECRET: 'x',
    AWS_ACCESS_KEY_ID: 'x',
    PGPASSWORD: 'x',
    LD_PRELOAD: '/evil.so',
    NODE_OPTIONS: '--require /evil.js',
    BASH_ENV: '/evil.sh',
    HTTPS_PROXY: 'http://user:pass@proxy:8080',
    HTTP_PROXY: 'http://proxy:8080',
    ELECTRON_RUN_AS_NODE: '1',
  });
  expect(environment).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C.UTF-8',
    GOPATH: '/go',
    HTTP_PROXY: 'http://proxy:8080',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
  });
});
